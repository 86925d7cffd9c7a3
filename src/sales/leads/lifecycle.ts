/**
 * The states of a lead as a table: the transitions out of each state, and the countdowns. Pure. A transition
 * that is not in the table throws 409 `lead_state`.
 */
import { conflict, type Problem } from "../../core/errors.ts";
import { computeCountdownEnd, formatTimestamp } from "../../core/time.ts";
import { joinSql, literal, type Sql, sql } from "../../db/statements.ts";

export const states = [
  "assignable",
  "assigned",
  "rejected",
  "accepted",
  "accepted_final",
  "escalated",
  "escalated_after_acceptance",
  "called",
  "called_after_acceptance",
  "revoked",
] as const;
export type State = (typeof states)[number];

export const leadStatuses = [
  "assignable",
  "assigned",
  "rejected",
  "accepted",
  "escalated",
  "called",
  "revoked",
] as const;
export type LeadStatus = (typeof leadStatuses)[number];

/** `due`: its countdown has run out. `first_activity`: the first activity of its case. */
export const leadMoves = [
  "assign",
  "accept",
  "reject",
  "call",
  "due",
  "first_activity",
  "update",
] as const;
export type LeadMove = (typeof leadMoves)[number];

/** `accepted` has had no activity yet; `accepted_final` can neither escalate nor be revoked. */
export const nextLeadStates: Readonly<Record<State, Readonly<Partial<Record<LeadMove, State>>>>> = {
  assignable: { assign: "assigned", update: "assignable" },
  assigned: { accept: "accepted", reject: "rejected", due: "escalated", update: "assigned" },
  rejected: { assign: "assigned", update: "rejected" },
  accepted: { due: "escalated_after_acceptance", first_activity: "accepted_final" },
  accepted_final: {},
  escalated: { accept: "accepted", reject: "rejected", call: "called", update: "escalated" },
  escalated_after_acceptance: { call: "called_after_acceptance", first_activity: "accepted_final" },
  called: { accept: "accepted", reject: "rejected", due: "revoked", update: "called" },
  called_after_acceptance: { due: "revoked", first_activity: "accepted_final" },
  revoked: { assign: "assigned", update: "revoked" },
};

/** The status that clients see for a state. */
export const statusOf: Readonly<Record<State, LeadStatus>> = {
  assignable: "assignable",
  assigned: "assigned",
  rejected: "rejected",
  accepted: "accepted",
  accepted_final: "accepted",
  escalated: "escalated",
  escalated_after_acceptance: "escalated",
  called: "called",
  called_after_acceptance: "called",
  revoked: "revoked",
};

/** SQL: whether a lead of the status is in one of the agency's lists. The partial indexes have the same text. */
export function awaitsAgency(status: Sql): Sql {
  return sql`${status} in ('assignable', 'rejected', 'escalated', 'revoked')`;
}

/** The states in which no team has accepted the lead, or no longer has: a change of the lead is still possible. */
const notAccepted = states.filter((state) => nextLeadStates[state].update !== undefined);

/** The states in which members of the lead's team may accept it. */
export const acceptable = states.filter((state) => nextLeadStates[state].accept !== undefined);

/** SQL: whether nobody has accepted a lead in the state. A partial index has the same text. */
export function isNotAccepted(state: Sql): Sql {
  return isInStates(state, notAccepted);
}

/** SQL: whether members of its team may accept a lead in the state. */
export function isAcceptable(state: Sql): Sql {
  return isInStates(state, acceptable);
}

function isInStates(state: Sql, among: readonly State[]): Sql {
  return sql`${state} in (${joinSql(among.map((each) => literal(each)), ", ")})`;
}

/** The countdown that runs in a state: for the team to accept, or for the case's first activity. */
export type Countdown = "accept" | "activity";

export const countdownOf: Readonly<Partial<Record<State, Countdown>>> = {
  assigned: "accept",
  accepted: "activity",
  called: "accept",
  called_after_acceptance: "activity",
};

/** The countdowns of a lead type in minutes; null means none. */
export interface CountdownRules {
  readonly escalation_accept: number | null;
  readonly escalation_activity: number | null;
  /** 1: Saturdays and Sundays in the team's time zone do not count. */
  readonly escalation_ignore_weekends: number;
}

/** Returns the next state. Throws 409 `lead_state`. */
export function moveLead(state: State, move: LeadMove): State {
  const next = nextLeadStates[state][move];
  if (next === undefined) throw makeStateProblem(state, move);
  return next;
}

/**
 * Returns the end of the countdown that starts on entering the state, as a timestamp; null where none runs.
 * It counts from the second that the record shows.
 */
export function escalatesAt(
  entered: State,
  rules: CountdownRules,
  timeZone: string,
  now: number,
): string | null {
  const countdown = countdownOf[entered];
  if (countdown === undefined) return null;
  const minutes = countdown === "accept" ? rules.escalation_accept : rules.escalation_activity;
  if (minutes === null) return null;
  const from = Math.floor(now / 1000) * 1000;
  const ignoreWeekends = rules.escalation_ignore_weekends === 1;
  return formatTimestamp(computeCountdownEnd(from, minutes, { ignoreWeekends, timeZone }));
}

const words: Readonly<Record<LeadMove, string>> = {
  assign: "be assigned",
  accept: "be accepted",
  reject: "be rejected",
  call: "be called",
  due: "run out",
  first_activity: "have its first activity",
  update: "be changed",
};

function makeStateProblem(state: State, move: LeadMove): Problem {
  return conflict("lead_state", `A lead that is ${statusOf[state]} cannot ${words[move]} now.`);
}
