import assert from "node:assert/strict";
import { Problem } from "../../src/core/errors.ts";
import {
  countdownOf,
  escalatesAt,
  leadMoves,
  moveLead,
  states,
  statusOf,
} from "../../src/sales/leads/lifecycle.ts";

/** The specified transitions: a line for each state, a column for each transition; `-` is rejected. */
const promised = `
  state                       assign    accept    reject    call                     due                         first_activity  update
  assignable                  assigned  -         -         -                        -                           -               assignable
  assigned                    -         accepted  rejected  -                        escalated                   -               assigned
  rejected                    assigned  -         -         -                        -                           -               rejected
  accepted                    -         -         -         -                        escalated_after_acceptance  accepted_final  -
  accepted_final              -         -         -         -                        -                           -               -
  escalated                   -         accepted  rejected  called                   -                           -               escalated
  escalated_after_acceptance  -         -         -         called_after_acceptance  -                           accepted_final  -
  called                      -         accepted  rejected  -                        revoked                     -               called
  called_after_acceptance     -         -         -         -                        revoked                     accepted_final  -
  revoked                     assigned  -         -         -                        -                           -               revoked
`;

Deno.test("each transition from each state gives the state of the table, or lead_state", () => {
  const [head, ...rows] = promised.trim().split("\n").map((line) => line.trim().split(/\s+/));
  assert.deepEqual(head!.slice(1), [...leadMoves]);
  assert.deepEqual(rows.map(([state]) => state), [...states]);
  for (const [index, state] of states.entries()) {
    for (const [column, move] of leadMoves.entries()) {
      const next = rows[index]![column + 1]!;
      if (next === "-") {
        assert.throws(
          () => moveLead(state, move),
          (error) => error instanceof Problem && error.code === "lead_state",
        );
      } else assert.equal(moveLead(state, move), next, `${state} ${move}`);
    }
  }
});

Deno.test("clients see the seven documented statuses", () => {
  assert.deepEqual(states.map((state) => statusOf[state]), [
    "assignable",
    "assigned",
    "rejected",
    "accepted",
    "accepted",
    "escalated",
    "escalated",
    "called",
    "called",
    "revoked",
  ]);
});

Deno.test("a countdown runs exactly in the states that a timer can leave", () => {
  const left = states.filter((state) => {
    try {
      return moveLead(state, "due") !== undefined;
    } catch {
      return false;
    }
  });
  assert.deepEqual(Object.keys(countdownOf).sort(), left.sort());
});

const rules = { escalation_accept: 60, escalation_activity: 120, escalation_ignore_weekends: 0 };
const now = Date.parse("2026-01-30T22:30:00Z"); // a Friday

Deno.test("accepting replaces the countdown; a call restarts the one that had run out", () => {
  assert.equal(escalatesAt("assigned", rules, "UTC", now), "2026-01-30 23:30:00");
  assert.equal(escalatesAt("accepted", rules, "UTC", now), "2026-01-31 00:30:00");
  assert.equal(escalatesAt("called", rules, "UTC", now), "2026-01-30 23:30:00");
  assert.equal(escalatesAt("called_after_acceptance", rules, "UTC", now), "2026-01-31 00:30:00");
  for (const state of ["assignable", "rejected", "accepted_final", "escalated", "revoked"] as const) {
    assert.equal(escalatesAt(state, rules, "UTC", now), null, state);
  }
});

Deno.test("a type without minutes has no countdown", () => {
  const never = { escalation_accept: null, escalation_activity: null, escalation_ignore_weekends: 0 };
  for (const state of states) assert.equal(escalatesAt(state, never, "UTC", now), null);
});

Deno.test("weekends in the team's time zone do not count when the type ignores them", () => {
  const weekdays = { ...rules, escalation_ignore_weekends: 1 };
  assert.equal(escalatesAt("accepted", weekdays, "UTC", now), "2026-02-02 00:30:00");
  // In New York it is still Friday afternoon.
  assert.equal(escalatesAt("accepted", weekdays, "America/New_York", now), "2026-01-31 00:30:00");
  // In Tokyo it is Saturday morning already; Monday begins there on Sunday at 15:00 UTC.
  assert.equal(escalatesAt("accepted", weekdays, "Asia/Tokyo", now), "2026-02-01 17:00:00");
});

Deno.test("a countdown counts from the second that the record shows", () => {
  assert.equal(escalatesAt("assigned", rules, "UTC", now + 999), "2026-01-30 23:30:00");
});
