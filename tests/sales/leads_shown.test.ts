/** What `GET /leads` shows of the leads that a caller sees, by a model that reads single leads. */
import assert from "node:assert/strict";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { put } from "./leads_states.ts";
import { makeSales, type World } from "./leads_world.ts";

const statuses = ["assignable", "assigned", "rejected", "accepted", "escalated", "called", "revoked"];

/** Leads of two dealer teams, one in a group with an agency user's, in several states; one deleted, one expired. */
async function fillWorld(place: World) {
  const { app, company, admin, dealer, member, agency } = place;
  const group = await company.group();
  const near = await company.team({ group_id: group, team_type: "dealer" });
  const calm = await place.leadType({ escalation_accept: null, escalation_activity: null });
  const ids: string[] = [];
  for (let n = 0; n < 12; n++) {
    const { id } = await place.lead({
      team_id: [dealer, near, null][n % 3],
      agency_team_id: n % 4 === 0 && n % 3 < 2 ? null : agency,
      lead_type_id: n % 2 ? calm : await place.leadType({ escalation_accept: 600 - 10 * n }),
      lead_source: ["web", "Web", 'fair, "north"'][n % 3 === 0 ? 0 : n % 2 + 1],
    });
    ids.push(id);
    app.clock.move(60_000);
  }
  await put(place, "member", ids[0]!, "/reject", { rejection_reason: "Too far" });
  await put(place, "member", ids[3]!, "/accept");
  await put(place, "admin", ids[2]!, "/assign", { team_id: dealer, user_id: member.id });
  await put(place, "admin", ids[5]!, "/assign", { team_id: near, user_id: admin.id });
  await admin.call("DELETE", `/v1/leads/${ids[6]}`);
  await app.deps.db.write([
    { sql: "update leads set expires_at = '2026-03-01 00:00:00' where id = ?", args: [ids[7]!] },
  ]);
  const neighbour = await company.user({
    teams: [await company.team({ group_id: group })],
    type: "group_admin",
  });
  return { ids, near, neighbour };
}

async function eachLead(actor: Actor, ids: readonly string[]): Promise<Body[]> {
  const answers = await Promise.all(ids.map((id) => actor.call("GET", `/v1/leads/${id}`)));
  return answers.filter(({ status }) => status === 200).map(({ body }) => body);
}

async function allPages(url: string, actor: Actor, query: string): Promise<{ data: Body[]; first: Body }> {
  let path: string | null = `/v1/leads?per_page=4&${query}`;
  const data: Body[] = [];
  let first: Body | null = null;
  while (path !== null) {
    const { status, body, text }: { status: number; body: Body; text: string } = await actor.call(
      "GET",
      path,
    );
    assert.equal(status, 200, text);
    first ??= body;
    assert.deepEqual(body.statuses, first.statuses);
    data.push(...body.data);
    path = body.pagination.urls.next?.replace(url, "") ?? null;
  }
  return { data, first: first! };
}

const countLeads = (leads: readonly Body[]) => ({
  all: leads.length,
  ...Object.fromEntries(
    statuses.map((status) => [status, leads.filter((each) => each.status === status).length]),
  ),
});

/** The countdown, then the age: leads without a countdown come last, the newest of them first. */
function byCountdown(one: Body, other: Body): number {
  if (one.escalates_at !== other.escalates_at) {
    return (one.escalates_at ?? "9") < (other.escalates_at ?? "9") ? -1 : 1;
  }
  return one.created_at > other.created_at ? -1 : 1;
}

