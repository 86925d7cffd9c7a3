/** Folders of the file manager: belongings, order, moves, levels and deletion. */
import assert from "node:assert/strict";
import { removeObjects } from "../../src/db/objects.ts";
import { makeId } from "../../src/core/ids.ts";
import { startApp } from "../support/app.ts";
import { filesIn } from "../support/s3.ts";
import { fileRow, folderRow } from "./library_world.ts";
import { listShown, makeFolder, readRefusal, upload } from "./manager_world.ts";

Deno.test("a folder has its fields, at a root and in another folder, and what is directly in it", async () => {
  await using app = await startApp();
  const { admin, id: company_id } = await app.company();
  const outer = await makeFolder(admin, "Offers", { belongs_to: "company" });
  assert.deepEqual(outer, {
    id: outer.id,
    name: "Offers",
    created_at: "2026-03-02 09:00:00",
    updated_at: "2026-03-02 09:00:00",
    company_id,
    user_id: admin.id,
    folder_id: null,
    belongs_to: "company",
    belongs_to_id: company_id,
  });
  const inner = await makeFolder(admin, "2026", { belongs_to: "company", folder_id: outer.id });
  assert.deepEqual([inner.folder_id, inner.belongs_to, inner.belongs_to_id], [
    outer.id,
    "company",
    company_id,
  ]);
  await upload(admin, `company/${outer.id}`, "b.txt");
  await upload(admin, `company/${inner.id}`, "deep.txt");
  const read = await admin.call("GET", `/v1/filemanager/folders/${outer.id}`);
  assert.deepEqual(listShown(read), [["2026"], ["b.txt"]]);
  assert.equal(read.body.id, outer.id);
  assert.equal(read.body.pagination.total, 2);
  assert.deepEqual(listShown(await admin.call("GET", "/v1/filemanager")), [["Offers"], []]);
});

Deno.test("items come by name without case and accents, folders first, over all pages", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (const name of ["zoo", "Äpfel", "birnen"]) await makeFolder(admin, name, { belongs_to: "user" });
  for (const name of ["z.txt", "É.txt", "a.txt"]) await upload(admin, "user", name);
  const all: string[] = [];
  let path: string | null = "/v1/filemanager?belongs_to=user&per_page=2";
  while (path) {
    const reply = await admin.call("GET", path);
    all.push(...listShown(reply).flat());
    assert.equal(reply.body.pagination.total, 6);
    const { next } = reply.body.pagination.urls;
    path = next && next.slice(app.url.length);
  }
  assert.deepEqual(all, ["Äpfel", "birnen", "zoo", "a.txt", "É.txt", "z.txt"]);
  assert.deepEqual(readRefusal(await admin.call("GET", "/v1/filemanager?per_page=1001")), [
    422,
    "query.per_page max",
  ]);
});

