/** What explanations say of leads. */
import assert from "node:assert/strict";
import { hour, put, tick, ways } from "../sales/leads_states.ts";
import { makeSales, type World } from "../sales/leads_world.ts";
import { type Actor, type Body, startApp } from "../support/app.ts";

const explain = async (actor: Actor, id: string): Promise<Body> => {
  const answer = await actor.call("GET", `/v1/leads/${id}/explain`);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.lead_id, id);
  return answer.body;
};

/** Lets every countdown run out. */
async function runOut(place: World): Promise<void> {
  place.app.clock.move(24 * hour);
  await tick(place);
}

Deno.test("a lead's moves say who made them, for which team and why, and what is next", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, agent, member, dealer, agency } = place;
  const readName = async ({ id }: Actor) => {
    const [row] = await app.sql(
      "select trim(first_name || ' ' || last_name) as name from users where id = ?",
      id,
    );
    return row!.name;
  };
  const by = async (actor: Actor) => ({ type: "user", id: actor.id, name: await readName(actor) });
  const timer = { type: "timer", id: null, name: null };
  const [team] = await app.sql("select id, name from teams where id = ?", dealer);
  const lead = await admin.call("POST", "/v1/leads", {
    ...place.body({ team_id: undefined, agency_team_id: agency }),
  });
  assert.equal(lead.status, 201, lead.text);
  const { id } = lead.body;
  const created = {
    move: "created",
    from: null,
    to: "assignable",
    at: lead.body.created_at,
    by: await by(admin),
    team: null,
    reason: null,
  };
  assert.deepEqual(await explain(admin, id), {
    lead_id: id,
    status: "assignable",
    moves: [created],
    next: null,
  });

  app.clock.move(hour);
  await put(place, "agent", id, "/assign", { team_id: dealer, user_id: member.id });
  const assigned = await explain(member, id);
  assert.deepEqual(assigned.moves.at(-1), {
    move: "assigned",
    from: "assignable",
    to: "assigned",
    at: "2026-03-02 10:00:00",
    by: await by(agent),
    team,
    reason: null,
  });
  assert.deepEqual(assigned.next, {
    move: "escalated",
    at: (await admin.call("GET", `/v1/leads/${id}`)).body.escalates_at,
    rule: "escalation_accept",
    why: "Its lead type lets it escalate if nobody has accepted it by then.",
  });

  await runOut(place);
  const escalated = await explain(admin, id);
  assert.deepEqual([escalated.status, escalated.next], ["escalated", null]);
  await put(place, "agent", id, "/call");
  assert.equal((await explain(admin, id)).next.rule, "call");
  assert.equal((await explain(admin, id)).next.move, "revoked");
  await runOut(place);
  await put(place, "agent", id, "/assign", { team_id: dealer });
  // By somebody else than the responsible person.
  const accepted = await put(place, "admin", id, "/accept", { user_id: member.id });
  assert.equal(accepted.status, 200, accepted.text);
  assert.equal((await explain(admin, id)).next.rule, "escalation_activity");
  const path = (await admin.call("GET", `/v1/relations-paths/${place.path}`)).body;
  const activity = await member.call("POST", `/v1/cases/${accepted.body.case_id}/activities`, {
    activity_type_ids: [path.activity_types.milestones[0].id],
  });
  assert.equal(activity.status, 201, activity.text);
  const whole = await explain(admin, id);
  assert.deepEqual(
    whole.moves.map(({ move, from, to }: Body) => `${move} ${from} ${to}`),
    [
      "created null assignable",
      "assigned assignable assigned",
      "escalated assigned escalated",
      "called escalated called",
      "revoked called revoked",
      "assigned revoked assigned",
      "accepted assigned accepted",
      "first_activity accepted accepted",
    ],
  );
  assert.deepEqual(
    whole.moves.map(({ by }: Body) => by),
    await Promise.all([by(admin), by(agent), timer, by(agent), timer, by(agent), by(admin), by(member)]),
  );
  assert.deepEqual(
    whole.moves.map(({ reason }: Body) => reason),
    [null, null, "escalation_accept", null, "escalation_accept", null, null, null],
  );
  assert.equal(whole.next, null);
});

Deno.test("a lead made with a team is created and assigned at once; a rejection has its reason; the end comes first", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, member } = place;
  const lead = await place.lead({ expires_at: "2026-03-02 09:30:00" });
  const { moves, next } = await explain(admin, lead.id);
  assert.deepEqual(moves.map(({ move, to, at }: Body) => [move, to, at]), [
    ["created", "assignable", "2026-03-02 09:00:00"],
    ["assigned", "assigned", "2026-03-02 09:00:00"],
  ]);
  assert.deepEqual([next.move, next.at, next.rule], ["expired", "2026-03-02 09:30:00", "expires_at"]);
  await put(place, "member", lead.id, "/reject", { rejection_reason: "Too far" });
  const rejected = (await explain(admin, lead.id)).moves.at(-1);
  assert.deepEqual([rejected.move, rejected.by.id, rejected.reason], ["rejected", member.id, "Too far"]);

  // What an earlier version recorded.
  await app.deps.db.write([{
    sql: "update lead_transitions set made_by = null where lead_id = ?",
    args: [lead.id],
  }]);
  const unknown = (await explain(admin, lead.id)).moves.map(({ by }: Body) => by.type);
  assert.deepEqual(unknown, ["user", "unknown", "user"]);

  const stranger = await place.company.user({ teams: [await place.company.team()] });
  assert.equal((await stranger.call("GET", `/v1/leads/${lead.id}/explain`)).status, 404);
  app.clock.move(2 * hour);
  await tick(place);
  assert.equal((await admin.call("GET", `/v1/leads/${lead.id}/explain`)).status, 404);
});

Deno.test("every state's next is what the timer then does", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  for (const [state, way] of Object.entries(ways)) {
    const id = await way!(place);
    const { next, status, moves } = await explain(place.admin, id);
    assert.equal(moves.at(-1).to, status, state);
    await runOut(place);
    const after = await explain(place.admin, id);
    if (next === null) assert.deepEqual(after.moves, moves, state);
    else {
      const { move, at } = after.moves.at(-1);
      assert.deepEqual([move, after.moves.length], [next.move, moves.length + 1], state);
      assert.ok(at >= next.at, state);
    }
  }
});

Deno.test("a lead was made when it was made, also when its first move is of before, since a clock was set back", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, dealer, agency } = place;
  app.clock.move(10 * hour);
  const { id, created_at } = await place.lead({ team_id: undefined, agency_team_id: agency });
  app.clock.move(-hour);
  await put(place, "agent", id, "/assign", { team_id: dealer });
  const { moves } = await explain(admin, id);
  assert.deepEqual(moves.map(({ at }: Body) => at), [created_at, "2026-03-02 18:00:00"]);
});