Deno.test("show, several statuses and the countdown select and sort the leads that each caller sees, with counts", async (t) => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, member, agent, company, dealer, agency } = place;
  const { ids, near, neighbour } = await fillWorld(place);
  const boss = await company.user({ teams: [dealer, agency], type: "team_admin", rights: ["agency"] });
  const stranger = (await app.company()).admin;
  const callers: [Actor, readonly number[]][] = [
    [admin, []],
    [member, [dealer]],
    [agent, [agency]],
    [boss, [dealer, agency]],
    [neighbour, []],
    [stranger, []],
  ];
  const total = new Set<number>();
  for (const [actor, teams] of callers) {
    const seen = await eachLead(actor, ids);
    total.add(seen.length);
    const shows: [string, (lead: Body) => boolean][] = [
      ["", () => true],
      ["show=mine", (lead) => lead.user_id === actor.id],
      ["show=team", (lead) => teams.includes(lead.team_id)],
      [
        `show=team&teams=${near},${dealer}`,
        (lead) => teams.includes(lead.team_id) && lead.team_id !== agency,
      ],
      ["lead_sources=web", (lead) => lead.lead_source === "web"],
    ];
    for (const [query, holds] of shows) {
      const leads = seen.filter(holds);
      for (
        const given of ["", "rejected", "rejected,assigned,rejected", "accepted,revoked", statuses.join()]
      ) {
        const expected = leads.filter(({ status }) => given === "" || given.split(",").includes(status));
        const { data, first } = await allPages(
          app.url,
          actor,
          `sort=escalates_at&${query}${given && `&status=${given}`}`,
        );
        const at = `${actor.id} ${query} ${given}`;
        assert.deepEqual(data.map(({ id }) => id), expected.toSorted(byCountdown).map(({ id }) => id), at);
        assert.equal(first.pagination.total, expected.length, at);
        assert.deepEqual(first.statuses, countLeads(leads), at);
      }
    }
    const back = await allPages(app.url, actor, "sort=-escalates_at");
    assert.deepEqual(back.data.map(({ id }) => id), seen.toSorted(byCountdown).reverse().map(({ id }) => id));
  }
  assert.ok(total.size > 3, "the callers see different leads");

  await t.step(
    "the sources are those of the leads that the caller sees, the most frequent first",
    async () => {
      for (const [actor] of callers) {
        const counts = Map.groupBy(await eachLead(actor, ids), ({ lead_source }) => lead_source);
        const expected = [...counts].map(([lead_source, { length: count }]) => ({ lead_source, count }))
          .toSorted((one, other) =>
            other.count - one.count || (one.lead_source < other.lead_source ? -1 : 1)
          );
        assert.deepEqual((await actor.call("GET", "/v1/leads/sources")).body, { data: expected });
      }
    },
  );

  await t.step("parameters that are no statuses, shows, views or sorts are refused", async () => {
    for (
      const query of [
        "status=open",
        "status=assigned,open",
        "status=",
        "show=all",
        "view=full",
        "sort=expires_at",
      ]
    ) {
      const answer = await admin.call("GET", `/v1/leads?${query}`);
      assert.equal(answer.status, 422, query);
      assert.deepEqual(answer.body.errors.map(({ path, code }: Body) => `${path} ${code}`), [
        `query.${query.split("=")[0]} enum`,
      ]);
    }
  });

  await t.step("a short row is the row without options, paths and data, its teams by name", async () => {
    await admin.call("POST", "/v1/fields/contact", { label: "Hobby", type: "single_choice" });
    await place.lead({ lead_data: [{ key: "Model", value: "Estate" }] });
    await put(place, "member", (await place.lead()).id, "/accept");
    const paths = ["leads", "leads/rejected", "leads/called", "cases", "accounts", "contacts"];
    for (const path of paths) {
      const separator = `/v1/${path}?per_page=50`;
      const full = (await admin.call("GET", separator)).body;
      const short = await admin.call("GET", `${separator}&view=summary`);
      assert.ok(path === "leads/called" || full.data.length > 0, path);
      const urls = full.pagination.urls;
      assert.deepEqual(short.body, {
        ...full,
        data: full.data.map(shorten),
        pagination: { ...full.pagination, urls },
      });
      assert.doesNotMatch(short.text, /"(options|lead_data|relations_path_ids|timezone)":/);
    }
    const next = (await admin.call("GET", "/v1/leads?view=summary&per_page=1")).body.pagination.urls.next;
    assert.match(next, /view=summary/);
  });
});

/** Takes out of a row what a short one leaves out, wherever it is. */
function shorten(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return value.map((each) => shorten(each));
  if (typeof value !== "object" || value === null) return value;
  const members = value as Record<string, unknown>;
  if (name === "team") return { id: members.id, name: members.name };
  const dropped = ["options", "lead_data", ...(name === "lead_type" ? ["relations_paths"] : [])];
  return Object.fromEntries(
    Object.entries(members).filter(([key]) => !dropped.includes(key)).map((
      [key, each],
    ) => [key, shorten(each, key)]),
  );
}