Deno.test("each belonging is written by its own people and read by its members", async () => {
  await using app = await startApp();
  const company = await app.company();
  const group = await company.group();
  const team = await company.team({ group_id: group });
  const user = await company.user({ teams: [team] });
  const teamAdmin = await company.user({ type: "team_admin", teams: [team] });
  const groupAdmin = await company.user({ type: "group_admin", teams: [team] });
  const stranger = await company.user({ teams: [await company.team()] });
  const lone = await company.user();
  const create = async (actor: typeof user, belongs_to: string, more: object = {}) =>
    (await actor.call("POST", "/v1/filemanager/folders", { name: belongs_to, belongs_to, ...more })).status;
  const tryCreate = async (belongs_to: string) => {
    const statuses = [];
    for (const actor of [user, teamAdmin, groupAdmin]) statuses.push(await create(actor, belongs_to));
    statuses.push(await create(company.admin, belongs_to, { group_id: group, team_id: team }));
    return statuses;
  };
  assert.deepEqual(await tryCreate("company"), [403, 403, 403, 200]);
  assert.deepEqual(await tryCreate("group"), [403, 403, 200, 200]);
  assert.deepEqual(await tryCreate("team"), [403, 200, 200, 200]);
  assert.deepEqual(await tryCreate("user"), [200, 200, 200, 200]);
  assert.deepEqual(listShown(await user.call("GET", "/v1/filemanager"))[0], [
    "company",
    "group",
    "group",
    "team",
    "team",
    "team",
    "user",
  ]);
  assert.deepEqual(listShown(await stranger.call("GET", "/v1/filemanager"))[0], ["company"]);
  assert.deepEqual(listShown(await stranger.call("GET", `/v1/filemanager?belongs_to=team&team_id=${team}`)), [
    [],
    [],
  ]);
  assert.deepEqual(
    listShown(await company.admin.call("GET", `/v1/filemanager?belongs_to=team&team_id=${team}`))[0],
    [
      "team",
      "team",
      "team",
    ],
  );
  assert.deepEqual(readRefusal(await lone.call("GET", "/v1/filemanager?belongs_to=team")), [
    422,
    "query.team_id required",
  ]);
  const body = { name: "x", belongs_to: "team" };
  const at = "/v1/filemanager/folders";
  assert.deepEqual(readRefusal(await lone.call("POST", at, body)), [422, "team_id required"]);
  assert.deepEqual(readRefusal(await lone.call("POST", at, { ...body, team_id: team })), [
    422,
    "team_id exists",
  ]);
  assert.deepEqual(readRefusal(await lone.call("POST", at, { name: "x", belongs_to: "group" })), [
    422,
    "group_id required",
  ]);
});

Deno.test("a folder moves with all in it, never below itself, and disagreeing places are 409", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const a = await makeFolder(admin, "a", { belongs_to: "company" });
  const b = await makeFolder(admin, "b", { belongs_to: "company", folder_id: a.id });
  const own = await makeFolder(admin, "own", { belongs_to: "user" });
  const file = await upload(admin, `company/${b.id}`);
  const put = (id: string, body: object) => admin.call("PUT", `/v1/filemanager/folders/${id}`, body);
  for (const folder_id of [a.id, b.id]) {
    assert.deepEqual(readRefusal(await put(a.id, { name: "a", belongs_to: "company", folder_id })), [
      422,
      "folder_id excluded",
    ]);
  }
  assert.deepEqual(readRefusal(await put(a.id, { name: "a", belongs_to: "company", folder_id: own.id })), [
    409,
    "folder_mismatch",
  ]);
  assert.deepEqual(readRefusal(await put(b.id, { name: "b", belongs_to: "user" })), [409, "folder_mismatch"]);
  assert.deepEqual(readRefusal(await put(b.id, { name: "b", belongs_to: "user", folder_id: makeId() })), [
    422,
    "folder_id exists",
  ]);
  const renamed = await put(b.id, { name: "bb", belongs_to: "company" });
  assert.deepEqual([renamed.body.name, renamed.body.folder_id], ["bb", a.id]);
  const moved = await put(a.id, { name: "a", belongs_to: "user", folder_id: own.id });
  assert.deepEqual([moved.status, moved.body.folder_id, moved.body.belongs_to], [200, own.id, "user"]);
  const inside = await admin.call("GET", `/v1/files/${file.id}`);
  assert.deepEqual([inside.body.belongs_to, inside.body.belongs_to_id], ["user", admin.id]);
  const root = await put(a.id, { name: "a", belongs_to: "user", folder_id: null });
  assert.deepEqual([root.body.folder_id, root.body.belongs_to], [null, "user"]);
});

