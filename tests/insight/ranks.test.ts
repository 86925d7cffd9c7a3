import assert from "node:assert/strict";
import { factKinds } from "../../src/core/fact_kinds.ts";
import { sql } from "../../src/db/statements.ts";
import { runJobs } from "../../src/jobs.ts";
import { assignPlaces } from "../../src/insight/ranks/places.ts";
import { MailFailed } from "../../src/platform/mail/mail.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { newCase, newPath } from "../sales/parts.ts";

const path = "/v1/gamification/ranks";
const mails = { name: "Most e-mails", icon: "envelope", rule: "emails_sent" };
const day = 86_400_000;

async function createRank(by: Actor, body: object): Promise<Body> {
  const reply = await by.call("POST", path, body);
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

/** Returns the scores of a rank as [place, user id, score], and the caller's own place. */
async function readScores(by: Actor, id: string): Promise<[[number, number, number][], number | null]> {
  const { status, body, text } = await by.call("GET", `${path}/${id}/scores`);
  assert.equal(status, 200, text);
  const rows = body.scores.map(({ rank, user, score }: Body) => [rank, user.id, score]);
  return [rows, body.current_rank?.rank ?? null];
}

Deno.test("POST returns the rank with its settings, GET the same, lists without settings", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const way = await newPath(admin);
  const settings = { relations_path_id: way.id, milestone_id: way.types.Offer };
  const rank = await createRank(admin, { ...mails, rule: { name: "conversion_rate" }, settings });
  const { settings: shown, ...listed } = rank;
  assert.deepEqual(rank, {
    id: rank.id,
    team_id: null,
    name: "Most e-mails",
    icon: "envelope",
    rule: { name: "conversion_rate" },
    created_at: "2026-03-02 09:00:00",
    updated_at: "2026-03-02 09:00:00",
    settings: { relations_path: { id: way.id, name: "New cars" }, milestone_id: way.types.Offer },
  });
  assert.deepEqual((await admin.call("GET", `${path}/${rank.id}`)).body, { ...listed, settings: shown });
  const { body } = await admin.call("GET", path);
  assert.deepEqual([body.data, body.pagination.total], [[listed], 1]);
  const renamed = await admin.call("PUT", `${path}/${rank.id}`, {
    name: "Closers",
    icon: "x",
    rule: "total_sales",
  });
  assert.deepEqual(renamed.body, { ...rank, name: "Closers" });
  assert.equal((await admin.call("DELETE", `${path}/${rank.id}`)).status, 204);
  assert.equal((await admin.call("GET", path)).body.pagination.total, 0);
});

Deno.test("the name of a rank's path is shown to callers who see the path, at that moment", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  const member = await company.user({ teams: [team] });
  const stranger = await company.user({ teams: [await company.team()] });
  const way = await newPath(admin, { name: "Fleet", team_id: team });
  const settings = { relations_path_id: way.id, milestone_id: way.types.Offer };
  const rank = await createRank(admin, { ...mails, rule: "conversion_rate", settings });
  const names = async () =>
    await Promise.all([admin, member, stranger].map(async (by) => {
      const { relations_path: { id, name } } = (await by.call("GET", `${path}/${rank.id}`)).body.settings;
      assert.equal(id, way.id);
      return name;
    }));
  assert.deepEqual(await names(), ["Fleet", "Fleet", null]);
  const moved = await admin.call("PUT", `/v1/relations-paths/${way.id}`, { team_id: null });
  assert.equal(moved.status, 200, moved.text);
  assert.deepEqual(await names(), ["Fleet", "Fleet", "Fleet"]);
});

