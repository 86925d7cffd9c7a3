/** Explanations never say more than the record's own GET says to the same caller. */
import assert from "node:assert/strict";
import { hour, put, tick, ways } from "../sales/leads_states.ts";
import { makeSales, type World } from "../sales/leads_world.ts";
import { type Actor, type Body, startApp } from "../support/app.ts";

/** One of each kind of user who may try. */
async function actors(place: World): Promise<Record<string, Actor>> {
  const { app, company, dealer, agency, admin, member, agent } = place;
  const group = await company.group();
  const [near, far] = [await company.team({ group_id: group }), await company.team()];
  const attached = await admin.call("PUT", `/v1/groups/${group}/teams/${dealer}`);
  assert.ok(attached.status < 300, attached.text);
  return {
    admin,
    member,
    agent,
    colleague: await company.user({ teams: [dealer] }),
    stranger: await company.user({ teams: [far] }),
    groupAdmin: await company.user({ type: "group_admin", teams: [near] }),
    teamAdmin: await company.user({ type: "team_admin", teams: [far] }),
    agentElsewhere: await company.user({ teams: [far], rights: ["agency"] }),
    memberOfAgency: await company.user({ teams: [agency] }),
    nobody: await company.user({ teams: [] }),
    foreignAdmin: (await app.company("Other")).admin,
  };
}

/** What GET shows of a lead's moves: its teams, people and reasons. */
function shownBy(lead: Body): Set<unknown> {
  const moves = ["rejections", "acceptions", "assignments", "escalations", "calls", "revocations"]
    .flatMap((name) => lead[name] as Body[]);
  return new Set([
    null,
    ...moves.flatMap((move) => [move.team_id, move.rejection_reason]),
    ...moves.map(({ escalation_type }) => escalation_type && `escalation_${escalation_type}`),
  ]);
}

Deno.test("who does not see a lead gets no explanation, and others no more than GET shows", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const all = await actors(place);
  const seen = new Map<string, number>();
  for (const [state, way] of Object.entries(ways)) {
    const id = await way!(place);
    for (const [name, actor] of Object.entries(all)) {
      const path = `/v1/leads/${id}`;
      const [own, explained] = [await actor.call("GET", path), await actor.call("GET", `${path}/explain`)];
      assert.equal(explained.status, own.status, `${name} ${state}`);
      assert.equal((await actor.call("HEAD", `${path}/explain`)).status, own.status, `${name} ${state}`);
      if (own.status !== 200) {
        assert.deepEqual([own.status, explained.body.code], [404, "not_found"], `${name} ${state}`);
        continue;
      }
      seen.set(name, (seen.get(name) ?? 0) + 1);
      const shown = shownBy(own.body);
      for (const { team, reason } of explained.body.moves) {
        assert.ok(shown.has(team?.id ?? null) && shown.has(reason), `${name} ${state} ${team?.id} ${reason}`);
      }
      assert.equal(explained.body.status, own.body.status);
      const at = explained.body.next?.at ?? null;
      assert.ok([own.body.escalates_at, own.body.expires_at, null].includes(at), `${name} ${state} ${at}`);
    }
  }
  for (const name of ["stranger", "teamAdmin", "nobody", "foreignAdmin"]) {
    assert.equal(seen.get(name), undefined, name);
  }
  for (const name of ["admin", "agent", "member", "colleague", "groupAdmin"]) assert.ok(seen.get(name), name);
});

Deno.test("a lead that moved on to another team is explained to those who see it now", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { member, agent, company } = place;
  const later = await company.team({ team_type: "dealer" });
  const next = await company.user({ teams: [later] });
  const { id } = await place.lead();
  const path = `/v1/leads/${id}/explain`;
  assert.equal((await member.call("GET", path)).status, 200);
  await put(place, "member", id, "/reject", { rejection_reason: "Too far" });
  assert.equal((await put(place, "agent", id, "/assign", { team_id: later })).status, 201);
  assert.equal((await member.call("GET", path)).status, 404, "who has lost the lead");
  assert.equal((await next.call("GET", path)).status, 200);
  const taken = await company.admin.call("PUT", `/v1/companies/${company.id}/users/${agent.id}`, {
    team_ids: [],
  });
  assert.equal(taken.status, 200, taken.text);
  assert.equal((await agent.call("GET", path)).status, (await agent.call("GET", `/v1/leads/${id}`)).status);
  app.clock.move(4 * hour);
  await tick(place);
  assert.equal((await next.call("GET", path)).status, (await next.call("GET", `/v1/leads/${id}`)).status);
});

Deno.test("only admins ask about access: whether a record or a user is there is for nobody else", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, member, company } = place;
  const all = await actors(place);
  const { id } = await place.lead();
  const foreign = await app.company("Third");
  const asked = [
    [member.id, "leads", id],
    [foreign.admin.id, "leads", id],
    [999_999, "leads", id],
    [member.id, "leads", crypto.randomUUID()],
    [member.id, "notes", 1],
    [member.id, "products", id],
  ].map(([user_id, entity, of]) => `/v1/access/explain?user_id=${user_id}&entity=${entity}&id=${of}`);
  const answers = new Set<string>();
  for (const [name, actor] of Object.entries(all)) {
    if (name === "admin" || name === "foreignAdmin") continue;
    for (const path of [...asked, "/v1/access/explain"]) {
      const { status, body } = await actor.call("GET", path);
      answers.add(`${status} ${body.code} ${body.detail}`);
    }
  }
  assert.deepEqual([...answers], ["403 forbidden The right admin is missing."]);
  // An admin of another company gets for what is there what they get for what is not.
  const { foreignAdmin } = all;
  const without = (body: Body) => ({ ...body, request_id: null });
  const theirs = [asked[0]!, asked[2]!].map((path) => foreignAdmin!.call("GET", path));
  const [known, unknown] = await Promise.all(theirs);
  assert.deepEqual([known!.status, without(known!.body)], [422, without(unknown!.body)]);
  const own = (of: string) =>
    foreignAdmin!.call("GET", `/v1/access/explain?user_id=${foreignAdmin!.id}&entity=leads&id=${of}`);
  const [there, gone] = [await own(id), await own(crypto.randomUUID())];
  assert.deepEqual([there.status, without(there.body)], [404, without(gone.body)]);
  assert.equal((await admin.call("GET", asked[1]!)).status, 422);
  assert.equal((await company.admin.call("GET", asked[0]!)).status, 200);
});
