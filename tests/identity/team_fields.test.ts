import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import { startApp } from "../support/app.ts";
import { listFaults, nameValues, newField, readCustom } from "../customers/fields_world.ts";

Deno.test("teams have custom values in their own records, and not where they are embedded", async () => {
  await using app = await startApp();
  const { admin, id } = await app.company();
  const colour = await newField(admin, { label: "Colour", type: "single_choice" }, ["Red", "Blue"], "team");
  await newField(admin, { label: "Opened", type: "date" }, [], "team");
  const made = await admin.call("POST", "/v1/teams", {
    name: "North",
    custom_fields: [{ id: colour.id, value: colour.options.Red }, { name: "opened", value: "2020-02-29" }],
  });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(readCustom(made.body), { colour: "Red", opened: "2020-02-29" });
  const path = `/v1/teams/${made.body.id}`;
  assert.equal((await admin.call("GET", path)).text, made.text);
  assert.deepEqual((await admin.call("GET", "/v1/teams")).body.data, [made.body]);
  const user = await admin.call("POST", `/v1/companies/${id}/users`, {
    first_name: "Ada",
    last_name: "Byron",
    email: "ada@example.org",
    password: "correct horse battery",
    team_ids: [made.body.id],
  });
  assert.equal(user.status, 201, user.text);
  const { body: its } = await admin.call("GET", `/v1/companies/${id}/users/${user.body.id}/teams`);
  assert.deepEqual(its.data, [made.body]);
  const { body: shown } = await admin.call("GET", `/v1/companies/${id}/users/${user.body.id}`);
  assert.equal(shown.teams[0].id, made.body.id);
  assert.equal(shown.teams[0].custom_fields, undefined);

  app.clock.move(60_000);
  const changed = await admin.call("PUT", path, { custom_fields: nameValues({ opened: null }) });
  assert.deepEqual([changed.status, readCustom(changed.body)], [200, { colour: "Red", opened: null }]);
  const renamed = await admin.call("PUT", path, { name: "South" });
  assert.deepEqual(readCustom(renamed.body), { colour: "Red", opened: null });
  assert.notEqual(changed.headers.get("etag"), made.headers.get("etag"));
  const stale = await admin.call("PUT", path, {}, { "If-Match": made.headers.get("etag")! });
  assert.equal(stale.status, 412);
  const events = await app.sql(
    "select event_name, body from outbox where entity_type = 'team' order by rowid",
  );
  assert.deepEqual(events.map(({ event_name, body }) => [event_name, body]), [
    ["team_created", made.text],
    ["team_updated", changed.text],
    ["team_updated", renamed.text],
  ]);
});

Deno.test("custom values of a team follow the rules of their fields", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await newField(admin, { label: "Seats", type: "numeric" }, [], "team");
  await newField(admin, { label: "Code", is_read_only: true }, [], "team");
  await newField(admin, { label: "Of accounts" });
  const { body: team } = await admin.call("POST", "/v1/teams", { name: "North" });
  const wrong: [string, unknown, string][] = [
    ["seats", "five", "custom_fields[0].value type"],
    ["code", "x", "custom_fields[0].value not_editable"],
    ["of_accounts", "x", "custom_fields[0].name unknown_field"],
  ];
  for (const [name, value, fault] of wrong) {
    const body = { name: "South", custom_fields: nameValues({ [name]: value }) };
    for (const [method, path] of [["POST", "/v1/teams"], ["PUT", `/v1/teams/${team.id}`]] as const) {
      const refused = await admin.call(method, path, body);
      assert.deepEqual([refused.status, listFaults(refused)], [422, [fault.split(" ")]], name);
    }
  }
  assert.equal((await admin.call("GET", "/v1/teams")).body.pagination.total, 1);
});

Deno.test("only members and admins see a custom field of a team or group on teams, also in events", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [north, south] = [await company.team({ name: "North" }), await company.team({ name: "South" })];
  const [insider, outsider] = [
    await company.user({ type: "team_admin", teams: [north] }),
    await company.user({ type: "team_admin", teams: [south] }),
  ];
  await newField(admin, { label: "Secret", team_id: north }, [], "team");
  const change = { custom_fields: nameValues({ secret: "x" }) };
  const changed = await insider.call("PUT", `/v1/teams/${north}`, change);
  assert.deepEqual([changed.status, readCustom(changed.body)], [200, { secret: "x" }]);
  const unknown = await outsider.call("PUT", `/v1/teams/${south}`, change);
  assert.deepEqual(listFaults(unknown), [["custom_fields[0].name", "unknown_field"]]);
  const seen = await outsider.call("GET", `/v1/teams/${north}`);
  assert.deepEqual(seen.body.custom_fields, []);
  // An update by an outsider keeps the values that they do not see.
  await admin.call("PUT", `/v1/teams/${south}`, change);
  const own = await outsider.call("PUT", `/v1/teams/${south}`, { city: "Bern" });
  assert.deepEqual([own.status, own.body.custom_fields], [200, []]);
  assert.deepEqual(readCustom((await admin.call("GET", `/v1/teams/${south}`)).body), { secret: "x" });
  const [event] = await app.sql(
    "select body from outbox where event_name = 'team_updated' order by rowid desc limit 1",
  );
  assert.deepEqual(readCustom(JSON.parse(event!.body as string)), { secret: "x" });
});

Deno.test("values of a deleted team and of a deleted field of teams are removed", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  // Small ids are also those of the elements of an array in `json_each`.
  await app.deps.db.script("insert into sqlite_sequence (name, seq) values ('teams', 100)");
  const size = await newField(admin, { label: "Size", type: "numeric" }, [], "team");
  const remark = await newField(admin, { label: "Remark" }, [], "team");
  const values = { custom_fields: nameValues({ size: 5, remark: "x" }) };
  const [one, other] = [
    (await admin.call("POST", "/v1/teams", { name: "North", ...values })).body,
    (await admin.call("POST", "/v1/teams", { name: "South", ...values })).body,
  ];
  const readKept = async () =>
    (await app.sql("select owner, text, number from custom_values order by owner, field"))
      .map(({ owner, text, number }) => [owner, text ?? number]);
  assert.deepEqual(await readKept(), [[one.id, 5], [one.id, "x"], [other.id, 5], [other.id, "x"]]);
  const reported = await admin.call("GET", `/v1/teams/${one.id}`);
  assert.equal((await admin.call("DELETE", `/v1/teams/${one.id}`)).status, 204);
  assert.deepEqual(await readKept(), [[other.id, 5], [other.id, "x"]]);
  const [event] = await app.sql("select body from outbox where event_name = 'team_deleted'");
  assert.equal(event!.body, reported.text);
  assert.equal((await admin.call("DELETE", `/v1/fields/team/${size.id}`)).status, 204);
  assert.deepEqual(readCustom((await admin.call("GET", `/v1/teams/${other.id}`)).body), { remark: "x" });
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  assert.deepEqual(await readKept(), [[other.id, "x"]]);
  const [row] = await app.sql("select custom from teams where id = ?", other.id);
  assert.deepEqual(JSON.parse(row!.custom as string), { [remark.id]: "x" });
});
