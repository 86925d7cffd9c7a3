import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { type Reply, startApp } from "../support/app.ts";
import { overtakeReads } from "../support/race.ts";
import { act, hour, put, tick, ways } from "./leads_states.ts";
import { makeSales, nameFields, readField, type World } from "./leads_world.ts";

/** The status that clients see for each state. */
const shows: Record<string, string> = {
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

/** The transitions of each state; any other is rejected. */
const promised: Record<string, Record<string, string>> = {
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

const calls: Record<
  string,
  (world: World, id: string) => Promise<Reply>
> = {
  assign: (world, id) => put(world, "agent", id, "/assign", { team_id: world.dealer }),
  accept: (world, id) => put(world, "admin", id, "/accept", { user_id: world.member.id }),
  reject: (world, id) => put(world, "admin", id, "/reject", { rejection_reason: "Too far" }),
  call: (world, id) => put(world, "agent", id, "/call"),
  update: (world, id) => put(world, "admin", id, "", { interest: "Van" }),
};

for (const [state, transitions] of Object.entries(promised)) {
  Deno.test(`a lead that is ${state}: each transition follows the table, and any other changes nothing`, async () => {
    await using app = await startApp();
    const place = await makeSales(app);
    for (const [move, call] of Object.entries(calls)) {
      const id = await ways[state]!(place);
      const before = await place.admin.call("GET", `/v1/leads/${id}`);
      assert.equal(await readState(place, id), state);
      assert.equal(before.body.status, shows[state], state);
      const events = await place.events();
      const answer = await call(place, id);
      const after = await place.admin.call("GET", `/v1/leads/${id}`);
      const next = transitions[move];
      if (next === undefined) {
        assert.equal(answer.status, 409, `${move}: ${answer.text}`);
        assert.equal(answer.body.code, "lead_state");
        assert.equal(after.text, before.text, move);
        assert.equal(await place.events(), events, move);
      } else {
        assert.equal(answer.status, move === "assign" ? 201 : 200, answer.text);
        assert.equal(after.body.status, shows[next], move);
        assert.equal(after.text, answer.text, move);
        assert.equal(await readState(place, id), next, move);
      }
    }
  });

  Deno.test(`a lead that is ${state}: the timer changes it only if a countdown runs`, async () => {
    await using app = await startApp();
    const place = await makeSales(app);
    const id = await ways[state]!(place);
    const before = await place.admin.call("GET", `/v1/leads/${id}`);
    const events = await place.events();
    app.clock.move(1000 * hour);
    const moved = await tick(place);
    const after = await place.admin.call("GET", `/v1/leads/${id}`);
    const next = transitions.due;
    assert.equal(moved, next ? 1 : 0);
    assert.equal(after.body.status, shows[next ?? state]);
    // Its case changes too.
    const sent = before.body.case_id === null ? 1 : 2;
    assert.equal(await place.events(), events + (next ? sent : 0));
    if (!next) assert.equal(after.text, before.text);
    assert.equal(await tick(place), 0, "once is enough");
  });
}

async function readState({ app }: World, id: string): Promise<unknown> {
  const [row] = await app.sql("select state from leads where id = ?", id);
  return row!.state;
}

Deno.test("the first activity makes the acceptance final in the states of the table, and in no other", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  for (const [state, transitions] of Object.entries(promised)) {
    const id = await ways[state]!(place);
    const before = await place.admin.call("GET", `/v1/leads/${id}`);
    if (before.body.case_id === null) continue;
    app.clock.move(60_000);
    assert.equal((await act(place, id)).status, 201);
    const after = await place.admin.call("GET", `/v1/leads/${id}`);
    assert.equal(await readState(place, id), transitions.first_activity ?? state);
    const [acception] = after.body.acceptions;
    if (transitions.first_activity) {
      assert.equal(after.body.escalates_at, null);
      assert.equal(acception.first_activity_at, after.body.updated_at);
    } else assert.deepEqual(acception, before.body.acceptions[0]);
  }
});

Deno.test("a transition shows the present state of other records, not that of its reads", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const nameContact = (name: string) => ({ fixed_fields: nameFields({ name }) });
  const account = await sales.admin.call("POST", "/v1/accounts", {
    ...nameContact("Old"),
    team_id: sales.dealer,
  });
  const readEvent = async (lead: Promise<Response>) => {
    const reply = await lead;
    const shown = await reply.json();
    assert.ok(reply.ok, JSON.stringify(shown));
    assert.equal(readField(shown.original_account, "name"), "New");
    const read = await sales.admin.call("GET", `/v1/leads/${shown.id}`);
    assert.deepEqual(read.body, shown);
    const [event] = await app.sql(
      "select event_name from outbox where entity_id = ? order by sequence desc limit 1",
      shown.id,
    );
    await sales.admin.call("PUT", `/v1/accounts/${account.body.id}`, nameContact("Old"));
    return event!.event_name;
  };
  const late = (method: string, path: string, body: object) => {
    const meanwhile = () => sales.admin.call("PUT", `/v1/accounts/${account.body.id}`, nameContact("New"));
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: { Authorization: `Bearer ${sales.admin.token}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return Promise.resolve(
      createApp({ ...app.deps, db: overtakeReads(app.deps.db, meanwhile) }).fetch(request),
    );
  };
  const embedding = sales.body({ account: undefined, account_id: account.body.id });
  assert.equal(await readEvent(late("POST", "/v1/leads", embedding)), "lead_assigned");
  const path = async () => `/v1/leads/${(await sales.lead(embedding)).id}`;
  assert.equal(await readEvent(late("PUT", await path(), { interest: "Estate" })), "lead_updated");
  const rejection = { rejection_reason: "Bought elsewhere" };
  assert.equal(await readEvent(late("PUT", `${await path()}/reject`, rejection)), "lead_rejected");
  const taken = { user_id: sales.member.id };
  await readEvent(late("PUT", `${await path()}/accept`, taken));
});
