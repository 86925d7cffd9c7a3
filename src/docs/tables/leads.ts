/** The life of a lead, from its transition table. */
import {
  countdownOf,
  leadMoves,
  nextLeadStates,
  type State,
  states,
  statusOf,
} from "../../sales/leads/lifecycle.ts";
import { renderMarkdownTable } from "../content.ts";

const labels: Readonly<Record<State, string>> = {
  assignable: "assignable",
  assigned: "assigned",
  rejected: "rejected",
  accepted: "accepted, no activity yet",
  accepted_final: "accepted, final",
  escalated: "escalated, not accepted",
  escalated_after_acceptance: "escalated after acceptance",
  called: "called, not accepted",
  called_after_acceptance: "called after acceptance",
  revoked: "revoked",
};

const headings = {
  assign: "assign",
  accept: "accept",
  reject: "reject",
  call: "call",
  due: "countdown ends",
  first_activity: "first case activity",
  update: "update",
};

/** Each state with the result of every move. An empty cell is 409 `lead_state`. */
export function renderMoveTable(): string {
  return renderMarkdownTable(
    ["State", "`status`", ...leadMoves.map((move) => headings[move])],
    states.map((state) => [
      labels[state],
      `\`${statusOf[state]}\``,
      ...leadMoves.map((move) => {
        const next = nextLeadStates[state][move];
        if (next === undefined) return "";
        return move === "update" ? "yes" : labels[next];
      }),
    ]),
  );
}

export function renderCountdownTable(): string {
  return renderMarkdownTable(
    ["State", "Countdown", "When it ends"],
    states.flatMap((state) => {
      const countdown = countdownOf[state];
      if (countdown === undefined) return [];
      const next = nextLeadStates[state].due;
      return [[
        labels[state],
        `\`escalation_${countdown}\``,
        next === undefined ? "" : labels[next],
      ]];
    }),
  );
}