Deno.test("rejects an invalid rank with field and rule", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const [way, other] = [await newPath(admin), await newPath(admin)];
  const converting = (relations_path_id?: string, milestone_id?: string) => ({
    ...mails,
    rule: "conversion_rate",
    settings: { relations_path_id, milestone_id },
  });
  const faults: [object, string][] = [
    [{ ...mails, name: "" }, "name min"],
    [{ ...mails, name: "x".repeat(256) }, "name max"],
    [{ ...mails, icon: undefined }, "icon required"],
    [{ ...mails, rule: undefined }, "rule required"],
    [{ ...mails, rule: "total_sent" }, "rule enum"],
    [{ ...mails, rule: { name: "total_sent" } }, "rule.name enum"],
    [{ ...mails, team_id: 999_999 }, "team_id exists"],
    [{ ...mails, settings: {} }, "settings excluded"],
    [
      { ...mails, rule: "conversion_rate" },
      "settings.relations_path_id required settings.milestone_id required",
    ],
    [converting(way.id), "settings.milestone_id required"],
    [converting(mails.name, way.types.Offer), "settings.relations_path_id type"],
    [converting(way.types.Offer, way.types.Offer), "settings.relations_path_id exists"],
    [converting(way.id, other.types.Offer), "settings.milestone_id exists"],
    [converting(way.id, way.types.Call), "settings.milestone_id exists"],
    [converting(way.id, way.types.Sold), "settings.milestone_id excluded"],
  ];
  for (const [body, errors] of faults) {
    const refused = await admin.call("POST", path, body);
    assert.equal(refused.status, 422, `${JSON.stringify(body)}: ${refused.text}`);
    const given = refused.body.errors.map(({ path, code }: Body) => `${path} ${code}`).join(" ");
    assert.equal(given, errors, JSON.stringify(body));
  }
  assert.equal((await admin.call("GET", path)).body.pagination.total, 0);
});

Deno.test("a team admin ranks the active team alone; a deleted team leaves its ranks to the successor or the admins", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [first, second] = [await company.team(), await company.team()];
  const role = await admin.call("POST", "/v1/roles", { name: "Ranks", rights: ["ranks.manage"] });
  const head = await company.user({ type: "team_admin", teams: [first, second] });
  const grant = await admin.call("PUT", `/v1/companies/${company.id}/users/${head.id}`, {
    role_ids: [role.body.id],
  });
  assert.equal(grant.status, 200, grant.text);
  const own = await createRank(head, mails);
  const active = own.team_id;
  assert.ok([first, second].includes(active));
  const refused = await head.call("POST", path, { ...mails, team_id: active === first ? second : first });
  assert.deepEqual([refused.status, refused.body.errors[0].path], [422, "team_id"]);
  assert.equal((await createRank(admin, mails)).team_id, null);
  const next = active === first ? second : first;
  const removeTeam = async (team: number, query = "") => {
    assert.ok((await admin.call("DELETE", `/v1/teams/${team}${query}`)).status < 300);
    await app.idle();
    return (await admin.call("GET", `${path}/${own.id}`)).body.team_id;
  };
  assert.equal(await removeTeam(active, `?assign_to=${next}`), next);
  assert.equal(await removeTeam(next), next);
  assert.equal((await head.call("GET", path)).body.pagination.total, 2, "Its maker still sees it.");
  assert.equal((await admin.call("DELETE", `${path}/${own.id}`)).status, 204);
});

Deno.test("a rank of a team that is deleted without a successor goes on comparing those who belonged to it", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [team, other] = [await company.team(), await company.team()];
  const members = [await company.user({ teams: [team] }), await company.user({ teams: [team, other] })];
  await company.user({ teams: [other] });
  const rank = await createRank(admin, { ...mails, team_id: team });
  const comparing = async () => (await readScores(admin, rank.id))[0].map(([, id]) => id);
  const before = await comparing();
  assert.deepEqual(before, members.map(({ id }) => id));
  assert.equal((await admin.call("DELETE", `/v1/teams/${team}`)).status, 204);
  assert.deepEqual(await comparing(), before);
  const path = `/v1/companies/${company.id}/users/${members[0]!.id}`;
  assert.equal((await admin.call("DELETE", path)).status, 204);
  assert.deepEqual(await comparing(), [members[1]!.id]);
});

Deno.test("a rank of a large deleted team compares all who belonged to it, though they leave in several commits", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  const many = 230;
  await app.deps.db.write([
    sql`insert into users (company_id, first_name, last_name, email, email_key, timezone, locale, user_type,
      created_at,
      updated_at)
      select ${company.id}, 'A', 'B', 'many' || value || '@example.org', 'many' || value || '@example.org',
      'UTC', 'en-GB', 4,
      '2026-03-02 09:00:00', '2026-03-02 09:00:00'
      from json_each(${JSON.stringify([...Array(many).keys()])})`,
    sql`insert into team_members (user_id, team_id) select id, ${team} from users where email like 'many%'`,
  ]);
  const rank = await createRank(admin, { ...mails, team_id: team });
  assert.equal((await readScores(admin, rank.id))[0].length, many);
  assert.equal((await admin.call("DELETE", `/v1/teams/${team}`)).status, 204);
  assert.equal((await readScores(admin, rank.id))[0].length, many);
});