Deno.test("of two folders that move into each other at once, at most one does", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (let round = 0; round < 10; round++) {
    const deep = await makeFolder(admin, "deep", { belongs_to: "company" });
    const a = await makeFolder(admin, "a", { belongs_to: "company", folder_id: deep.id });
    const b = await makeFolder(admin, "b", { belongs_to: "company" });
    const into = (one: string, other: string) =>
      admin.call("PUT", `/v1/filemanager/folders/${one}`, {
        name: "x",
        belongs_to: "company",
        folder_id: other,
      });
    const replies = await Promise.all([into(a.id, b.id), into(b.id, a.id)]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 422]);
    assert.deepEqual(await app.sql("select count(*) as n from folders where id = folder_id"), [{ n: 0 }]);
    const read = await admin.call("GET", "/v1/filemanager?belongs_to=company");
    assert.ok(listShown(read)[0].length > 0);
  }
});

Deno.test("the deepest folder has level 20; a moved tree counts whole", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const levels: string[] = [];
  for (let level = 1; level <= 20; level++) {
    const folder_id = levels.at(-1) ?? null;
    levels.push((await makeFolder(admin, `${level}`, { belongs_to: "user", folder_id })).id);
  }
  const deepest = levels[19]!;
  const body = { name: "21", belongs_to: "user", folder_id: deepest };
  assert.deepEqual(readRefusal(await admin.call("POST", "/v1/filemanager/folders", body)), [
    422,
    "folder_id max",
  ]);
  await upload(admin, `user/${deepest}`);
  const tree = await makeFolder(admin, "tree", { belongs_to: "user" });
  await makeFolder(admin, "leaf", { belongs_to: "user", folder_id: tree.id });
  const move = (folder_id: string) =>
    admin.call("PUT", `/v1/filemanager/folders/${tree.id}`, { name: "tree", belongs_to: "user", folder_id });
  assert.deepEqual(readRefusal(await move(levels[18]!)), [422, "folder_id max"]);
  assert.equal((await move(levels[17]!)).status, 200);
});

Deno.test("a folder that may be read but not written is 403, one that may not be read 404", async () => {
  await using app = await startApp();
  const company = await app.company();
  const user = await company.user();
  const shared = await makeFolder(company.admin, "shared", { belongs_to: "company" });
  const own = await makeFolder(company.admin, "own", { belongs_to: "user" });
  const of = (id: string) => `/v1/filemanager/folders/${id}`;
  const body = { name: "x", belongs_to: "company" };
  assert.deepEqual([
    (await user.call("GET", of(shared.id))).status,
    (await user.call("PUT", of(shared.id), body)).status,
    (await user.call("DELETE", of(shared.id))).status,
    (await user.call("GET", of(own.id))).status,
    (await user.call("PUT", of(own.id), body)).status,
    (await user.call("DELETE", of(own.id))).status,
  ], [200, 403, 403, 404, 404, 404]);
});

Deno.test("If-Match holds for folders by the answers of writes", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const body = { name: "a", belongs_to: "user" };
  const made = await admin.call("POST", "/v1/filemanager/folders", body);
  const at = `/v1/filemanager/folders/${made.body.id}`;
  const tag = { "If-Match": made.headers.get("etag")! };
  assert.equal((await admin.call("PUT", at, { ...body, name: "b" }, tag)).status, 200);
  assert.equal((await admin.call("PUT", at, { ...body, name: "c" }, tag)).status, 412);
});

Deno.test("the ETag of a folder's GET changes with what is in it, and holds as If-Match for the folder", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const folder = await makeFolder(admin, "tagged", { belongs_to: "user" });
  const at = `/v1/filemanager/folders/${folder.id}`;
  const first = (await admin.call("GET", at)).headers.get("etag")!;
  assert.equal((await admin.call("GET", at, undefined, { "If-None-Match": first })).status, 304);
  await upload(admin, `user/${folder.id}`, "a.txt");
  const second = await admin.call("GET", at, undefined, { "If-None-Match": first });
  assert.equal(second.status, 200);
  const tag = second.headers.get("etag")!;
  const rename = (name: string) => admin.call("PUT", at, { name, belongs_to: "user" }, { "If-Match": tag });
  assert.equal((await rename("renamed")).status, 200);
  assert.equal((await rename("again")).status, 412);
});

