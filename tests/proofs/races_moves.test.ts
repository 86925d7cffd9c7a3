import assert from "node:assert/strict";
import { type Actor, type Body, type Reply, send, startApp } from "../support/app.ts";
import { withTwoProcesses } from "../support/race.ts";
import { ways } from "../sales/leads_states.ts";
import { makeSales, type World } from "../sales/leads_world.ts";

/** An action that twenty callers try on one record and that succeeds once. */
interface Race {
  /** Creates the record in the right state. */
  readonly ready: (place: World) => Promise<{ id: string; body?: Body }>;
  /** The call of each caller. */
  readonly call: (place: World, n: number) => { by: Actor; method: string; verb: string; body?: Body };
  readonly path: "leads" | "cases";
  readonly code: "lead_state" | "case_state";
  /** The events that the successful call may cause. */
  readonly events: readonly string[];
}

const lead = (state: string) => async (place: World) => ({ id: await ways[state]!(place) });
/** Creates an open case. Returns its id, and the body of an activity that closes it. */
const openCase = async (place: World) => {
  const accepted = await ways.accepted!(place);
  const { body: { case_id } } = await place.admin.call("GET", `/v1/leads/${accepted}`);
  const { body } = await place.admin.call("GET", `/v1/cases/${case_id}`);
  return { id: case_id, body: { activity_type_ids: [body.milestones[1].id] } };
};
const rejection = { rejection_reason: "Too far" };

const races: Record<string, Race> = {
  "assigning a lead": {
    ready: lead("assignable"),
    call: ({ agent, admin, dealer, agency }, n) => ({
      by: n % 3 === 0 ? admin : agent,
      method: "PUT",
      verb: n % 2 === 0 ? "/assign" : `/assign/${dealer}`,
      body: n % 4 === 0 ? { team_id: n % 3 === 0 ? dealer : agency } : { team_id: dealer },
    }),
    path: "leads",
    code: "lead_state",
    events: ["lead_assigned"],
  },
  "accepting and rejecting a lead": {
    ready: lead("assigned"),
    call: ({ admin, member }, n) =>
      n % 2 === 0
        ? { by: n % 3 === 0 ? admin : member, method: "PUT", verb: "/accept", body: { user_id: member.id } }
        : { by: n % 3 === 0 ? admin : member, method: "PUT", verb: "/reject", body: rejection },
    path: "leads",
    code: "lead_state",
    events: ["lead_accepted", "lead_rejected"],
  },
  "calling a team": {
    ready: lead("escalated"),
    call: ({ admin, agent }, n) => ({ by: n % 3 === 0 ? admin : agent, method: "PUT", verb: "/call" }),
    path: "leads",
    code: "lead_state",
    events: ["lead_updated"],
  },
  "closing a case": {
    ready: openCase,
    call: ({ admin, member }, n) => ({
      by: n % 3 === 0 ? admin : member,
      method: "POST",
      verb: "/activities",
    }),
    path: "cases",
    code: "case_state",
    events: ["case_updated"],
  },
  "closing and declining a case": {
    ready: openCase,
    call: ({ admin, member }, n) => ({
      by: n % 3 === 0 ? admin : member,
      ...(n % 2 === 0
        ? { method: "POST", verb: "/activities" }
        : { method: "PUT", verb: "/decline", body: { reason: "Too dear" } }),
    }),
    path: "cases",
    code: "case_state",
    events: ["case_updated", "case_declined"],
  },
};

Deno.test("of twenty equal calls on one lead or case over two processes one succeeds and the others are refused", async (t) => {
  await using app = await startApp();
  const place = await makeSales(app);
  const traces = async (id: string) => {
    const [row] = await app.sql(
      "select (select json_group_array(event_name order by sequence) from outbox where entity_id = ?1) as events, " +
        "(select count(*) from lead_transitions where lead_id = ?1) + " +
        "(select count(*) from case_status_changes where case_id = ?1) as deeds",
      id,
    );
    return { events: JSON.parse(String(row!.events)), deeds: Number(row!.deeds) };
  };
  await withTwoProcesses("tests/sweep/server.ts", app, async (urls) => {
    for (const [name, race] of Object.entries(races)) {
      await t.step(name, async () => {
        for (let round = 0; round < 5; round++) {
          const { id, body: ownBody } = await race.ready(place);
          const before = await traces(id);
          const replies: Reply[] = await Promise.all(Array.from({ length: 20 }, (_, n) => {
            const { by, method, verb, body = ownBody } = race.call(place, n);
            return send(`${urls[n % 2]}/v1/${race.path}/${id}${verb}`, method, by.token, body);
          }));
          const reported = replies.map((
            { status, body },
          ) => (status < 300 ? "done" : `${status} ${body.code}`));
          assert.deepEqual(reported.sort(), [...Array(19).fill(`409 ${race.code}`), "done"]);
          const { events, deeds } = await traces(id);
          assert.equal(deeds, before.deeds + 1);
          assert.equal(events.length, before.events.length + 1);
          assert.ok(race.events.includes(events.at(-1)), events.at(-1));
        }
      });
    }
  });
});