/** Closes a case with an offer of this value. */
async function sell(by: Actor, way: Awaited<ReturnType<typeof newPath>>, product: string, price: number) {
  const { id } = await newCase(by, way);
  const sold = await by.call("POST", `/v1/cases/${id}/activities`, {
    activity_type_ids: [way.types.Sold],
    product_details: [{ products: [{ id: product, quantity: 1, price }] }],
  });
  assert.equal(sold.status, 201, sold.text);
}

const inMode = async (app: TestApp, mode: string, company: number) =>
  void await app.deps.db.write([sql`update companies set product_mode = ${mode} where id = ${company}`]);

Deno.test("total_sales: value of closed cases of 30 days, in mode simple their number; equal scores share a place", async () => {
  await using app = await startApp();
  const company = await app.company();
  const team = await company.team();
  const users = [await company.user({ teams: [team] }), await company.user({ teams: [team] })];
  const [first, second] = users as [Actor, Actor];
  const last = await company.user();
  const way = await newPath(company.admin);
  const product = await company.admin.call("POST", "/v1/products", {
    fixed_fields: [{ name: "name", value: "Van" }],
  });
  assert.equal(product.status, 201, product.text);
  const rank = await createRank(company.admin, { ...mails, rule: "total_sales" });
  const ofTeam = await createRank(company.admin, { ...mails, rule: "total_sales", team_id: team });
  await sell(first, way, product.body.id, 100);
  await sell(second, way, product.body.id, 60.5);
  await sell(second, way, product.body.id, 39.5);
  assert.deepEqual(await readScores(second, rank.id), [[
    [1, first.id, 100],
    [1, second.id, 100],
    [3, company.admin.id, 0],
    [3, last.id, 0],
  ], 1]);
  assert.deepEqual(await readScores(company.admin, ofTeam.id), [
    [[1, first.id, 100], [1, second.id, 100]],
    null,
  ]);
  await inMode(app, "simple", company.id);
  assert.deepEqual(await readScores(first, ofTeam.id), [[[1, second.id, 2], [2, first.id, 1]], 2]);
  assert.equal((await last.call("GET", `${path}/${ofTeam.id}/scores`)).status, 404);
  app.clock.set(app.clock.now() + 30 * day - 1000);
  assert.deepEqual(await readScores(first, ofTeam.id), [[[1, second.id, 2], [2, first.id, 1]], 2]);
  app.clock.set(app.clock.now() + 1000);
  assert.deepEqual(await readScores(first, ofTeam.id), [[[1, first.id, 0], [1, second.id, 0]], 1]);
});

Deno.test("total_sales has the decimals of the currency, as reports have, and so places are shared or not", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [first, second] = [await company.user(), await company.user()];
  const way = await newPath(admin);
  const product = await admin.call("POST", "/v1/products", {
    fixed_fields: [{ name: "name", value: "Van" }],
  });
  assert.equal(product.status, 201, product.text);
  const rank = await createRank(admin, { ...mails, rule: "total_sales" });
  await sell(first, way, product.body.id, 1.234);
  await sell(second, way, product.body.id, 1.231);
  const inCurrency = async (currency: string) => {
    const put = await admin.call("PUT", `/v1/companies/${company.id}`, { currency });
    assert.equal(put.status, 200, put.text);
    const reports = await admin.call(
      "GET",
      "/v1/reports/metrics?indicators=cases.closed.value&group_by=user",
    );
    const [scores] = await readScores(admin, rank.id);
    const shown = reports.body.data.map(({ value }: Body) => value);
    assert.deepEqual(scores.slice(0, 2).map(([, , score]) => score), shown);
    return scores.slice(0, 2);
  };
  assert.deepEqual(await inCurrency("KWD"), [[1, first.id, 1.234], [2, second.id, 1.231]]);
  assert.deepEqual(await inCurrency("EUR"), [[1, first.id, 1.23], [1, second.id, 1.23]]);
  assert.deepEqual(await inCurrency("JPY"), [[1, first.id, 1], [1, second.id, 1]]);
});

Deno.test("conversion_rate: percent of own cases of the path that reached the milestone or a higher one", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [first, second] = [await company.user(), await company.user()];
  const [way, other] = [await newPath(company.admin), await newPath(company.admin)];
  const settings = { relations_path_id: way.id, milestone_id: way.types.Offer };
  const rank = await createRank(company.admin, { ...mails, rule: "conversion_rate", settings });
  const reach = async (by: Actor, name: string, on = way) => {
    const { id } = await newCase(by, on);
    const acted = await by.call("POST", `/v1/cases/${id}/activities`, {
      activity_type_ids: [on.types[name]],
    });
    assert.equal(acted.status, 201, acted.text);
  };
  await reach(first, "Offer");
  await reach(first, "Sold");
  await reach(first, "Contacted");
  await reach(second, "Offer");
  await reach(second, "Contacted");
  await reach(second, "Sold", other);
  assert.deepEqual(await readScores(second, rank.id), [[
    [1, first.id, 66.67],
    [2, second.id, 50],
    [3, company.admin.id, 0],
  ], 2]);
});

