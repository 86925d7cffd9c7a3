import assert from "node:assert/strict";
import { type Actor, startApp, type TestApp } from "../support/app.ts";
import { makeSales, nameFields } from "../sales/leads_world.ts";

Deno.test("an event goes only to subscriptions of users who may GET and list its record", async () => {
  await using app = await startApp();
  const { company, admin, agency, body, path } = await makeSales(app);
  const group = await company.group();
  const dealer = (group_id?: number) =>
    company.team({ team_type: "dealer", ...(group_id ? { group_id } : {}) });
  const [north, south, other] = [await dealer(group), await dealer(group), await dealer()];
  const who = {
    admin,
    member: await company.user({ teams: [north], rights: ["webhooks.manage"] }),
    friend: await company.user({ teams: [south], rights: ["webhooks.manage"] }),
    stranger: await company.user({ teams: [other], rights: ["webhooks.manage"] }),
    nobody: await company.user({ rights: ["webhooks.manage"] }),
    agent: await company.user({ teams: [agency], rights: ["webhooks.manage", "agency"] }),
    other_agent: await company.user({ teams: [other], rights: ["webhooks.manage", "agency"] }),
    outsider: (await app.company()).admin,
  };
  await subscribeAll(who);
  const making: [string, object][] = [
    ["leads", body({ team_id: north, agency_team_id: null })],
    ["leads", body({ team_id: north, agency_team_id: agency })],
    ["leads", body({ team_id: other, agency_team_id: agency })],
    ["leads", body({ team_id: null, agency_team_id: agency })],
    ["leads", body({ team_id: null, agency_team_id: other })],
    ["accounts", { team_id: null, fixed_fields: nameFields({ name: "Everybody's" }) }],
    ["accounts", { team_id: north, fixed_fields: nameFields({ name: "North's" }) }],
    ["accounts", { team_id: agency, fixed_fields: nameFields({ name: "Agency's" }) }],
  ];
  const made: [string, string][] = [];
  for (const [kind, what] of making) made.push([kind, await createForId(admin, `/v1/${kind}`, what)]);
  for (const [, id] of made.slice(-2)) {
    const person = { fixed_fields: nameFields({ last_name: "Byron" }) };
    made.push(["contacts", await createForId(admin, `/v1/accounts/${id}/contacts`, person)]);
  }
  const contact_id = made.at(-1)![1];
  for (const team_id of [north, null]) {
    made.push([
      "cases",
      await createForId(admin, "/v1/cases", { contact_id, relations_path_id: path, team_id }),
    ]);
  }
  const heard = new Set<string>();
  for (const [kind, id] of made) {
    const reported = await readReported(app, id);
    for (const [name, actor] of Object.entries(who)) {
      const { status } = await actor.call("GET", `/v1/${kind}/${id}`);
      const list = (await actor.call("GET", `/v1/${kind}?per_page=100`)).body.data;
      const listed = list.some((record: { id: string }) => record.id === id);
      const at = `${name} and ${kind} ${id}`;
      assert.equal(reported.has(actor.id), status === 200, at);
      assert.equal(listed, status === 200, at);
      if (reported.has(actor.id)) heard.add(name);
    }
    assert.ok(reported.has(admin.id));
  }
  assert.deepEqual([...heard].sort(), Object.keys(who).filter((name) => name !== "outsider").sort());
});

Deno.test("a subscription of scope user receives events of records that its user created, by any author", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const target_url = "http://127.0.0.1:1/own";
  await createForId(admin, "/v1/webhooks", { target_url, webhook_event: "*", scope: "user" });
  const { company, member } = await makeSales(app);
  await createForId(company.admin, "/v1/webhooks", { target_url, webhook_event: "*", scope: "user" });
  const account = { team_id: null, fixed_fields: nameFields({ name: "Ada Ltd" }) };
  const own = await createForId(company.admin, "/v1/accounts", account);
  const others = await createForId(member, "/v1/accounts", account);
  for (const id of [own, others]) {
    assert.equal((await member.call("PUT", `/v1/accounts/${id}`, { external_id: id })).status, 200);
  }
  const reported = await app.sql(
    "select o.event_name, o.entity_id from deliveries d join outbox o on o.id = d.event_id " +
      "where o.entity_type = 'account' order by o.sequence",
  );
  assert.deepEqual(reported.map(({ event_name, entity_id }) => [event_name, entity_id]), [
    ["account_created", own],
    ["account_updated", own],
  ]);
});

async function subscribeAll(who: Readonly<Record<string, Actor>>): Promise<void> {
  for (const [name, actor] of Object.entries(who)) {
    await createForId(actor, "/v1/webhooks", {
      target_url: `http://127.0.0.1:1/${name}`,
      webhook_event: "*",
    });
  }
}

async function createForId(actor: Actor, path: string, body: object): Promise<string> {
  const reply = await actor.call("POST", path, body);
  assert.equal(reply.status, 201, `${path}: ${reply.text}`);
  return reply.body.id;
}

/** The users whose subscriptions have a delivery of each event of the entity. */
async function readReported(app: TestApp, id: string): Promise<Set<number>> {
  const rows = await app.sql(
    "select w.user_id, count(*) as n, (select count(*) from outbox where entity_id = ?) as events " +
      "from deliveries d join outbox o on o.id = d.event_id join webhooks w on w.id = d.webhook_id " +
      "where o.entity_id = ? group by w.user_id",
    id,
    id,
  );
  for (const { n, events } of rows) assert.equal(n, events);
  return new Set(rows.map(({ user_id }) => Number(user_id)));
}
