/** The parts of a commit that changes leads. */
import { type created, ok } from "../../core/answer.ts";
import { checkRecordSize, recordBudget } from "../../core/budgets.ts";
import type { Caller } from "../../core/access.ts";
import type { EventName } from "../../core/events.ts";
import { Json, toJson } from "../../core/json.ts";
import { type Change, commit, type FieldAuthor } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { asSeen } from "../../fields/field_sets.ts";
import type { NotificationDraft } from "../../db/notifications.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { guardVersions, insert, insertAll, sql, updateVersioned } from "../../db/statements.ts";
import { guardChanged, type Result, type Statement } from "../../platform/database/database.ts";
import { escalatesAt, type State, statusOf } from "./lifecycle.ts";
import { presentLead } from "./present.ts";
import { isExpired, type LeadRecord, type LeadTransition } from "./parts.ts";
import { changeCasesOfLeads } from "./shown_in_cases.ts";
import { leads, leadTransitions } from "./record.ts";

/** The lead after a change, and the statements of the change. */
export interface LeadWrite {
  readonly lead: LeadRecord;
  readonly statements: readonly Statement[];
}

/** The moment of a change, in epoch milliseconds and as a timestamp, and who makes it; timers have no caller. */
export interface ChangeMoment {
  readonly now: number;
  readonly at: string;
  readonly caller?: Caller;
}

/** A transition to record. */
type MadeTransition = LeadTransition & { readonly made_by: number | null };

type Changes = Partial<Omit<LeadRecord["row"], "id" | "company_id" | "version">>;
/** The parts of a lead besides its row and transitions: the embedded data and other records. */
type ShownRecords = Omit<LeadRecord, "row" | "transitions">;
type NewTransition = Pick<LeadTransition, "kind"> & Partial<LeadTransition>;

/** Changes fields; guards the version that was read. */
export function changeLead(
  moment: ChangeMoment,
  before: LeadRecord,
  set: Changes,
  shown: Partial<ShownRecords> = {},
): LeadWrite {
  return makeLeadWrite(moment, before, set, shown, []);
}

/** Brings the lead into a state, starts its countdown, and records the transition. */
export function transitionLead(
  moment: ChangeMoment,
  before: LeadRecord,
  state: State,
  record: NewTransition,
  set: Changes = {},
  shown: Partial<ShownRecords> = {},
): LeadWrite {
  const entered = { ...makeStateColumns(moment, before, state, shown.team ?? before.team), ...set };
  return makeLeadWrite(moment, before, entered, shown, [makeTransition(moment, record)]);
}

export interface DueTransition {
  readonly before: LeadRecord;
  readonly state: State;
  readonly record: NewTransition;
}

/** Does the same as `transitionLead` for many leads. The number of statements is constant. */
export function transitionLeads(
  moment: ChangeMoment,
  due: readonly DueTransition[],
): { readonly leads: readonly LeadRecord[]; readonly statements: readonly Statement[] } {
  const recorded = due.map(({ record }) => makeTransition(moment, record));
  const leads = due.map(({ before, state }, index) =>
    applyChanges(moment, before, makeStateColumns(moment, before, state, before.team), {}, [recorded[index]!])
  );
  const rows = leads.map(({ row }) => [row.id, row.state, row.status, row.escalates_at]);
  return {
    leads,
    statements: [
      guardVersions("leads", due.map(({ before }) => before.row)),
      sql`update leads set state = v.value ->> 1, status = v.value ->> 2, escalates_at = v.value ->> 3,
        updated_at = ${moment.at}, version = version + 1 from json_each(${JSON.stringify(rows)}) v
        where leads.id = v.value ->> 0`,
      ...guardShownInLeads(...leads),
      insertAll(
        leadTransitions,
        recorded.map((each, index) => ({ lead_id: leads[index]!.row.id, ...each })),
      ),
    ],
  };
}

/** The transition with null for each column that is not given. */
export function makeTransition(moment: ChangeMoment, given: NewTransition): MadeTransition {
  return {
    at: moment.at,
    made_by: moment.caller?.userId ?? null,
    team_id: null,
    user_id: null,
    rejection_reason: null,
    escalation_type: null,
    case_id: null,
    account_id: null,
    contact_id: null,
    first_activity_at: null,
    ...given,
  };
}

/**
 * Commits a change of a lead with the cases that show it, and returns the lead. `cases` are the results of
 * `selectCasesOfLeads`; `answer` builds the answer.
 */