Deno.test("conversion_rate goes by the present user of a case, its time, and the present order of milestones", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [first, second] = [await company.user(), await company.user()];
  const way = await newPath(admin);
  const settings = { relations_path_id: way.id, milestone_id: way.types.Offer };
  const rank = await createRank(admin, { ...mails, rule: "conversion_rate", settings });
  const scores = async ({ id } = rank) =>
    Object.fromEntries((await readScores(admin, id))[0].map(([, user, score]) => [user, score]));
  const reach = async (id: string, name: string) => {
    const acted = await admin.call("POST", `/v1/cases/${id}/activities`, {
      activity_type_ids: [way.types[name]],
    });
    assert.equal(acted.status, 201, acted.text);
  };
  const [reached, contacted, old] = [
    await newCase(first, way),
    await newCase(first, way),
    await newCase(first, way, { created_at: "2026-01-31 09:00:00" }),
  ];
  await reach(reached!.id, "Offer");
  await reach(contacted!.id, "Contacted");
  // A reopened case still counts for the milestones that it reached before.
  await reach(old!.id, "Sold");
  await reach(old!.id, "Reopened");
  assert.deepEqual(await scores(), { [first.id]: 50, [second.id]: 0, [admin.id]: 0 });
  const moved = await admin.call("PUT", `/v1/cases/${reached!.id}`, { user_id: second.id });
  assert.equal(moved.status, 200, moved.text);
  assert.deepEqual(await scores(), { [first.id]: 0, [second.id]: 100, [admin.id]: 0 });
  // Its highest milestone, Offer, is below Reopened.
  const both = await newCase(second, way);
  await reach(both.id, "Contacted");
  await reach(both.id, "Offer");
  const higher = await createRank(admin, {
    ...mails,
    rule: "conversion_rate",
    settings: { ...settings, milestone_id: way.types.Reopened },
  });
  assert.deepEqual(await scores(higher), { [first.id]: 0, [second.id]: 0, [admin.id]: 0 });
  const { body } = await admin.call("GET", `/v1/relations-paths/${way.id}`);
  const [lowest, ...others] = body.activity_types.milestones.map((type: Body) => ({
    ...type,
    sort_order: undefined,
  }));
  const reordered = await admin.call("PUT", `/v1/relations-paths/${way.id}`, {
    ...body,
    activity_types: { ...body.activity_types, milestones: [...others, lowest] },
  });
  assert.equal(reordered.status, 200, reordered.text);
  // Contacted is now the last milestone, so both cases that reached it count.
  assert.deepEqual(await scores(higher), { [first.id]: 100, [second.id]: 50, [admin.id]: 0 });
  assert.equal((await admin.call("DELETE", `/v1/cases/${reached!.id}`)).status, 204);
  assert.deepEqual(await scores(higher), { [first.id]: 100, [second.id]: 100, [admin.id]: 0 });
  app.clock.move(30 * day);
  assert.deepEqual(await scores(), { [first.id]: 0, [second.id]: 0, [admin.id]: 0 });
});

Deno.test("emails_sent counts what the mail server took", async () => {
  await using app = await startApp();
  const company = await app.company();
  const user = await company.user();
  const rank = await createRank(company.admin, mails);
  const at = Math.floor(app.clock.now() / 1000);
  await app.deps.db.write([sql`insert into facts (company_id, kind, at, recorded_at, user_id)
    select ${company.id}, ${factKinds.email_sent}, ${at}, ${at}, ${user.id} from json_each('[1,2,3]')`]);
  assert.deepEqual(await readScores(user, rank.id), [[[1, user.id, 3], [2, company.admin.id, 0]], 1]);
});

