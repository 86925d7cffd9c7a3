/** Leads of deleted customers. */
import { detachFiles } from "../../customers/attached_files.ts";
import type { FieldAuthor } from "../../db/commit.ts";
import { guardVersions, type Sql, sql } from "../../db/statements.ts";
import { isSelected } from "../../customers/deletion/selection.ts";
import type { Selection } from "../../customers/deletion/dependents.ts";
import type { Row } from "../../platform/database/database.ts";
import type { PlannedStep, Take } from "../../staged/kind.ts";
import { type AccountFacts, selectAccountJson } from "../../customers/accounts/present.ts";
import { deleteSetAside } from "../../staged/set_aside.ts";
import { leadTimer } from "../leads/escalate.ts";
import { changeLead, guardShownInLeads, type LeadWrite, makeLeadEvents } from "../leads/write.ts";
import { isExpired, leadColumns, readLeadRow } from "../leads/parts.ts";
import { changeCasesOfLeads, selectCasesOfLeads } from "../leads/shown_in_cases.ts";
import { selectCasesOfSelection, selectLeadsOfSelection, selectRemainingLeads } from "./selection.ts";

/** Leads of each kind in a step, so that it holds the write lock for well under 100 ms. */
const most = 30;

/** Deletes the leads of the customers, and removes the customers from leads that stay. */
export function removeCustomerLeads(selection: Selection, take: Take): PlannedStep {
  const stay = take(selectRemainingLeads(selection), most);
  const go = take(selectLeadsOfSelection(selection), most);
  const { account_id, contacts } = selection;
  return {
    reads: [
      sql`select ${leadColumns}, ${selectAccountJson(selectHome(sql`leads.contact_id`))} as home,
        (select json_group_array(id) from (select m.case_id as id from lead_transitions m where m.lead_id = leads.id
        union select leads.case_id) where id in (${selectCasesOfSelection(selection)})) as left_cases
        from leads where leads.id in (${stay.ids})`,
      sql`select ${leadColumns} from leads where leads.id in (${go.ids})`,
      ...selectCasesOfLeads({
        leads: sql`select id from (${stay.ids}) union select id from (${go.ids})`,
        leaving: go.ids,
        which: sql`cs.account_id is not ${account_id} and cs.contact_id not in (${contacts})`,
      }),
    ],
    apply(author, [staying, going, ...cases]) {
      const detached = staying!.rows.map((row) => detachLead(author, row, selection));
      const removed = going!.rows.map(readLeadRow);
      const changed = changeCasesOfLeads(author, detached.map(({ lead }) => lead), cases);
      const ids = JSON.stringify(removed.map(({ row }) => row.id));
      const shown = removed.filter((lead) => !isExpired(lead, author.at)).map(({ row }) => row.id);
      return {
        statements: [
          guardVersions("leads", removed.map(({ row }) => row)),
          ...guardShownInLeads(...removed),
          ...detached.flatMap(({ statements }) => statements),
          ...changed.flatMap(({ statements }) => statements),
          // Records the deletion before the transitions go, because its trigger finds the responsible user by
          // them.
          sql`update leads set deleted_at = ${author.at} where id in (select value
            from json_each(${JSON.stringify(shown)}))`,
          sql`delete from lead_transitions where lead_id in (select value from json_each(${ids}))`,
          deleteSetAside(leadTimer, removed.map(({ row }) => row.id)),
          ...detachFiles(author, "lead", sql`select value from json_each(${ids})`),
          sql`delete from leads where id in (select value from json_each(${ids}))`,
        ],
        events: [
          ...detached.flatMap(({ lead }) => makeLeadEvents(author, "lead_updated", lead)),
          ...changed.map(({ event }) => event),
          ...removed.flatMap((lead) => makeLeadEvents(author, "lead_deleted", lead)),
        ],
        more: detached.length >= stay.most || removed.length >= go.most,
      };
    },
  };
}

/** SQL: the id of the account of a contact. */
function selectHome(contactId: Sql): Sql {
  return sql`(select c.account_id from contacts c where c.id = ${contactId})`;
}

/**
 * Removes the references to deleted records from a lead. If its account is deleted, the lead gets the present
 * account of its contact.
 */
function detachLead(
  author: FieldAuthor,
  { home, left_cases, ...selected }: Row,
  selection: Selection,
): LeadWrite {
  const before = readLeadRow(selected);
  const { row } = before;
  const cases: readonly (string | null)[] = JSON.parse(left_cases as string);
  const account = before.original_account?.id === selection.account_id ? null : before.original_account;
  const { original_contact: named } = before;
  const contact = named && isSelected(named, selection) ? null : named;
  const moves = row.account_id !== null && row.account_id === selection.account_id;
  const own: AccountFacts | null = moves && home ? JSON.parse(home as string) : before.account;
  const { lead, statements } = changeLead(
    author,
    before,
    {
      original_account_id: account?.id ?? null,
      original_contact_id: contact?.id ?? null,
      ...(moves ? { account_id: own?.id ?? null } : {}),
      ...(cases.includes(row.case_id) ? { case_id: null } : {}),
    },
    { original_account: account, original_contact: contact, account: own },
  );
  return {
    lead: {
      ...lead,
      transitions: lead.transitions.map((
        each,
      ) => (cases.includes(each.case_id) ? { ...each, case_id: null } : each)),
    },
    statements: [
      ...statements,
      ...(cases.length === 0 ? [] : [
        sql`update lead_transitions set case_id = null where lead_id = ${row.id} and case_id in (select value
          from json_each(${JSON.stringify(cases)}))`,
      ]),
    ],
  };
}
