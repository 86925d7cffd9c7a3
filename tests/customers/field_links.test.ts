import assert from "node:assert/strict";
import { type Actor, startApp } from "../support/app.ts";
import { listFaults, nameValues, newAccount, newField, readCustom } from "./fields_world.ts";

const readLinks = async (actor: Actor, id: string) =>
  (await actor.call("GET", `/v1/fields/account/${id}`)).body.links;

Deno.test("a field that is no choice any more is in no link, and one of a single choice keeps links to one option alone", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const make = await newField(admin, { label: "Make", type: "single_choice" }, ["vw", "kia"]);
  const model = await newField(admin, { label: "Model", type: "multiple_choice" }, ["golf", "polo", "rio"]);
  const change = async (id: string, body: object) =>
    assert.equal((await admin.call("PUT", `/v1/fields/account/${id}`, body)).status, 200);
  const { golf, polo, rio } = model.options;
  const link = { field_id: make.id, default_option: null };
  const links = [
    { ...link, option_id: make.options.vw, options_shown: [golf, polo] },
    { ...link, option_id: make.options.kia, options_shown: [rio] },
  ];
  assert.equal((await admin.call("PUT", `/v1/fields/account/${model.id}/links`, { links })).status, 200);

  await change(model.id, { type: "single_choice" });
  assert.deepEqual(
    (await readLinks(admin, model.id)).map((each: { options_shown: [] }) => each.options_shown),
    [
      [rio],
    ],
  );
  await change(make.id, { label: "Brand" });
  assert.equal((await readLinks(admin, model.id)).length, 1);
  await change(make.id, { type: "text" });
  assert.deepEqual(await readLinks(admin, model.id), []);
});

Deno.test("deleting a field or an option removes all links to it, also those of fields that the caller does not see", async () => {
  await using app = await startApp();
  const { admin, ...company } = await app.company();
  const group_id = await company.group();
  const [own, other] = [await company.team({ group_id }), await company.team({ group_id })];
  const groupAdmin = await company.user({ type: "group_admin", teams: [own] });
  const make = await newField(admin, { label: "Make", type: "single_choice", group_id }, ["vw", "kia"]);
  const model = await newField(admin, { label: "Model", type: "single_choice", team_id: other }, ["golf"]);
  const links = [make.options.vw, make.options.kia].map((option_id) => ({
    field_id: make.id,
    option_id,
    options_shown: [model.options.golf],
  }));
  assert.equal((await admin.call("PUT", `/v1/fields/account/${model.id}/links`, { links })).status, 200);
  assert.equal((await groupAdmin.call("GET", `/v1/fields/account/${model.id}`)).status, 404);

  const path = `/v1/fields/account/${make.id}`;
  assert.equal((await groupAdmin.call("DELETE", `${path}/options/${make.options.vw}`)).status, 204);
  assert.deepEqual((await readLinks(admin, model.id)).map((link: { option_id: string }) => link.option_id), [
    make.options.kia,
  ]);
  assert.equal((await groupAdmin.call("DELETE", path)).status, 204);
  assert.deepEqual(await readLinks(admin, model.id), []);
});

Deno.test("null for whether a field is hidden or read-only is no, on making as on changing it", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const cleared = { is_hidden: null, is_read_only: null };
  const pickFlags = ({ body }: { body: { is_hidden: boolean; is_read_only: boolean } }) => [
    body.is_hidden,
    body.is_read_only,
  ];
  const made = await admin.call("POST", "/v1/fields/account", { label: "x", type: "text", ...cleared });
  assert.deepEqual([made.status, ...pickFlags(made)], [201, false, false]);
  const path = `/v1/fields/account/${made.body.id}`;
  await admin.call("PUT", path, { is_hidden: true, is_read_only: true });
  assert.deepEqual(pickFlags(await admin.call("PUT", path, { label: "y" })), [true, true]);
  const changed = await admin.call("PUT", path, cleared);
  assert.deepEqual([changed.status, ...pickFlags(changed)], [200, false, false]);
});

Deno.test("several choices of one field show the options of each; choices of several fields, what all of them show", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const make = await newField(admin, { label: "Make", type: "multiple_choice" }, ["vw", "kia"]);
  const fuel = await newField(admin, { label: "Fuel", type: "single_choice" }, ["diesel"]);
  const model = await newField(admin, { label: "Model", type: "multiple_choice" }, ["golf", "rio", "up"]);
  const { golf, rio, up } = model.options;
  const links = [
    { field_id: make.id, option_id: make.options.vw, options_shown: [golf] },
    { field_id: make.id, option_id: make.options.vw, options_shown: [up] },
    { field_id: make.id, option_id: make.options.kia, options_shown: [rio] },
    { field_id: fuel.id, option_id: fuel.options.diesel, options_shown: [golf, rio] },
  ];
  assert.equal((await admin.call("PUT", `/v1/fields/account/${model.id}/links`, { links })).status, 200);
  const { vw, kia } = make.options;
  const all = await newAccount(admin, { make: [vw, kia], model: [golf, up, rio] });
  assert.deepEqual(readCustom(all).model, ["golf", "up", "rio"]);
  const put = (values: object) =>
    admin.call("PUT", `/v1/accounts/${all.id}`, { custom_fields: nameValues({ ...values }) });
  assert.deepEqual(readCustom((await put({ fuel: fuel.options.diesel })).body).model, ["golf", "rio"]);
  assert.deepEqual(listFaults(await put({ model: [up] })), [["custom_fields[0].value", "enum"]]);
  assert.deepEqual(readCustom((await put({ make: [vw] })).body).model, ["golf"]);
});

Deno.test("a choice that is only repeated leaves what was chosen by it, and one that is new takes the default", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const make = await newField(admin, { label: "Make", type: "single_choice" }, ["vw", "kia"]);
  const model = await newField(admin, { label: "Model", type: "multiple_choice" }, ["golf", "polo"]);
  const { golf, polo } = model.options;
  const links = [
    { field_id: make.id, option_id: make.options.vw, options_shown: [golf, polo], default_option: golf },
  ];
  assert.equal((await admin.call("PUT", `/v1/fields/account/${model.id}/links`, { links })).status, 200);
  const { vw, kia } = make.options;
  const account = await newAccount(admin, { make: vw, model: [polo] });
  const after = async (values: object) =>
    readCustom(
      (await admin.call("PUT", `/v1/accounts/${account.id}`, { custom_fields: nameValues({ ...values }) }))
        .body,
    ).model;
  assert.deepEqual(await after({ make: vw }), ["polo"]);
  await after({ model: [] });
  assert.deepEqual(await after({ make: vw }), null);
  await after({ make: kia });
  assert.deepEqual(await after({ make: vw }), ["golf"]);
});
