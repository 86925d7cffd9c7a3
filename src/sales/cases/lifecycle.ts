/**
 * The states of a case as a table, and the status of its contact. Pure. A transition that is not in the table
 * throws 409 `case_state`.
 */
import { conflict } from "../../core/errors.ts";

export const storedCaseStatuses = ["open", "closed", "declined"] as const;
export type CaseStatus = (typeof storedCaseStatuses)[number];

/** An activity whose types set no status, one whose type sets a status, and a decline. */
export const caseTransitions = ["activity", "set_open", "set_closed", "set_declined", "decline"] as const;
export type CaseTransition = (typeof caseTransitions)[number];

export const nextCaseStatuses: Readonly<
  Record<CaseStatus, Readonly<Partial<Record<CaseTransition, CaseStatus>>>>
> = {
  open: {
    activity: "open",
    set_open: "open",
    set_closed: "closed",
    set_declined: "declined",
    decline: "declined",
  },
  closed: { set_open: "open" },
  declined: { set_open: "open" },
};

/** Returns the next status. Throws 409 `case_state`. */
export function moveCase(status: CaseStatus, move: CaseTransition): CaseStatus {
  const next = nextCaseStatuses[status][move];
  if (next !== undefined) return next;
  if (move === "decline") throw conflict("case_state", `A case that is ${status} cannot be declined.`);
  throw conflict("case_state", `A case that is ${status} takes only an activity that opens it again.`);
}

/** The transition of an activity, by the status that its types set. */
export function chooseCaseTransition(setStatus: string | null): CaseTransition {
  if (setStatus === null) return "activity";
  return `set_${setStatus as CaseStatus}`;
}

export type ContactStatus = "lead" | "opportunity" | "customer";

/** A contact becomes an opportunity with a case and a customer when a case closes. It never steps back. */
export function chooseContactStatus(before: string, caseStatus: CaseStatus): ContactStatus {
  if (before === "customer" || caseStatus === "closed") return "customer";
  return "opportunity";
}

/**
 * The sort keys of lists. `important`, ascending: cases without activity first, oldest first, then by latest
 * activity. `recent`, descending: open, closed, declined; in each the newest activity first, then the last
 * change.
 */
export function sortKeys(of: {
  readonly status: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly latest_activity_at: string | null;
}): { important_key: string; recent_key: string } {
  const { latest_activity_at: latest } = of;
  return {
    important_key: latest === null ? `0 ${of.created_at}` : `1 ${latest}`,
    recent_key: `${rankStatus(of.status)} ${latest ?? never} ${of.updated_at}`,
  };
}

/** The range of `recent_key` for the cases of a status. */
export function recentRange(status: CaseStatus): [from: string, below: string] {
  return [`${rankStatus(status)} `, `${rankStatus(status) + 1} `];
}

function rankStatus(status: string): number {
  return storedCaseStatuses.length - storedCaseStatuses.indexOf(status as CaseStatus);
}

const never = "0000-00-00 00:00:00";
