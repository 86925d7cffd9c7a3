/** The positions of events, and the teams that their records leave. */
import assert from "node:assert/strict";
import { makeSales, nameFields } from "../sales/leads_world.ts";
import { startApp, type TestApp } from "../support/app.ts";

const moves = (app: TestApp, after: number) =>
  app.sql(
    "select event_name, team_id, agency_team_id, team_before, agency_team_before from outbox " +
      "where position > ? order by position",
    after,
  );

Deno.test("an event has the teams that its record leaves, and none when the record stays", async () => {
  await using app = await startApp();
  const { admin, agent, company, dealer, agency, lead } = await makeSales(app);
  const other = await company.team({ name: "Other", team_type: "dealer" });
  const create = async (path: string, body: object) => (await admin.call("POST", path, body)).body;
  const account = await create("/v1/accounts", {
    team_id: dealer,
    fixed_fields: nameFields({ name: "Ada Ltd" }),
  });
  const home = await create("/v1/accounts", { team_id: null, fixed_fields: nameFields({ name: "Home" }) });
  const contact = await create(`/v1/accounts/${account.id}/contacts`, {
    fixed_fields: nameFields({ last_name: "Byron" }),
  });
  const { id } = await lead({ team_id: null });
  const [{ last }] = await app.sql("select max(position) as last from outbox") as [{ last: number }];
  const put = async (path: string, body: object) => {
    const reply = await admin.call("PUT", path, body);
    assert.equal(reply.status, 200, reply.text);
  };
  await put(`/v1/accounts/${account.id}/contacts/${contact.id}`, { account_id: home.id });
  await put(`/v1/accounts/${account.id}`, { team_id: other });
  await put(`/v1/accounts/${account.id}`, { external_id: "stays" });
  await put(`/v1/accounts/${home.id}`, { team_id: dealer });
  const assigned = await agent.call("PUT", `/v1/leads/${id}/assign`, { team_id: other });
  assert.equal(assigned.status, 201, assigned.text);
  const found = (await moves(app, last)).map((row) => Object.values(row));
  assert.deepEqual(found, [
    ["contact_updated", null, null, dealer, 0],
    ["account_updated", other, null, dealer, 0],
    ["account_updated", other, null, null, null],
    ["account_updated", dealer, null, 0, 0],
    ["lead_assigned", other, agency, 0, agency],
  ]);
});

Deno.test("events of a deletion and of a creation move nothing", async () => {
  await using app = await startApp();
  const { admin } = await makeSales(app);
  const account =
    (await admin.call("POST", "/v1/accounts", { fixed_fields: nameFields({ name: "Ada Ltd" }) })).body;
  await admin.call("DELETE", `/v1/accounts/${account.id}`);
  assert.ok(
    (await moves(app, 0)).every((row) => row.team_before === null && row.agency_team_before === null),
  );
});

Deno.test("positions are not used again, and events of one commit stand together", async () => {
  await using app = await startApp();
  const { admin } = await makeSales(app);
  const make = (n: number) =>
    admin.call("POST", "/v1/accounts", { fixed_fields: nameFields({ name: `Ada ${n}` }) });
  await Promise.all([1, 2, 3, 4, 5].map(make));
  const [{ last }] = await app.sql("select max(position) as last from outbox") as [{ last: number }];
  await app.deps.db.write([{ sql: "delete from outbox", args: [] }]);
  await make(6);
  const [row] = await app.sql("select position, recorded_at from outbox");
  assert.deepEqual({ ...row }, { position: last + 1, recorded_at: app.clock.now() });
});
