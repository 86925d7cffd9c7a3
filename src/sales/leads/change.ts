/** A change of a lead: the lead as it will be, and the statements that make it so. */
import type { Json } from "../../core/json.ts";
import type { EventName } from "../../core/events.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { insert, updateVersioned } from "../../db/statements.ts";
import { guardChanged, guardThat, type Statement } from "../../platform/database/database.ts";
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
export function movedLead(
  moment: Moment,
  before: Lead,
  state: State,
  move: Pick<MoveFacts, "kind"> & Partial<MoveFacts>,
  set: Changes = {},
  beside: Partial<Omit<Lead, "row" | "moves">> = {},
): LeadWrite {
  const team = beside.team ?? before.team;
  const escalates_at = team ? escalatesAt(state, before.type.record, team.timezone, moment.now) : null;
  const moved = { state, status: statusOf[state], escalates_at, ...set };
  return written(moment, before, moved, beside, [moveOf(moment, move)]);
}

/** A move with everything that it does not name null. */
export function moveOf(moment: Moment, move: Pick<MoveFacts, "kind"> & Partial<MoveFacts>): MoveFacts {
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

export function recordMove(leadId: string, move: MoveFacts): Statement {
  return insert(leadMoves, { lead_id: leadId, ...move });
}

/** The event of a lead; `body` is the record as it is after the change. */
export function leadEvent(name: EventName, { row }: Lead, body: Json): EventDraft {
  const { id, team_id, agency_team_id, created_by } = row;
  return { name, entity: { type: "lead", id, team_id, agency_team_id, created_by }, body };
}

/**
 * Refuses the batch when what the lead shows of other records is no longer as it was read. Where the batch
 * changes those, it does so before.
 */
export function guardShown(lead: Omit<Lead, "row" | "moves">): Statement[] {
  const { team, type, account, contact, original_account, original_contact } = lead;
  return [
    guard("lead_types", type.record),
    ...guards("teams", team),
    ...guards("accounts", account, original_account),
    ...guards("contacts", contact, original_contact),
  ];
}

interface Versioned {
  readonly id: string | number | null;
  readonly version: number;
}

function guards(table: string, ...records: (Versioned | null)[]): Statement[] {
  return records.flatMap((record) => record === null ? [] : guard(table, record));
}

function guard(table: string, { id, version }: Versioned): Statement {
  return guardThat(table, `exists (select 1 from ${table} where id = ? and version = ?)`, [id, version]);
}

function written(
  { at }: Moment,
  before: Lead,
  set: Changes,
  beside: Partial<Omit<Lead, "row" | "moves">>,
  moves: readonly MoveFacts[],
): LeadWrite {
  const { row } = before;
  const changes = { ...set, updated_at: at };
  const lead = {
    ...before,
    ...beside,
    row: { ...row, ...changes, version: row.version + 1 },
    moves: [...before.moves, ...moves],
  };
  return {
    lead,
    statements: [
      updateVersioned(leads, changes, row),
      guardChanged("lead"),
      ...guardShown(lead),
      ...moves.map((move) => recordMove(row.id, move)),
    ],
  };
}
