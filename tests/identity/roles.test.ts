import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { rights } from "../../src/core/rights.ts";
import { startApp } from "../support/app.ts";
import { readTogether } from "../support/race.ts";

Deno.test("the rights are listed by group, with their dependencies and user types", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { status, body } = await (await company.user()).call("GET", "/v1/rights-groups");
  assert.equal(status, 200);
  const names = body.data.map((group: { name: string }) => group.name);
  assert.deepEqual(names, [...new Set(Object.values(rights).map(({ group }) => group))]);
  const all = body.data.flatMap((group: { name: string; rights: { group: string }[] }) => {
    for (const right of group.rights) assert.equal(right.group, group.name);
    return group.rights;
  });
  assert.deepEqual(all.map((right: { name: string }) => right.name).sort(), Object.keys(rights).sort());
  const findRight = (name: string) => all.find((right: { name: string }) => right.name === name);
  assert.deepEqual(findRight("leads.delete"), {
    name: "leads.delete",
    group: "leads",
    assignable: true,
    default: false,
    dependencies: ["leads.create"],
  });
  assert.deepEqual([findRight("admin").assignable, findRight("admin").user_types], [false, ["admin"]]);
  assert.equal(findRight("customers.create").default, true);
});

Deno.test("a role shows its rights, in lists it does not, newest first", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const made = await admin.call("POST", "/v1/roles", {
    name: "Agency",
    rights: ["leads.delete", "agency", "leads.create", "agency"],
  });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(made.body, {
    id: made.body.id,
    name: "Agency",
    rights: ["leads.create", "leads.delete", "agency"],
    created_at: "2026-03-02 09:00:00",
    updated_at: "2026-03-02 09:00:00",
  });
  const got = await admin.call("GET", `/v1/roles/${made.body.id}`);
  assert.deepEqual([got.text, got.headers.get("etag")], [made.text, made.headers.get("etag")]);
  app.clock.move(1000);
  const bare = await admin.call("POST", "/v1/roles", { name: "Bare" });
  assert.deepEqual([bare.status, bare.body.rights], [201, []]);
  const { body: list } = await admin.call("GET", "/v1/roles");
  const { rights: _, ...summary } = made.body;
  assert.deepEqual([list.data[1], list.pagination.total], [summary, 2]);
  assert.deepEqual(list.data.map((role: { id: number }) => role.id), [bare.body.id, made.body.id]);
});

Deno.test("a role needs a name of 1 to 255 characters that no other role of the company has", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const other = await app.company("Other");
  const readFaults = async (method: string, path: string, body: object) => {
    const reply = await admin.call(method, path, body);
    assert.equal(reply.status, 422, reply.text);
    return reply.body.errors.map((error: { path: string; code: string }) => `${error.path} ${error.code}`);
  };
  const first = (await admin.call("POST", "/v1/roles", { name: "n".repeat(255) })).body;
  assert.equal(first.name.length, 255);
  const second = (await admin.call("POST", "/v1/roles", { name: "Second" })).body;
  assert.deepEqual(await readFaults("POST", "/v1/roles", {}), ["name required"]);
  assert.deepEqual(await readFaults("POST", "/v1/roles", { name: "" }), ["name min"]);
  assert.deepEqual(await readFaults("POST", "/v1/roles", { name: "n".repeat(256) }), ["name max"]);
  assert.deepEqual(await readFaults("POST", "/v1/roles", { name: "Second" }), ["name unique"]);
  assert.deepEqual(await readFaults("PUT", `/v1/roles/${first.id}`, { name: "Second" }), ["name unique"]);
  assert.deepEqual(await readFaults("PUT", `/v1/roles/${first.id}`, { name: null }), ["name required"]);
  assert.equal((await admin.call("PUT", `/v1/roles/${second.id}`, { name: "Second" })).status, 200);
  assert.equal((await other.admin.call("POST", "/v1/roles", { name: "Second" })).status, 201);
});

