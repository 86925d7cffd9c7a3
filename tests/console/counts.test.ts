/** `GET /me/counts`, by a model that reads lists and single records. */
import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { copy } from "../customers/deletion_world.ts";
import { hour, put, tick, ways } from "../sales/leads_states.ts";
import { makeSales } from "../sales/leads_world.ts";

const waitingLists = ["assignable", "rejected", "escalated", "called", "revoked"] as const;

/** What the counts of the actor must be. `leads`: the ids of all leads; `teams`: those of the actor. */
async function predictCounts(
  actor: Actor,
  { leads, teams, isAdmin, zone, now }: {
    leads: readonly string[];
    teams: readonly number[];
    isAdmin: boolean;
    zone: string;
    now: number;
  },
) {
  const read = async (path: string): Promise<Body> => (await actor.call("GET", path)).body;
  const answers = await Promise.all(leads.map((id) => actor.call("GET", `/v1/leads/${id}`)));
  const seen: Body[] = answers.filter(({ status }) => status === 200).map(({ body }) => body);
  const isAccepted = (lead: Body) => lead.case_id !== null;
  const waiting = seen.filter((lead) =>
    ["assigned", "escalated", "called"].includes(lead.status) && !isAccepted(lead) &&
    (isAdmin || teams.includes(lead.team_id))
  );
  const open = (lead: Body) => lead.status !== "accepted" && (!isAccepted(lead) || lead.status === "revoked");
  const agency: Record<string, number> = {};
  for (const list of waitingLists) {
    const { status, body } = await actor.call("GET", `/v1/leads/${list}?per_page=1`);
    if (status === 200) agency[list] = body.pagination.total;
  }
  const tasks: Body[] = (await read(`/v1/tasks?per_page=100&users=${actor.id}`)).data;
  const date = (ms: number) => new Date(ms).toLocaleDateString("sv-SE", { timeZone: zone });
  const days = tasks.filter(({ status }) => status !== "completed").map(({ end_at }) => {
    const ends = Date.parse(`${end_at.replace(" ", "T")}Z`);
    return ends < now ? -1 : (Date.parse(date(ends)) - Date.parse(date(now))) / (24 * hour);
  });
  return {
    tasks: {
      overdue: days.filter((day) => day < 0).length,
      today: days.filter((day) => day === 0).length,
      week: days.filter((day) => day > 0 && day <= 7).length,
    },
    leads: {
      waiting: waiting.length,
      mine: seen.filter(({ user_id }) => user_id === actor.id).length,
      team: seen.filter((lead) => teams.includes(lead.team_id) && open(lead)).length,
      next_escalates_at:
        waiting.map(({ escalates_at }) => escalates_at).filter((at) => at !== null).sort()[0] ??
          null,
    },
    agency: Object.keys(agency).length > 0 ? agency : null,
    cases: { open: (await read("/v1/cases?per_page=1")).statuses.open },
    notifications: { unread: (await read("/v1/notifications?show=unread&per_page=1")).pagination.total },
  };
}

