/** An independent model of leads: the result of each move, and the end of each countdown. */

export type State =
  | "assignable"
  | "assigned"
  | "rejected"
  | "accepted"
  | "final"
  | "escalated"
  | "escalated_later"
  | "called"
  | "called_later"
  | "revoked";
export type Move = "assign" | "accept" | "reject" | "call" | "due" | "activity" | "update";

const life: Readonly<Record<State, Partial<Record<Move, State>>>> = {
  assignable: { assign: "assigned", update: "assignable" },
  assigned: { accept: "accepted", reject: "rejected", due: "escalated", update: "assigned" },
  rejected: { assign: "assigned", update: "rejected" },
  accepted: { due: "escalated_later", activity: "final" },
  final: {},
  escalated: { accept: "accepted", reject: "rejected", call: "called", update: "escalated" },
  escalated_later: { call: "called_later", activity: "final" },
  called: { accept: "accepted", reject: "rejected", due: "revoked", update: "called" },
  called_later: { due: "revoked", activity: "final" },
  revoked: { assign: "assigned", update: "revoked" },
};

/** Minutes until the countdown of a state ends. */
const minutes: Partial<Record<State, number>> = {
  assigned: 60,
  called: 60,
  accepted: 120,
  called_later: 120,
};

export class LeadLife {
  state: State;
  /** The end of the countdown in epoch milliseconds; null when no countdown runs. */
  due: number | null = null;

  constructor(state: State, now: number) {
    this.state = state;
    this.#enter(state, now);
  }

  allows(move: Move): boolean {
    return move in life[this.state];
  }

  move(move: Move, now: number): void {
    const next = life[this.state][move];
    if (next === undefined || (move === "update")) return;
    this.#enter(next, now);
  }

  /** The status that clients read. */
  get status(): string {
    return this.state === "final" ? "accepted" : this.state.replace("_later", "");
  }

  #enter(state: State, now: number): void {
    this.state = state;
    const span = minutes[state];
    this.due = span === undefined ? null : now + span * 60_000;
  }
}
