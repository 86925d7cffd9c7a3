/** Leads of deleted customers. */
import type { FieldAuthor } from "../../db/commit.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { raw, rawSql, type Sql, sql } from "../../db/statements.ts";
import { guardVersions } from "../../db/guards.ts";
import { isSelected } from "../../customers/removal/selection.ts";
import type { Selection, Taken } from "../../customers/removal/dependents.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { type AccountFacts, accountJson } from "../../customers/accounts/present.ts";
import { changedLead, guardShown, leadEvent, type LeadWrite } from "../leads/write.ts";
import { presentLead } from "../leads/present.ts";
import { isExpired, type Lead, leadColumns, leadOfRow } from "../leads/record.ts";
import { casesAfter, casesOfLeads, casesOfLeadsCount } from "../leads/shown_in_cases.ts";
import { remainingLeads, selectedCases, selectedLeads } from "./selection.ts";

/** Of each kind in a step: few enough that it holds the write lock for well under 100 ms. */
const most = 30;

/** The statements of `leadReads`. */
export const leadReadsCount = 2 + casesOfLeadsCount;

/** Reads what `takeLeads` takes: leads that stay, leads that go, and the cases that stay and show them. */
export function leadReads(leaving: Selection): Statement[] {
  const kept = some(remainingLeads(leaving));
  const gone = some(selectedLeads(leaving));
  const { account_id, contacts } = leaving;
  const cases = selectedCases(leaving);
  return [
    sql`select ${leadColumns}, ${accountJson(rawSql(homeOf("leads.contact_id")))} as home,
      (select json_group_array(id) from (select m.case_id as id from lead_transitions m where m.lead_id = leads.id
      union select leads.case_id) where id in (${cases})) as left_cases
      from leads where leads.id in (${kept})`,
    sql`select ${leadColumns} from leads where leads.id in (${gone})`,
    ...casesOfLeads({
      leads: sql`select id from (${kept}) union select id from (${gone})`,
      leaving: gone,
      which: sql`cs.account_id is not ${account_id} and cs.contact_id not in (${contacts})`,
    }),
  ];
}

export function takeLeads(
  author: FieldAuthor,
  leaving: Selection,
  [kept, gone, ...cases]: readonly Result[],
): Taken {
  const stay = kept!.rows.map((row) => detached(author, row, leaving));
  const go = gone!.rows.map(leadOfRow);
  const changed = casesAfter(author, stay.map(({ lead }) => lead), cases);
  const ids = JSON.stringify(go.map(({ row }) => row.id));
  return {
    statements: [
      guardVersions("leads", go.map(({ row }) => row)),
      ...guardShown(...go),
      ...stay.flatMap(({ statements }) => statements),
      ...changed.flatMap(({ statements }) => statements),
      sql`delete from lead_transitions where lead_id in (select value from json_each(${ids}))`,
      sql`delete from leads where id in (select value from json_each(${ids}))`,
    ],
    events: [
      ...stay.flatMap(({ lead }) => eventsOf(author, "lead_updated", lead)),
      ...changed.map(({ event }) => event),
      ...go.flatMap((lead) => eventsOf(author, "lead_deleted", lead)),
    ],
    more: stay.length === most || go.length === most,
  };
}

function some({ sql: text, args }: Sql): Sql {
  return raw(`select id from (${text}) order by id limit ${most}`, ...args);
}

/** SQL: the id of the account that the contact of an id (an expression) is in. */
function homeOf(contactId: string): string {
  return `(select c.account_id from contacts c where c.id = ${contactId})`;
}

/** It no longer names what is deleted. Where its account is, it counts for the one that its contact is in by now. */
function detached(
  author: FieldAuthor,
  { home, left_cases, ...selected }: Row,
  leaving: Selection,
): LeadWrite {
  const before = leadOfRow(selected);
  const { row } = before;
  const cases: readonly (string | null)[] = JSON.parse(left_cases as string);
  const account = before.original_account?.id === leaving.account_id ? null : before.original_account;
  const { original_contact: named } = before;
  const contact = named && isSelected(named, leaving) ? null : named;
  const moves = row.account_id !== null && row.account_id === leaving.account_id;
  const own: AccountFacts | null = moves && home ? JSON.parse(home as string) : before.account;
  const { lead, statements } = changedLead(
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
        sql`update lead_transitions set case_id = null where lead_id = ${row.id} and case_id in (select value from json_each(${
          JSON.stringify(cases)
        }))`,
      ]),
    ],
  };
}

/** None of a lead that has expired, and so is nowhere. */
function eventsOf(author: FieldAuthor, name: "lead_updated" | "lead_deleted", lead: Lead): EventDraft[] {
  if (isExpired(lead, author.at)) return [];
  return [leadEvent(name, lead, presentLead(lead, author.now, author.fields.all))];
}
