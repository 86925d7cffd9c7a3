/** A change of a lead: the lead as it will be, and the statements that make it so. */
import type { Json } from "../../core/json.ts";
import type { EventName } from "../../core/events.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { guardVersions } from "../../db/guards.ts";
import { insert, insertAll, sql, updateVersioned } from "../../db/statements.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { escalatesAt, type State, statusOf } from "./lifecycle.ts";
import type { Lead, MoveFacts } from "./record.ts";
import { leadMoves, leads } from "./table.ts";

export interface LeadWrite {
  readonly lead: Lead;
  readonly statements: readonly Statement[];
}

/** When and for what moment a change is made. */
export interface Moment {
  readonly now: number;
  readonly at: string;
}

type Changes = Partial<Omit<Lead["row"], "id" | "company_id" | "version">>;

/** Changes fields, guarded by the version that was read. */
export function changedLead(
  moment: Moment,
  before: Lead,
  set: Changes,
  beside: Partial<Omit<Lead, "row" | "moves">> = {},
): LeadWrite {
  return written(moment, before, set, beside, []);
}

/** Moves the lead into a state, whose countdown starts now, and records the move. */
export function transitionLead(
  moment: Moment,
  before: Lead,
  state: State,
  move: Pick<MoveFacts, "kind"> & Partial<MoveFacts>,
  set: Changes = {},
  beside: Partial<Omit<Lead, "row" | "moves">> = {},
): LeadWrite {
  const entered = { ...entering(moment, before, state, beside.team ?? before.team), ...set };
  return written(moment, before, entered, beside, [transitionOf(moment, move)]);
}

export interface DueMove {
  readonly before: Lead;
  readonly state: State;
  readonly move: Pick<MoveFacts, "kind"> & Partial<MoveFacts>;
}

/** Moves many leads like `transitionLead`, by a few statements however many they are. */
export function transitionTogether(
  moment: Moment,
  moves: readonly DueMove[],
): { readonly leads: readonly Lead[]; readonly statements: readonly Statement[] } {
  const recorded = moves.map(({ move }) => transitionOf(moment, move));
  const leads = moves.map(({ before, state }, index) =>
    changed(moment, before, entering(moment, before, state, before.team), {}, [recorded[index]!])
  );
  const rows = leads.map(({ row }) => [row.id, row.state, row.status, row.escalates_at]);
  return {
    leads,
    statements: [
      guardVersions("leads", moves.map(({ before }) => before.row)),
      sql`update leads set state = v.value ->> 1, status = v.value ->> 2, escalates_at = v.value ->> 3,
        updated_at = ${moment.at}, version = version + 1 from json_each(${
        JSON.stringify(rows)
      }) v where leads.id = v.value ->> 0`,
      ...guardShown(...leads),
      insertAll(leadMoves, recorded.map((move, index) => ({ lead_id: leads[index]!.row.id, ...move }))),
    ],
  };
}

/** A move with everything that it does not name null. */
export function transitionOf(moment: Moment, move: Pick<MoveFacts, "kind"> & Partial<MoveFacts>): MoveFacts {
  return {
    at: moment.at,
    team_id: null,
    user_id: null,
    rejection_reason: null,
    escalation_type: null,
    case_id: null,
    account_id: null,
    contact_id: null,
    first_activity_at: null,
    ...move,
  };
}

export function recordTransition(leadId: string, move: MoveFacts): Statement {
  return insert(leadMoves, { lead_id: leadId, ...move });
}

/** The event of a lead; `body` is the record as it is after the change. */
export function leadEvent(name: EventName, { row }: Lead, body: Json): EventDraft {
  const { id, team_id, agency_team_id, created_by } = row;
  return { name, entity: { type: "lead", id, team_id, agency_team_id, created_by }, body };
}

/**
 * Refuses the batch when what the leads show of other records is no longer as it was read. Where the batch
 * changes those, it does so before.
 */
export function guardShown(...leads: readonly Omit<Lead, "row" | "moves">[]): Statement[] {
  return [
    ...guards("lead_types", leads.map(({ type }) => type.record)),
    ...guards("teams", leads.map(({ team }) => team)),
    ...guards("accounts", leads.flatMap(({ account, original_account }) => [account, original_account])),
    ...guards("contacts", leads.flatMap(({ contact, original_contact }) => [contact, original_contact])),
  ];
}

interface Versioned {
  readonly id: string | number | null;
  readonly version: number;
}

function guards(table: string, records: readonly (Versioned | null)[]): Statement[] {
  const shown = records.filter((record) => record !== null);
  return shown.length === 0 ? [] : [guard(table, shown)];
}

/** Each record once, by each version that was read of it. */
function guard(table: string, records: readonly Versioned[]): Statement {
  return guardVersions(table, [
    ...new Map(records.map((each) => [`${each.id} ${each.version}`, each])).values(),
  ]);
}

/** What a lead is set to when it enters a state, whose countdown starts now. */
function entering({ now }: Moment, { type }: Lead, state: State, team: Lead["team"]) {
  const escalates_at = team ? escalatesAt(state, type.record, team.timezone, now) : null;
  return { state, status: statusOf[state], escalates_at };
}

function changed(
  { at }: Moment,
  { row, moves: earlier, ...before }: Lead,
  set: Changes,
  beside: Partial<Omit<Lead, "row" | "moves">>,
  moves: readonly MoveFacts[],
): Lead {
  return {
    ...before,
    ...beside,
    row: { ...row, ...set, updated_at: at, version: row.version + 1 },
    moves: [...earlier, ...moves],
  };
}

function written(
  moment: Moment,
  before: Lead,
  set: Changes,
  beside: Partial<Omit<Lead, "row" | "moves">>,
  moves: readonly MoveFacts[],
): LeadWrite {
  const { row } = before;
  const lead = changed(moment, before, set, beside, moves);
  return {
    lead,
    statements: [
      updateVersioned(leads, { ...set, updated_at: moment.at }, row),
      guardChanged("lead"),
      ...guardShown(lead),
      ...moves.map((move) => recordTransition(row.id, move)),
    ],
  };
}