export async function commitLead(
  ctx: Context,
  { lead, statements }: LeadWrite,
  cases: readonly Result[],
  event: EventName,
  { answer = ok, guards = [], notifications = [] }: {
    readonly answer?: typeof ok | typeof created;
    readonly guards?: readonly Statement[];
    readonly notifications?: Change["notifications"];
  } = {},
) {
  const body = presentLead(lead, ctx.now, ctx.fields.all);
  const caseWrites = changeCasesOfLeads(ctx, [lead], cases);
  return await commit(ctx, {
    statements: [...guards, ...statements, ...caseWrites.flatMap((write) => write.statements)],
    events: [draftLeadEvent(event, lead, body), ...caseWrites.map((write) => write.event)],
    notifications,
    answer: answer(asSeen(ctx.fields, body, (fields) => presentLead(lead, ctx.now, fields))),
  });
}

/** Returns the event with the lead as it is after a change; none for an expired lead. */
export function makeLeadEvents(author: FieldAuthor, name: EventName, lead: LeadRecord): EventDraft[] {
  if (isExpired(lead, author.at)) return [];
  return [draftLeadEvent(name, lead, presentLead(lead, author.now, author.fields.all))];
}

/** `body` is the record after the change. */
export function draftLeadEvent(
  name: EventName,
  { row, teams_before: before }: LeadRecord,
  body: object,
): EventDraft {
  const { id, team_id, agency_team_id, created_by } = row;
  return { name, entity: { type: "lead", id, team_id, agency_team_id, created_by, before }, body };
}

/** Notifies the user of the lead, else its whole team. Returns none for a lead without a team. */
export function draftLeadNotifications(lead: LeadRecord): NotificationDraft[] {
  const { team_id, user_id } = lead.row;
  if (team_id === null) return [];
  const to = user_id === null ? { teams: [team_id] } : { users: [user_id] };
  return [{ type: "lead_assigned", to: [to], data: pickRecordIds(lead) }];
}

/** The records that a notification of the lead names. */
export function pickRecordIds({ row }: LeadRecord) {
  return { lead: { id: row.id }, lead_type: { id: row.lead_type_id } };
}

/**
 * Rejects the batch when a record that the leads show has changed since it was read. A batch that itself changes
 * such a record does so before this guard.
 */
export function guardShownInLeads(...leads: readonly ShownRecords[]): Statement[] {
  const shown = {
    lead_types: leads.map(({ type }) => type.record),
    teams: leads.map(({ team }) => team),
    accounts: leads.flatMap(({ account, original_account }) => [account, original_account]),
    contacts: leads.flatMap(({ contact, original_contact }) => [contact, original_contact]),
  };
  return Object.entries(shown).flatMap(([table, records]) => {
    const once = new Map<string, { readonly id: string | number | null; readonly version: number }>();
    for (const record of records) if (record) once.set(`${record.id} ${record.version}`, record);
    return once.size === 0 ? [] : [guardVersions(table, [...once.values()])];
  });
}

/**
 * Throws 422 `max` at `path` for a lead that grows beyond the budget of a record: its own texts and transitions,
 * not the records that it shows. `body` is the lead after the change.
 */
export function checkLeadSize(
  before: LeadRecord | null,
  after: LeadRecord,
  body: object,
  path: string,
): void {
  // A character takes three bytes at most.
  if (toJson(body).length * 3 <= recordBudget) return;
  checkRecordSize(joinOwnTexts(after), path, before && (() => joinOwnTexts(before)));
}

function joinOwnTexts({ row, transitions }: LeadRecord): Json {
  const { interest, lead_source, lead_user, product_ids, lead_data, account, contact } = row;
  const own = JSON.stringify([interest, lead_source, lead_user, transitions]);
  return new Json(own + product_ids + lead_data + account + contact);
}

/** Returns the columns of a lead that enters a state now. */
function makeStateColumns(
  { now }: ChangeMoment,
  { type }: LeadRecord,
  state: State,
  team: LeadRecord["team"],
) {
  const escalates_at = team ? escalatesAt(state, type.record, team.timezone, now) : null;
  return { state, status: statusOf[state], escalates_at };
}

function applyChanges(
  { at }: ChangeMoment,
  { row, transitions: earlier, ...before }: LeadRecord,
  set: Changes,
  shown: Partial<ShownRecords>,
  transitions: readonly MadeTransition[],
): LeadRecord {
  return {
    ...before,
    ...shown,
    row: { ...row, ...set, updated_at: at, version: row.version + 1 },
    transitions: [...earlier, ...transitions],
    teams_before: before.teams_before ?? { team_id: row.team_id, agency_team_id: row.agency_team_id },
  };
}

function makeLeadWrite(
  moment: ChangeMoment,
  before: LeadRecord,
  set: Changes,
  shown: Partial<ShownRecords>,
  transitions: readonly MadeTransition[],
): LeadWrite {
  const { row } = before;
  const lead = applyChanges(moment, before, set, shown, transitions);
  return {
    lead,
    statements: [
      updateVersioned(leads, { ...set, updated_at: moment.at }, row),
      guardChanged("lead"),
      ...guardShownInLeads(lead),
      ...transitions.map((each) => insert(leadTransitions, { lead_id: row.id, ...each })),
    ],
  };
}