Deno.test("a role has no unknown right, no right that is not assignable, and none without its dependencies", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const role = (await admin.call("POST", "/v1/roles", { name: "Role" })).body;
  for (
    const [given, path, code] of [
      [["agency", "fly"], "rights[1]", "enum"],
      [["toString"], "rights[0]", "enum"],
      [["admin"], "rights[0]", "enum"],
      [["campaigns.send"], "rights[0]", "required"],
      // Default rights count only if the role names them too.
      [["customers.delete"], "rights[0]", "required"],
      [[7], "rights[0]", "type"],
      ["agency", "rights", "type"],
    ] as const
  ) {
    for (
      const [method, at] of [["POST", "/v1/roles"], ["PUT", `/v1/roles/${role.id}`]] as const
    ) {
      const reply = await admin.call(method, at, { name: "Other", rights: given });
      assert.equal(reply.status, 422, reply.text);
      assert.deepEqual([reply.body.errors[0].path, reply.body.errors[0].code], [path, code]);
    }
  }
  const rightsOf = { name: "Sender", rights: ["campaigns.send", "campaigns.manage"] };
  assert.equal((await admin.call("POST", "/v1/roles", rightsOf)).status, 201);
});

Deno.test("updating a role keeps absent fields; null clears the rights", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { id } = (await admin.call("POST", "/v1/roles", { name: "Role", rights: ["agency"] })).body;
  app.clock.move(60_000);
  const renamed = await admin.call("PUT", `/v1/roles/${id}`, { name: "Renamed" });
  assert.deepEqual([renamed.status, renamed.body.name, renamed.body.rights], [200, "Renamed", ["agency"]]);
  assert.deepEqual([renamed.body.created_at, renamed.body.updated_at], [
    "2026-03-02 09:00:00",
    "2026-03-02 09:01:00",
  ]);
  const other = await admin.call("PUT", `/v1/roles/${id}`, { rights: ["files.publish"] });
  assert.deepEqual([other.body.name, other.body.rights], ["Renamed", ["files.publish"]]);
  const cleared = await admin.call("PUT", `/v1/roles/${id}`, { rights: null });
  assert.deepEqual(cleared.body.rights, []);
  assert.equal((await admin.call("GET", `/v1/roles/${id}`)).text, cleared.text);
});

Deno.test("changed rights and the deletion of a role apply to its users with their next call", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const { id } = (await admin.call("POST", "/v1/roles", { name: "Role" })).body;
  const ada = await company.user();
  await app.deps.db.write([{
    sql: "insert into user_roles (user_id, role_id) values (?, ?)",
    args: [ada.id, id],
  }]);
  const holds = async () => (await ada.call("GET", "/v1/me")).body.rights.includes("webhooks.manage");
  assert.equal(await holds(), false);
  await admin.call("PUT", `/v1/roles/${id}`, { rights: ["webhooks.manage"] });
  assert.equal(await holds(), true);
  const subscribe = async (path: string) =>
    (await ada.call("POST", "/v1/webhooks", {
      target_url: `http://127.0.0.1:9/${path}`,
      webhook_event: "note_created",
    })).status;
  assert.equal(await subscribe("one"), 201);
  await admin.call("PUT", `/v1/roles/${id}`, { rights: [] });
  assert.equal(await holds(), false);
  assert.equal(await subscribe("two"), 403);
  await admin.call("PUT", `/v1/roles/${id}`, { rights: ["webhooks.manage"] });
  assert.equal(await holds(), true);
  assert.equal((await admin.call("DELETE", `/v1/roles/${id}`)).status, 204);
  assert.equal(await holds(), false);
  assert.deepEqual((await ada.call("GET", "/v1/me")).body.roles, []);
});