Deno.test("a folder with few files is deleted with them and their objects in one commit", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const folder = await makeFolder(admin, "small", { belongs_to: "user" });
  await upload(admin, `user/${folder.id}`, "a.txt");
  await upload(admin, `user/${folder.id}`, "b.txt");
  const reply = await admin.call("DELETE", `/v1/filemanager/folders/${folder.id}`);
  const counts = "select (select count(*) from files) + (select count(*) from folders)" +
    " + (select count(*) from staged_work) as n";
  assert.deepEqual([reply.status, await app.sql(counts)], [204, [{ n: 0 }]]);
  await removeObjects(app.deps, app.clock.now());
  assert.equal(filesIn(`${app.folder}/files`).length, 0);
});

Deno.test("a deleted tree is gone from every list and from the usage at once, and removed in steps", async () => {
  await using app = await startApp();
  const { admin, id: company_id } = await app.company();
  const top = await makeFolder(admin, "top", { belongs_to: "user" });
  const stays = await upload(admin, "user", "stays.txt");
  const file = await upload(admin, `user/${top.id}`, "real.txt");
  const shared = { company_id, user_id: admin.id };
  for (let number = 0; number < 12; number++) {
    const folder_id = await folderRow(app, { ...shared, folder_id: top.id, name: `${number}` });
    const inner = await folderRow(app, { ...shared, folder_id });
    for (let each = 0; each < 25; each++) await fileRow(app, { ...shared, folder_id: inner });
  }
  assert.equal((await admin.call("DELETE", `/v1/filemanager/folders/${top.id}`)).status, 204);
  assert.equal((await admin.call("GET", `/v1/files/${file.id}`)).status, 404);
  assert.equal((await admin.call("GET", `/v1/filemanager/folders/${top.id}`)).status, 404);
  assert.deepEqual(listShown(await admin.call("GET", "/v1/filemanager?belongs_to=user")), [[], [
    "stays.txt",
  ]]);
  assert.equal((await admin.call("GET", "/v1/files")).body.pagination.total, 1);
  assert.deepEqual((await admin.call("GET", "/v1/files/usage")).body, { files: 1, bytes: 6, quota: null });
  await app.idle();
  assert.deepEqual(await app.sql("select id from files"), [{ id: stays.id }]);
  assert.deepEqual(await app.sql("select count(*) as n from folders"), [{ n: 0 }]);
  assert.deepEqual(await app.sql("select count(*) as n from staged_work"), [{ n: 0 }]);
  assert.deepEqual((await admin.call("GET", "/v1/files/usage")).body, { files: 1, bytes: 6, quota: null });
  await removeObjects(app.deps, app.clock.now());
  assert.equal(filesIn(`${app.folder}/files`).length, 1);
});

Deno.test("a folder in removal takes nothing, and one above it can be deleted meanwhile", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const outer = await makeFolder(admin, "outer", { belongs_to: "user" });
  const inner = await makeFolder(admin, "inner", { belongs_to: "user", folder_id: outer.id });
  await upload(admin, `user/${inner.id}`, "a.txt");
  await app.deps.db.write([{
    sql: "update folders set deleted_at = created_at, removed_files = 1, removed_bytes = 6 where id = ?",
    args: [inner.id],
  }]);
  const body = { name: "x", belongs_to: "user", folder_id: inner.id };
  assert.deepEqual(readRefusal(await admin.call("POST", "/v1/filemanager/folders", body)), [
    422,
    "folder_id exists",
  ]);
  assert.deepEqual((await admin.call("GET", "/v1/files/usage")).body.files, 0);
  assert.equal((await admin.call("DELETE", `/v1/filemanager/folders/${outer.id}`)).status, 204);
  assert.deepEqual((await admin.call("GET", "/v1/files/usage")).body.bytes, 0);
  await app.idle();
  assert.deepEqual(await app.sql("select count(*) as n from folders"), [{ n: 0 }]);
  assert.deepEqual((await admin.call("GET", "/v1/files/usage")).body, { files: 0, bytes: 0, quota: null });
});
