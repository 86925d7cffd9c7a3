import assert from "node:assert/strict";
import { type Body, startApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { newCase, newContact, newPath } from "./parts.ts";

const at = (id: string) => `/v1/relations-paths/${id}`;

Deno.test("an unused path is deleted with its activity types", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const [path, other] = [await newPath(admin), await newPath(admin)];
  const reply = await admin.call("DELETE", at(path.id));
  assert.deepEqual([reply.status, reply.text], [204, ""]);
  assert.equal((await admin.call("GET", at(path.id))).status, 404);
  const { body } = await admin.call("GET", "/v1/relations-paths");
  assert.deepEqual([body.data.map(({ id }: Body) => id), body.pagination.total], [[other.id], 1]);
  assert.deepEqual(await app.sql("select distinct relations_path_id as id from activity_types"), [{
    id: other.id,
  }]);
});

Deno.test("a path that cases or lead types use cannot be deleted; the answer has exact counts", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  const cases = [await newCase(admin, path), await newCase(admin, path)];
  await admin.call("POST", `/v1/cases/${cases[0].id}/activities`, { activity_type_ids: [path.types.Lost] });
  const other = await newPath(admin);
  const { body: type } = await admin.call("POST", "/v1/lead-types", {
    name: "Drive",
    relations_path_ids: [other.id, path.id],
  });
  const blockedBy = async () => {
    const refused = await admin.call("DELETE", at(path.id));
    if (refused.status === 204) return [];
    assert.deepEqual([refused.status, refused.body.code], [409, "delete_blocked"]);
    assert.deepEqual(refused.body.impact.deletes, []);
    return refused.body.impact.blocked_by;
  };
  const types = { type: "lead_type", amount: 1, attribute: "relations_path_ids" };
  assert.deepEqual(await blockedBy(), [{ type: "case", amount: 2, attribute: "relations_path_id" }, types]);
  for (const { account } of cases) {
    assert.equal((await admin.call("DELETE", `/v1/accounts/${account.id}`)).status, 204);
  }
  assert.deepEqual(await blockedBy(), [types]);
  await admin.call("PUT", `/v1/lead-types/${type.id}`, { relations_path_ids: [other.id] });
  assert.deepEqual(await blockedBy(), []);
  assert.equal((await admin.call("GET", at(path.id))).status, 404);
});

Deno.test("a case or lead type is rejected while its path is deleted, and a path that gets one meanwhile stays", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { contact } = await newContact(admin);
  const bodies = {
    "/v1/cases": (id: string) => ({ contact_id: contact.id, relations_path_id: id }),
    "/v1/lead-types": (id: string) => ({ name: "Drive", relations_path_ids: [id] }),
  };
  for (const [where, body] of Object.entries(bodies)) {
    const gone = await newPath(admin);
    const remove = () => admin.call("DELETE", at(gone.id));
    assert.equal((await callMeanwhile(app, admin, "POST", where, remove, body(gone.id))).status, 422, where);
    const path = await newPath(admin);
    const make = () => admin.call("POST", where, body(path.id));
    assert.equal((await callMeanwhile(app, admin, "DELETE", at(path.id), make)).status, 409, where);
    assert.equal((await admin.call("GET", at(path.id))).status, 200, where);
  }
});

Deno.test("paths of a deleted group are shown to admins alone; its field order is deleted", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [group, other] = [await company.group(), await company.group()];
  const [stranger, member] = [
    await company.user(),
    await company.user({ teams: [await company.team({ group_id: group })] }),
  ];
  const path = await newPath(admin, { group_id: group });
  const kept = await newPath(admin, { group_id: other });
  const { body: type } = await admin.call("POST", "/v1/lead-types", {
    name: "Drive",
    relations_path_ids: [path.id],
  });
  for (const group_id of [group, other]) {
    const sort = [{ type: "property", value: "city" }];
    assert.equal((await admin.call("PUT", "/v1/fields/account/sort", { sort, group_id })).status, 200);
  }
  app.clock.move(60_000);
  assert.equal((await admin.call("DELETE", `/v1/groups/${group}`)).status, 204);
  const { body } = await admin.call("GET", at(path.id));
  assert.deepEqual([body.team_id, body.group_id], [null, group]);
  assert.deepEqual((await admin.call("GET", `/v1/lead-types/${type.id}`)).body.relations_paths, [body]);
  for (const by of [stranger, member]) {
    assert.equal((await by.call("GET", at(path.id))).status, 404);
    const { body: listed } = await by.call("GET", "/v1/relations-paths");
    assert.deepEqual([listed.data, listed.pagination.total], [[], 0]);
  }
  // An admin gives it to others.
  const shared = await admin.call("PUT", at(path.id), { group_id: null });
  assert.deepEqual([shared.status, shared.body.group_id], [200, null], shared.text);
  assert.equal((await stranger.call("GET", at(path.id))).status, 200);
  assert.equal((await admin.call("GET", at(kept.id))).body.group_id, other);
  assert.deepEqual(await app.sql("select group_id from field_orders"), [{ group_id: other }]);
});

Deno.test("paths and lead types of a team that is deleted without a successor are shown to admins alone", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [team, other] = [await company.team(), await company.team()];
  const stranger = await company.user();
  const createOwned = async (team_id: number) => {
    const path = await newPath(admin, { team_id });
    const type = await admin.call("POST", "/v1/lead-types", {
      name: "Drive",
      team_id,
      relations_path_ids: [path.id],
    });
    return [at(path.id), `/v1/lead-types/${type.body.id}`];
  };
  const [gone, kept] = [await createOwned(team), await createOwned(other)];
  assert.equal((await admin.call("DELETE", `/v1/teams/${team}`)).status, 204);
  for (const address of [...gone, ...kept]) {
    assert.equal((await stranger.call("GET", address)).status, 404, address);
    assert.equal((await admin.call("GET", address)).status, 200, address);
  }
  for (const list of ["/v1/relations-paths", "/v1/lead-types"]) {
    assert.equal((await stranger.call("GET", list)).body.pagination.total, 0, list);
    assert.equal((await admin.call("GET", list)).body.pagination.total, 2, list);
  }
  // An admin gives them to another team, or to the company.
  for (const address of gone) {
    const shared = await admin.call("PUT", address, { team_id: null });
    assert.deepEqual([shared.status, shared.body.team_id], [200, null], shared.text);
    assert.equal((await stranger.call("GET", address)).status, 200, address);
  }
});