Deno.test("the delete-impact counts the users who would lose the role, without deleted ones", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const { id } = (await admin.call("POST", "/v1/roles", { name: "Role" })).body;
  const impact = async () => (await admin.call("GET", `/v1/roles/${id}/delete-impact`)).body;
  assert.deepEqual(await impact(), {
    blocked_by: [],
    deletes: [],
    affects: [{ type: "users", amount: 0 }],
  });
  const users = [await company.user(), await company.user(), await company.user()];
  await app.deps.db.write([
    ...users.map((user) => ({
      sql: "insert into user_roles (user_id, role_id) values (?, ?)",
      args: [user.id, id],
    })),
    { sql: "update users set deleted_at = created_at where id = ?", args: [users[0]!.id] },
  ]);
  assert.deepEqual((await impact()).affects, [{ type: "users", amount: 2 }]);
  assert.equal((await admin.call("DELETE", `/v1/roles/${id}`)).status, 204);
  for (const path of [`/v1/roles/${id}`, `/v1/roles/${id}/delete-impact`]) {
    assert.equal((await admin.call("GET", path)).status, 404);
  }
  assert.deepEqual(await app.sql("select * from user_roles"), []);
  assert.deepEqual(await app.sql("select * from role_rights"), []);
  // Exactly the users who lose it change.
  const changed = await app.sql(
    "select event_name, cast(entity_id as integer) as id from outbox order by rowid",
  );
  const expected = users.slice(1).map(({ id }) => ({ event_name: "user_updated", id }));
  assert.deepEqual(changed, expected);
});

Deno.test("only admins write roles; all users read them", async () => {
  await using app = await startApp();
  const company = await app.company();
  const team = await company.team({ group_id: await company.group() });
  const { id } = (await company.admin.call("POST", "/v1/roles", { name: "Role" })).body;
  for (const type of ["group_admin", "team_admin", "user"] as const) {
    const actor = await company.user({ type, teams: [team] });
    assert.equal((await actor.call("POST", "/v1/roles", { name: "x" })).status, 403);
    assert.equal((await actor.call("PUT", `/v1/roles/${id}`, { name: "x" })).status, 403);
    assert.equal((await actor.call("DELETE", `/v1/roles/${id}`)).status, 403);
    for (const path of ["/v1/roles", `/v1/roles/${id}`, `/v1/roles/${id}/delete-impact`]) {
      assert.equal((await actor.call("GET", path)).status, 200, path);
    }
  }
});

Deno.test("If-Match covers the role with its rights", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const made = await admin.call("POST", "/v1/roles", { name: "Role" });
  const path = `/v1/roles/${made.body.id}`;
  const match = { "If-Match": made.headers.get("etag")! };
  const first = await admin.call("PUT", path, { rights: ["agency"] }, match);
  assert.equal(first.status, 200);
  for (const method of ["PUT", "DELETE"]) {
    assert.equal((await admin.call(method, path, { rights: [] }, match)).body.code, "precondition_failed");
  }
  const now = { "If-Match": first.headers.get("etag")! };
  assert.equal((await admin.call("DELETE", path, undefined, now)).status, 204);
});

Deno.test("of two concurrent roles with one name one is created, the other is refused with unique", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const together = createApp({ ...app.deps, db: readTogether(app.deps.db, 2) });
  const replies = await Promise.all([1, 2].map(() =>
    together.fetch(
      new Request("http://localhost/v1/roles", {
        method: "POST",
        headers: { Authorization: `Bearer ${admin.token}`, "Content-Type": "application/json" },
        body: JSON.stringify({ name: "Same" }),
      }),
    )
  ));
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 422]);
});

Deno.test("of two concurrent updates with the same version of a role one succeeds", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const made = await admin.call("POST", "/v1/roles", { name: "Role" });
  const together = createApp({ ...app.deps, db: readTogether(app.deps.db, 2) });
  const replies = await Promise.all(["agency", "files.publish"].map((right) =>
    together.fetch(
      new Request(`http://localhost/v1/roles/${made.body.id}`, {
        method: "PUT",
        headers: {
          "Authorization": `Bearer ${admin.token}`,
          "Content-Type": "application/json",
          "If-Match": made.headers.get("etag")!,
        },
        body: JSON.stringify({ rights: [right] }),
      }),
    )
  ));
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412]);
});
