/** Leads of deleted customers. */
import type { FieldAuthor } from "../../db/commit.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { raw, type Sql, statement } from "../../db/statements.ts";
import { guardVersions } from "../../db/guards.ts";
import { leaves } from "../../customers/removal/leaving.ts";
import type { Leaving, Taken } from "../../customers/removal/dependents.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { casesAmong, fullCases } from "../cases/queries.ts";
import { type FullCase, leadShown, type LeadSummary } from "../cases/record.ts";
import { changedCase } from "../cases/write.ts";
import { changedLead, guardShown, leadEvent, type LeadWrite } from "../leads/change.ts";
import { presentLead } from "../leads/present.ts";
import { isExpired, type Lead, leadOfRow, leadSource } from "../leads/record.ts";
import { leadsKept, leadsLeaving } from "./leaving.ts";

/** Of each kind in a step: few enough that it holds the write lock for well under 100 ms. */
const most = 30;

/** The statements of `leadReads`. */
export const leadReadsCount = 6;

/** Reads what `takeLeads` takes: leads that stay, leads that go, and the cases that stay and show them. */
export function leadReads(leaving: Leaving): Statement[] {
  const kept = some(leadsKept(leaving));
  const gone = some(leadsLeaving(leaving));
  const { account_id, contacts } = leaving;
  const shown = raw(
    `select cs.id from leads l join cases cs on cs.id = l.case_id where (l.id in (${kept.text}) ` +
      `or l.id in (${gone.text})) and cs.account_id is not ? and cs.contact_id not in (${contacts.text})`,
    ...kept.args,
    ...gone.args,
    account_id,
    ...contacts.args,
  );
  const of = (ids: Sql) =>
    statement(`select ${leadSource.columns} from leads where leads.id in (${ids.text})`, ...ids.args);
  return [
    of(kept),
    of(gone),
    statement(
      `select cs.id, ${
        leadShown(`l.id not in (${gone.text})`)
      } as lead from cases cs where cs.id in (${shown.text})`,
      ...gone.args,
      ...shown.args,
    ),
    ...casesAmong(shown),
  ];
}

export function takeLeads(
  author: FieldAuthor,
  leaving: Leaving,
  [kept, gone, shown, ...cases]: readonly Result[],
): Taken {
  const stay = kept!.rows.map(leadOfRow).map((lead) => withoutNamed(author, lead, leaving));
  const go = gone!.rows.map(leadOfRow);
  const summaries = new Map(shown!.rows.map(({ id, lead }) => [id, lead as string | null]));
  const changed = fullCases(cases).flatMap((of) => {
    const lead = summaryAfter(author, of, summaries.get(of.id) ?? null, stay);
    return lead === of.lead ? [] : changedCase(author, of, {}, { lead });
  });
  const ids = JSON.stringify(go.map(({ row }) => row.id));
  return {
    statements: [
      guardVersions("leads", go.map(({ row }) => row)),
      ...guardShown(...go),
      ...stay.flatMap(({ statements }) => statements),
      ...changed.flatMap(({ statements }) => statements),
      statement("delete from lead_moves where lead_id in (select value from json_each(?))", ids),
      statement("delete from leads where id in (select value from json_each(?))", ids),
    ],
    events: [
      ...stay.flatMap(({ lead }) => eventsOf(author, "lead_updated", lead)),
      ...changed.map(({ event }) => event),
      ...go.flatMap((lead) => eventsOf(author, "lead_deleted", lead)),
    ],
    more: stay.length === most || go.length === most,
  };
}

function some({ text, args }: Sql): Sql {
  return raw(`select id from (${text}) order by id limit ${most}`, ...args);
}

/** It no longer names what is deleted. */
function withoutNamed(author: FieldAuthor, lead: Lead, leaving: Leaving): LeadWrite {
  const account = lead.original_account?.id === leaving.account_id ? null : lead.original_account;
  const { original_contact: named } = lead;
  const contact = named && leaves(named, leaving) ? null : named;
  return changedLead(
    author,
    lead,
    { original_account_id: account?.id ?? null, original_contact_id: contact?.id ?? null },
    { original_account: account, original_contact: contact },
  );
}

/** None of a lead that has expired, and so is nowhere. */
function eventsOf(author: FieldAuthor, name: "lead_updated" | "lead_deleted", lead: Lead): EventDraft[] {
  if (isExpired(lead, author.at)) return [];
  return [leadEvent(name, lead, presentLead(lead, author.now, author.fields.all))];
}

/** What the case shows of its lead afterwards: the same object where that is the same. */
function summaryAfter(
  author: FieldAuthor,
  { lead: before }: FullCase,
  remaining: string | null,
  stay: readonly LeadWrite[],
): LeadSummary | null {
  const lead: LeadSummary | null = remaining === null ? null : JSON.parse(remaining);
  if (lead && stay.some(({ lead: { row } }) => row.id === lead.id)) return { ...lead, updated_at: author.at };
  return lead?.id === before?.id ? before : lead;
}
