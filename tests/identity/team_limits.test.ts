import assert from "node:assert/strict";
import { type Body, startApp } from "../support/app.ts";

const codes = ({ body }: { body: Body }) =>
  body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);

/** The most characters of each text of a team. */
const most = {
  name: 255,
  address_1: 100,
  address_2: 100,
  zip_code: 16,
  city: 60,
  state: 60,
  phone_number: 255,
  website: 255,
  vat: 16,
};

const makeText = (field: string, length: number) =>
  field === "website" ? "https://example.org/".padEnd(length, "x") : "1".repeat(length);

Deno.test("each text of a team has its limit, when it is created and updated", async () => {
  await using app = await startApp();
  const { admin, team } = await app.company();
  const path = `/v1/teams/${await team()}`;
  for (const [field, length] of Object.entries(most)) {
    for (const [method, at, given] of [["POST", "/v1/teams", { name: "Kiel" }], ["PUT", path, {}]] as const) {
      const fits = makeText(field, length);
      const taken = await admin.call(method, at, { ...given, [field]: fits });
      assert.ok(taken.status < 300, `${method} ${field}: ${taken.text}`);
      assert.equal(taken.body[field], fits);
      const refused = await admin.call(method, at, { ...given, [field]: makeText(field, length + 1) });
      assert.equal(refused.status, 422, `${method} ${field}`);
      assert.deepEqual(codes(refused), [`${field} max`]);
      const wrong = await admin.call(method, at, { ...given, [field]: 7 });
      assert.deepEqual([wrong.status, ...codes(wrong)], [422, `${field} type`]);
    }
  }
});

Deno.test("every field of a team except its name can be null, when it is created and updated", async () => {
  await using app = await startApp();
  const { admin, team } = await app.company();
  const path = `/v1/teams/${await team()}`;
  const { name: _, ...texts } = most;
  const fields = [...Object.keys(texts), "country", "timezone", "locale", "team_type", "group_id"];
  const nothing = Object.fromEntries(
    [...fields, "use_social_lookup", "custom_fields"].map((key) => [key, null]),
  );
  for (const [method, at, given] of [["POST", "/v1/teams", { name: "Kiel" }], ["PUT", path, {}]] as const) {
    const taken = await admin.call(method, at, { ...given, ...nothing });
    assert.ok(taken.status < 300, taken.text);
    for (const field of fields.filter((key) => !["timezone", "locale"].includes(key))) {
      assert.equal(taken.body[field], null, field);
    }
    assert.deepEqual([taken.body.timezone.name, taken.body.locale.code], ["UTC", "en-GB"]);
    for (const [name, code] of [[null, "required"], ["", "min"], [7, "type"]]) {
      const refused = await admin.call(method, at, { ...given, name });
      assert.deepEqual([refused.status, ...codes(refused)], [422, `name ${code}`]);
    }
  }
});

Deno.test("choices and flags of a team refuse other values, when it is created and updated", async () => {
  await using app = await startApp();
  const { admin, team } = await app.company();
  const path = `/v1/teams/${await team()}`;
  const wrong: [object, string][] = [
    [{ country: "XX" }, "country enum"],
    [{ country: 49 }, "country type"],
    [{ timezone: { name: "Mars/Base" } }, "timezone.name enum"],
    [{ timezone: "Europe/Berlin" }, "timezone type"],
    [{ locale: { code: "de_DE" } }, "locale.code enum"],
    [{ team_type: "" }, "team_type enum"],
    [{ team_type: 1 }, "team_type type"],
    [{ group_id: 0 }, "group_id type"],
    [{ group_id: 1.5 }, "group_id type"],
    [{ group_id: 999_999 }, "group_id exists"],
    [{ use_social_lookup: "yes" }, "use_social_lookup type"],
    [{ website: "ftp://example.org" }, "website format"],
    [{ custom_fields: {} }, "custom_fields type"],
  ];
  for (const [method, at, given] of [["POST", "/v1/teams", { name: "Kiel" }], ["PUT", path, {}]] as const) {
    for (const [body, reported] of wrong) {
      const refused = await admin.call(method, at, { ...given, ...body });
      assert.deepEqual(
        [refused.status, ...codes(refused)],
        [422, reported],
        `${method} ${JSON.stringify(body)}`,
      );
    }
  }
});

Deno.test("the name of a group has 1 to 255 characters, when it is created and updated", async () => {
  await using app = await startApp();
  const { admin, group } = await app.company();
  const path = `/v1/groups/${await group()}`;
  for (const [method, at] of [["POST", "/v1/groups"], ["PUT", path]] as const) {
    for (const name of ["n", "n".repeat(255)]) {
      const taken = await admin.call(method, at, { name });
      assert.deepEqual([taken.status, taken.body.name], [method === "POST" ? 201 : 200, name]);
    }
    for (const [name, code] of [["", "min"], ["n".repeat(256), "max"], [null, "required"], [7, "type"]]) {
      const refused = await admin.call(method, at, { name });
      assert.deepEqual([refused.status, ...codes(refused)], [422, `name ${code}`]);
    }
  }
});

Deno.test("lists of teams and groups have 1 to 100 a page, and sort by created_at only", async () => {
  await using app = await startApp();
  const { admin, team, group } = await app.company();
  const made = { teams: [await team(), await team()], groups: [await group(), await group()] };
  for (const [kind, ids] of Object.entries(made)) {
    const list = async (query: string) => await admin.call("GET", `/v1/${kind}?${query}`);
    const listIds = async (query: string) => (await list(query)).body.data.map(({ id }: Body) => id);
    assert.deepEqual(await listIds("sort=created_at"), ids);
    assert.deepEqual(await listIds("sort=-created_at"), ids.toReversed());
    assert.deepEqual(await listIds("per_page=1&page=0"), ids.slice(1));
    assert.deepEqual(await listIds("per_page=100&page=9"), []);
    for (
      const [query, reported] of [["per_page=0", "query.per_page min"], [
        "per_page=101",
        "query.per_page max",
      ], [
        "sort=name",
        "query.sort enum",
      ], ["page=x", "query.page type"]] as const
    ) {
      const refused = await list(query);
      assert.deepEqual([refused.status, ...codes(refused)], [422, reported], `${kind}?${query}`);
    }
  }
  const foreign = await admin.call("GET", "/v1/teams?groups=x");
  assert.deepEqual([foreign.status, foreign.body.errors[0].code], [422, "type"]);
});