Deno.test("the counts are those of the lists that the caller sees, at each moment", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, member, agent, company, dealer, agency } = place;
  const group = await company.group();
  const near = await company.team({ group_id: group, team_type: "dealer" });
  const neighbour = await company.user({
    teams: [await company.team({ group_id: group })],
    type: "group_admin",
  });
  const boss = await company.user({ teams: [dealer, near], type: "team_admin", rights: ["agency"] });
  const zone = "Pacific/Auckland";
  await admin.call("PUT", `/v1/companies/${company.id}/users/${member.id}`, { timezone: { name: zone } });

  const leads: string[] = [];
  for (const state of Object.keys(ways).toReversed()) leads.push(await ways[state]!(place));
  for (const [team_id, agency_team_id] of [[near, agency], [null, null], [dealer, null], [dealer, agency]]) {
    leads.push(
      (await place.lead({
        team_id,
        ...(agency_team_id === null && team_id === null ? {} : { agency_team_id }),
      })).id,
    );
  }
  const mine = (await place.lead({ team_id: null })).id;
  await put(place, "admin", mine, "/assign", { team_id: dealer, user_id: member.id });
  leads.push(mine);
  const gone = (await place.lead()).id;
  await admin.call("DELETE", `/v1/leads/${gone}`);
  leads.push(gone);
  leads.push((await place.lead({ expires_at: "2027-01-01 00:00:00" })).id);
  const expired = leads.at(-1)!;
  await app.deps.db.write([
    { sql: "update leads set expires_at = '2026-01-01 00:00:00' where id = ?", args: [expired] },
  ]);

  // Tasks of the member: some around midnight in Auckland, one completed, one of a case that is not seen.
  const account = await admin.call("POST", "/v1/accounts", {
    team_id: null,
    fixed_fields: [{ name: "name", value: "Ada" }],
  });
  const contact = await admin.call("POST", `/v1/accounts/${account.body.id}/contacts`, {
    fixed_fields: [{ name: "last_name", value: "Byron" }],
  });
  const createCase = async (team_id: number | null) => {
    const made = await admin.call("POST", "/v1/cases", {
      contact_id: contact.body.id,
      relations_path_id: place.path,
      team_id,
      user_id: team_id === dealer ? member.id : agent.id,
    });
    assert.equal(made.status, 201, made.text);
    return made.body as Body;
  };
  const [own, foreign] = [await createCase(dealer), await createCase(agency)];
  const midnight = Math.floor(app.clock.now() / (24 * hour)) * 24 * hour;
  const at = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace("T", " ");
  const plan = async (of: Body, hours: number) => {
    const made = await admin.call("POST", `/v1/cases/${of.id}/activities`, {
      activity_type_ids: [of.milestones[0].id],
      task: { type: "call", start_at: at(midnight - 24 * hour), end_at: at(midnight + hours * hour) },
    });
    assert.equal(made.status, 201, made.text);
    await app.deps.db.write([{
      sql: "update tasks set user_id = ? where id = ?",
      args: [member.id, made.body.task.id],
    }]);
    return made.body.task.id as string;
  };
  for (let hours = 0; hours <= 230; hours += 11) await plan(own, hours);
  for (const hours of [10.75, 11.25, 34.75, 35.25, 178.75, 179.25]) await plan(own, hours);
  await admin.call("PUT", `/v1/tasks/${await plan(own, 40)}`, { completed: true });
  await plan(foreign, 41);

  const callers: [Actor, readonly number[], string][] = [
    [admin, [], "UTC"],
    [member, [dealer], zone],
    [agent, [agency], "UTC"],
    [neighbour, [], "UTC"],
    [boss, [dealer, near], "UTC"],
    [(await app.company()).admin, [], "UTC"],
  ];
  const different = new Set<string>();
  // The moments between: countdowns end, days change, expired leads are still in the counters.
  for (const hours of [0, 1.5, 6, 20]) {
    app.clock.move(hours * hour);
    for (const [actor, teams, zone] of callers) {
      const { body, text, status } = await actor.call("GET", "/v1/me/counts");
      assert.equal(status, 200, text);
      const isAdmin = callers.findIndex(([one]) => one === actor) % 5 === 0;
      const expected = await predictCounts(actor, { leads, teams, isAdmin, zone, now: app.clock.now() });
      assert.deepEqual(body, expected, `${actor.id} after ${hours} hours`);
      different.add(text);
    }
    await tick(place);
  }
  assert.ok(different.size > 12, `${different.size} different answers`);
  const counts = (await member.call("GET", "/v1/me/counts")).body;
  assert.ok(counts.tasks.overdue > 0 && counts.tasks.week > 5, JSON.stringify(counts));

  const first = await member.call("GET", "/v1/me/counts");
  const tag = { "If-None-Match": first.headers.get("etag")! };
  assert.equal((await member.call("GET", "/v1/me/counts", undefined, tag)).status, 304);
  await place.lead();
  const changed = await member.call("GET", "/v1/me/counts", undefined, tag);
  assert.equal(changed.status, 200);
  assert.equal(changed.body.leads.waiting, first.body.leads.waiting + 1);
});

Deno.test("an admin's count has the leads of a deleted team that are still on their way to its successor", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, company, dealer } = place;
  const near = await company.team({ group_id: await company.group(), team_type: "dealer" });
  const { id } = await place.lead({ team_id: near });
  const ids = "lower(hex(randomblob(4)) || '-0000-7000-8000-' || hex(randomblob(6)))";
  await copy(app, "leads", `x.id = '${id}'`, { id: ids, external_id: "null" }, 300);
  const { background } = app.deps;
  const run = background.run;
  background.run = () => {};
  const deleted = await admin.call("DELETE", `/v1/teams/${near}?assign_to=${dealer}`);
  assert.equal(deleted.status, 204, deleted.text);
  const left = `select count(*) as n from leads where team_id = ${near}`;
  assert.notDeepEqual(await app.sql(left), [{ n: 0 }]);
  const waiting = async () => (await admin.call("GET", "/v1/me/counts")).body.leads.waiting;
  assert.equal(await waiting(), 301);
  background.run = run;
  await runJobs(app.deps, app.clock.now());
  await app.idle();
  assert.deepEqual([await app.sql(left), await waiting()], [[{ n: 0 }], 301]);
});
