/** The moves of a lead with who made them, and what happens to it next by itself. */
import { formatTimestamp } from "../../core/time.ts";
import { readTimeOfId, rollbackAllowanceMs } from "../../core/ids.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { countdownOf, type LeadStatus } from "./lifecycle.ts";
import type { LeadRecord } from "./parts.ts";

export const moveNames = [
  "created",
  "assigned",
  "accepted",
  "rejected",
  "escalated",
  "called",
  "revoked",
  "first_activity",
] as const;
type MoveName = (typeof moveNames)[number];

export const countdownRules = ["escalation_accept", "escalation_activity"] as const;
type CountdownRule = (typeof countdownRules)[number];

/** Who made a move: unknown for what an earlier version recorded without. */
export type MadeBy =
  | { readonly type: "user"; readonly id: number; readonly name: string | null }
  | { readonly type: "timer" | "unknown"; readonly id: null; readonly name: null };

export interface Move {
  readonly move: MoveName;
  readonly from: LeadStatus | null;
  readonly to: LeadStatus;
  readonly at: string;
  readonly by: MadeBy;
  readonly team: { readonly id: number; readonly name: string | null } | null;
  readonly reason: string | null;
}

/** Each kind of transition: its name as a move, and the status that it leads to. */
const kinds: Readonly<Record<string, readonly [MoveName, LeadStatus]>> = {
  assignment: ["assigned", "assigned"],
  acception: ["accepted", "accepted"],
  rejection: ["rejected", "rejected"],
  escalation: ["escalated", "escalated"],
  call: ["called", "called"],
  revocation: ["revoked", "revoked"],
};

const timers = ["escalation", "revocation"];

/** Reads the moves of the lead in the order recorded, with its creation first; read by `presentMoves`. */
export function selectMoves(companyId: number, leadId: string): Statement {
  const selectDeletedName = (table: string, id: Sql) =>
    sql`(select d.name from deleted_names d where d.company_id = ${companyId} and d.kind = ${table}
      and d.id = cast(${id} as text))`;
  const userName = (id: Sql) =>
    sql`(select trim(u.first_name || ' ' || u.last_name) from users u
      where u.id = ${id} and u.company_id = ${companyId})`;
  return sql`select m.kind, m.at, m.team_id, m.made_by, m.rejection_reason, m.escalation_type,
    m.first_activity_at, m.first_activity_by, ${userName(sql`m.made_by`)} as by_name,
    ${userName(sql`m.first_activity_by`)} as first_name,
    ifnull((select t.name from teams t where t.id = m.team_id and t.company_id = ${companyId}),
      ${selectDeletedName("teams", sql`m.team_id`)}) as team_name from (
    select 0 as id, 'created' as kind, null as at, null as team_id, l.created_by as made_by,
      null as rejection_reason, null as escalation_type, null as first_activity_at, null as first_activity_by
      from leads l where l.id = ${leadId} and l.company_id = ${companyId}
    union all select t.id, t.kind, t.at, t.team_id,
      iif(t.kind in ('rejection', 'call'), ifnull(t.made_by, t.user_id), t.made_by),
      t.rejection_reason, t.escalation_type, t.first_activity_at, t.first_activity_by
      from lead_transitions t where t.lead_id = ${leadId}) m order by m.id`;
}

/** Presents the rows of `selectMoves`. */
export function presentMoves(lead: LeadRecord, rows: readonly Row[]): Move[] {
  const moves: Move[] = [];
  const add = (move: MoveName, to: LeadStatus, rest: Omit<Move, "move" | "from" | "to">) =>
    moves.push({ move, from: moves.at(-1)?.to ?? null, to, ...rest });
  const team = (row: Row) =>
    row.team_id === null ? null : { id: row.team_id as number, name: row.team_name as string | null };
  for (const row of rows) {
    const by = timers.includes(row.kind as string) ? timer : presentMaker(row.made_by, row.by_name);
    if (row.kind === "created") {
      add("created", "assignable", { at: computeCreatedAt(lead, rows), by, team: null, reason: null });
      continue;
    }
    const [move, to] = kinds[row.kind as string]!;
    add(move, to, { at: row.at as string, by, team: team(row), reason: readReason(row) });
  }
  // An acceptance with an activity is final: nothing moves the lead afterwards.
  const last = rows.findLast((row) => row.first_activity_at !== null);
  if (last) {
    add("first_activity", "accepted", {
      at: last.first_activity_at as string,
      by: presentMaker(last.first_activity_by, last.first_name),
      team: team(last),
      reason: null,
    });
  }
  return moves;
}

const timer: MadeBy = { type: "timer", id: null, name: null };

function presentMaker(id: Row[string] | undefined, name: Row[string] | undefined): MadeBy {
  if (typeof id !== "number") return { type: "unknown", id: null, name: null };
  return { type: "user", id, name: (name ?? null) as string | null };
}

/**
 * When the lead was made; `created_at` of the record can be backdated. An id may be a little ahead of its moment. A
 * first move from long before it was made after a clock was set back.
 */
function computeCreatedAt({ row }: LeadRecord, [, first]: readonly Row[]): string {
  const made = readTimeOfId(row.id);
  const at = formatTimestamp(made);
  const isAhead = first && (first.at as string) < at &&
    (first.at as string) >= formatTimestamp(made - rollbackAllowanceMs);
  return isAhead ? first.at as string : at;
}

function readReason({ rejection_reason, escalation_type }: Row): string | null {
  if (escalation_type !== null) return `escalation_${escalation_type}`;
  return rejection_reason as string | null;
}

export interface Next {
  readonly move: "escalated" | "revoked" | "expired";
  readonly at: string;
  readonly rule: CountdownRule | "call" | "expires_at";
  readonly why: string;
}

/** Returns what happens next without anybody's doing; null: nothing. */
export function predictNext({ row }: LeadRecord): Next | null {
  const { escalates_at, expires_at } = row;
  // At its end the lead is gone, and nothing else happens in that moment.
  if (expires_at !== null && (escalates_at === null || expires_at <= escalates_at)) {
    return {
      move: "expired",
      at: expires_at,
      rule: "expires_at",
      why: "The lead ends then: it was made with this end.",
    };
  }
  const countdown = countdownOf[row.state];
  if (escalates_at === null || countdown === undefined) return null;
  const lacks = countdown === "accept"
    ? "nobody has accepted it by then"
    : "its case has had no activity by then";
  if (row.status === "called") {
    return {
      move: "revoked",
      at: escalates_at,
      rule: "call",
      why: `The agency has called its team, and takes the lead back if ${lacks}.`,
    };
  }
  const rule = `escalation_${countdown}` as const;
  return { move: "escalated", at: escalates_at, rule, why: `Its lead type lets it escalate if ${lacks}.` };
}
