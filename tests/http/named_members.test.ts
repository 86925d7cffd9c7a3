/** Members that callers name have any name, also one with a meaning in JavaScript. */
import assert from "node:assert/strict";
import { nameFields } from "../sales/leads_world.ts";
import { type Body, RawBody, startApp } from "../support/app.ts";
import { makeFile, makeMultipart } from "../support/pictures.ts";

const faults = ({ status, body }: { status: number; body: Body }) => [
  status,
  ...(body.errors ?? []).map(({ path, code }: Body) => `${path} ${code}`),
];

Deno.test("a column of an import may have the name __proto__", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const text = "__proto__,city\nAda Ltd,London\n";
  const importNamed = async (mapping: string, name = text) => {
    const sent = { entity: "accounts", mapping, file: makeFile("c.csv", new TextEncoder().encode(name)) };
    return await admin.call("POST", "/v1/imports", await makeMultipart(sent));
  };
  const made = await importNamed('{"__proto__":"name"}');
  assert.equal(made.status, 201, made.text);
  assert.match(made.text, /"mapping":\{"__proto__":"name"\},"unmapped":\["city"\]/);
  await app.idle();
  const { data: [account] } = (await admin.call("GET", "/v1/accounts")).body;
  assert.equal(account.fixed_fields[0].value, "Ada Ltd");
  assert.deepEqual(faults(await importNamed('{"__proto__":"nope"}')), [
    422,
    "mapping.__proto__ unknown_field",
  ]);
  assert.deepEqual(faults(await importNamed('{"__proto__":{}}')), [422, "mapping.__proto__ type"]);
  assert.deepEqual(faults(await importNamed('{"__proto__":"name"}', "name\nAda\n")), [
    422,
    "mapping.__proto__ exists",
  ]);
});

Deno.test("a merge refuses a field named __proto__, and a view keeps such a parameter", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const sendText = (path: string, text: string) =>
    admin.call("POST", path, new RawBody("application/json", new TextEncoder().encode(text)));
  const [into, from] = await Promise.all(
    ["Ada Ltd", "Ben Ltd"].map(async (name) =>
      (await admin.call("POST", "/v1/accounts", { fixed_fields: nameFields({ name }) })).body
    ),
  );
  const merge = await sendText(
    `/v1/accounts/${into.id}/merge`,
    `{"from_id":"${from.id}","take":{"__proto__":"other"}}`,
  );
  assert.deepEqual(faults(merge), [422, "take.__proto__ unknown_field"]);
  const view = await sendText("/v1/views", '{"name":"Mine","entity":"lead","query":{"__proto__":"x"}}');
  assert.match(view.text, /__proto__/);
});