Deno.test("emails_sent counts a mail of an activity when the mail server takes it, for the author of the activity", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [author, owner] = [await company.user(), await company.user()];
  const way = await newPath(company.admin);
  const rank = await createRank(company.admin, mails);
  const { id, account, contact } = await newCase(owner, way);
  const address = await company.admin.call("PUT", `/v1/accounts/${account.id}/contacts/${contact.id}`, {
    fixed_fields: [{ name: "email", value: "grace@example.org" }],
  });
  assert.equal(address.status, 200, address.text);
  const write = async (send: boolean) => {
    const acted = await author.call("POST", `/v1/cases/${id}/activities`, {
      activity_type_ids: [way.types.Call],
      correspondence: { email: { subject: "Offer", content: "<p>Dear</p>", send } },
    });
    assert.equal(acted.status, 201, acted.text);
    await app.idle();
  };
  const scores = async () =>
    Object.fromEntries((await readScores(author, rank.id))[0].map(([, user, score]) => [user, score]));
  const of = (score: number) => ({ [author.id]: score, [owner.id]: 0, [company.admin.id]: 0 });
  const taken = app.mailer.send;
  const fails = (failure: "refused" | "deferred") => {
    app.mailer.send = () => Promise.reject(new MailFailed("450 no", failure));
  };
  await write(false);
  fails("refused");
  await write(true);
  fails("deferred");
  await write(true);
  assert.deepEqual(await scores(), of(0));
  app.mailer.send = taken;
  app.clock.move(3_600_000);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  assert.deepEqual(await scores(), of(1));
  await write(true);
  assert.deepEqual(await scores(), of(2));
  // An e-mail counts for 30 days from the moment at which the mail server took it.
  app.clock.move(30 * day - 1000);
  assert.deepEqual(await scores(), of(2));
  app.clock.move(1000);
  assert.deepEqual(await scores(), of(0));
});

Deno.test("places: the best first, equal scores share a place and the next one is skipped", () => {
  const score = (id: number, score: number) => ({ score, user: { id, name: "" } });
  const places = assignPlaces([score(3, 1), score(2, 2), score(1, 2), score(4, 0)]);
  assert.deepEqual(places.map(({ rank, user, score }) => [rank, user.id, score]), [
    [1, 1, 2],
    [1, 2, 2],
    [3, 3, 1],
    [4, 4, 0],
  ]);
});

Deno.test("conversion_rate: a case that is lost has reached no higher milestone by that", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const milestones = [
    { name: "Offer" },
    { name: "Lost", set_status: "declined" },
    { name: "Sold", set_status: "closed" },
  ];
  const way = await newPath(admin, { activity_types: { milestones } });
  const rank = async (milestone: string) => {
    const settings = { relations_path_id: way.id, milestone_id: way.types[milestone] };
    return await createRank(admin, { ...mails, rule: "conversion_rate", settings });
  };
  const [offers, losses] = [await rank("Offer"), await rank("Lost")];
  for (const names of [["Lost"], ["Offer", "Lost"], ["Offer"], ["Sold"]]) {
    const { id } = await newCase(admin, way);
    for (const name of names) {
      const done = { activity_type_ids: [way.types[name]] };
      assert.equal((await admin.call("POST", `/v1/cases/${id}/activities`, done)).status, 201);
    }
  }
  assert.deepEqual(await readScores(admin, offers.id), [[[1, admin.id, 75]], 1]);
  // A rank that names the milestone Lost counts it.
  assert.deepEqual(await readScores(admin, losses.id), [[[1, admin.id, 75]], 1]);
});

Deno.test("conversion_rate goes on when the path drops its milestone: higher ones count, lower ones do not", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const kept: [string, string[]][] = [
    ["Fourth", ["Second", "Fourth"]],
    ["Third", ["Second", "Fourth"]],
    ["Fourth", ["New", "Newer", "Second", "Fourth"]],
    ["Third", ["New", "Newer", "Second", "Fourth"]],
  ];
  for (const [reached, names] of kept) {
    const milestones = ["First", "Second", "Third", "Fourth"].map((name) => ({ name }));
    const way = await newPath(admin, { activity_types: { milestones } });
    const settings = { relations_path_id: way.id, milestone_id: way.types.Third };
    const rank = await createRank(admin, { ...mails, rule: "conversion_rate", settings });
    for (const name of ["Second", reached, "Fourth", "Fourth"]) {
      const { id } = await newCase(admin, way);
      const done = { activity_type_ids: [way.types[name]] };
      const acted = await admin.call("POST", `/v1/cases/${id}/activities`, done);
      assert.equal(acted.status, 201, acted.text);
    }
    assert.deepEqual(await readScores(admin, rank.id), [[[1, admin.id, 75]], 1]);
    const changed = await admin.call("PUT", `/v1/relations-paths/${way.id}`, {
      activity_types: { milestones: names.map((name) => ({ id: way.types[name], name })) },
    });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(await readScores(admin, rank.id), [[[1, admin.id, 75]], 1], `${reached}, then ${names}`);
  }
});
