/** Files of the file manager: upload, move, download, deletion of one and of several. */
import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { sql } from "../../src/db/statements.ts";
import { makeId } from "../../src/core/ids.ts";
import { type Actor, RawBody, send, startApp } from "../support/app.ts";
import { watchDatabase } from "../sweep/sweep.ts";
import { makeFile, makeMultipart } from "../support/pictures.ts";
import { filesIn } from "../support/s3.ts";
import { fileRow } from "./library_world.ts";
import { listShown, makeFolder, readRefusal, upload, uploadReply } from "./manager_world.ts";

Deno.test("an uploaded file is in its root or folder, and its link has what was sent", async () => {
  await using app = await startApp();
  const { admin, id: company_id } = await app.company();
  const folder = await makeFolder(admin, "Offers", { belongs_to: "company" });
  const sent = await upload(admin, `company/${folder.id}`, "Offer.TXT", "Hello!");
  assert.deepEqual(
    [sent.name, sent.type, sent.size, sent.folder_id, sent.belongs_to, sent.belongs_to_id, sent.user_id],
    ["Offer.TXT", "txt", 6, folder.id, "company", company_id, admin.id],
  );
  const atRoot = await upload(admin, "user");
  assert.deepEqual([atRoot.folder_id, atRoot.belongs_to, atRoot.belongs_to_id], [null, "user", admin.id]);
  const reply = await admin.call("GET", `/v1/filemanager/files/${sent.id}`);
  assert.deepEqual([reply.status, reply.body], [303, { url: reply.headers.get("location") }]);
  assert.equal((await send(reply.body.url, "GET", null)).text, "Hello!");
});

Deno.test("refused uploads leave nothing: places, names, broken forms, large files", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const user = await company.user();
  const folder = await makeFolder(admin, "Offers", { belongs_to: "company" });
  const tryUpload = async (place: string, name?: string) =>
    readRefusal(await uploadReply(admin, place, name));
  for (const place of ["planet", "COMPANY", "company%20", `planet/${folder.id}`]) {
    const reply = await uploadReply(admin, place);
    assert.deepEqual(readRefusal(reply), [404, "not_found"], place);
    assert.match(reply.body.detail, /company, group, team or user/, place);
  }
  // Paths with other methods stay 405.
  assert.deepEqual(await tryUpload("batch"), [405, "method_not_allowed"]);
  assert.deepEqual(await tryUpload(makeId()), [405, "method_not_allowed"]);
  assert.deepEqual(await tryUpload("company/planet"), [404, "not_found"]);
  assert.deepEqual(await tryUpload(`company/${makeId()}`), [404, "not_found"]);
  assert.deepEqual(await tryUpload(`user/${folder.id}`), [409, "folder_mismatch"]);
  assert.deepEqual(await tryUpload("team"), [422, "query.team_id required"]);
  assert.deepEqual(await tryUpload("user", "x".repeat(61)), [422, "file max"]);
  assert.deepEqual(await tryUpload("user", ".."), [422, "file format"]);
  assert.deepEqual(readRefusal(await uploadReply(user, "company")), [403, "forbidden"]);
  assert.deepEqual(readRefusal(await uploadReply(user, `company/${folder.id}`)), [403, "forbidden"]);
  const post = (body: unknown) => admin.call("POST", "/v1/filemanager/files/user", body);
  assert.deepEqual(readRefusal(await post(await makeMultipart({ file: "text" }))), [422, "file type"]);
  assert.deepEqual(readRefusal(await post(await makeMultipart({}))), [422, "file required"]);
  const large = makeFile("a.bin", new Uint8Array(10 * 1024 * 1024 + 1));
  assert.deepEqual(readRefusal(await post(await makeMultipart({ file: large }))), [422, "file max"]);
  const broken = new RawBody("multipart/form-data; boundary=x", new TextEncoder().encode("--x\r\nnothing"));
  assert.deepEqual(readRefusal(await post(broken)), [400, "malformed_multipart"]);
  assert.deepEqual(await app.sql("select count(*) as n from objects"), [{ n: 0 }]);
  assert.deepEqual(filesIn(`${app.folder}/files`), []);
});

Deno.test("an upload is repeated under its key with another boundary, not with other parts", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const post = async (text: string, boundary: string) => {
    const form = await makeMultipart({ file: makeFile("a.txt", new TextEncoder().encode(text)) }, boundary);
    return await admin.call("POST", "/v1/filemanager/files/user", form, { "Idempotency-Key": "one" });
  };
  const first = await post("Hello!", "one-boundary");
  const again = await post("Hello!", "another-boundary");
  assert.deepEqual([again.status, again.text], [201, first.text]);
  const other = await post("Other", "one-boundary");
  assert.deepEqual([other.status, other.body.code], [422, "idempotency_mismatch"]);
  assert.equal(filesIn(`${app.folder}/files`).length, 1);
});

Deno.test("uploads at once cannot pass the quota together", async () => {
  await using app = await startApp({ FILE_QUOTA: "20" });
  const { admin } = await app.company();
  const replies = await Promise.all(Array.from({ length: 6 }, () => uploadReply(admin, "user")));
  const refused = replies.filter(({ status }) => status !== 201);
  assert.equal(refused.length, 3);
  for (const reply of refused) assert.deepEqual(readRefusal(reply), [422, "file max"]);
  assert.equal(filesIn(`${app.folder}/files`).length, 3);
  // An empty file fits into a full quota.
  assert.equal((await uploadReply(admin, "user", "a", "20")).status, 201);
  assert.equal((await uploadReply(admin, "user", "a", "")).status, 201);
  await fileRow(app, { company_id: admin.companyId, user_id: admin.id, size: 1 });
  let stored = 0;
  const storage = { ...app.deps.storage, putStream: () => Promise.reject(new Error(`${++stored}`)) };
  const refusedEarly = await uploadedTo(createApp({ ...app.deps, storage }), admin, "user");
  assert.deepEqual([refusedEarly.status, stored], [422, 0], "nothing is stored beyond the quota");
});

async function uploadedTo(
  served: ReturnType<typeof createApp>,
  { token }: Actor,
  place: string,
): Promise<Response> {
  const { type, bytes } = await makeMultipart({
    file: makeFile("a.txt", new TextEncoder().encode("Hello!")),
  });
  return await served.fetch(
    new Request(`http://localhost/v1/filemanager/files/${place}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": type },
      body: bytes,
    }),
  );
}

Deno.test("a folder that is deleted, emptied in steps or given to others while a file arrives does not get it", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  const writer = await company.user({ type: "team_admin", teams: [team] });
  const ways: Record<string, (folder: string) => Promise<unknown>> = {
    deleted: (folder) => admin.call("DELETE", `/v1/filemanager/folders/${folder}`),
    "in removal": async (folder) => {
      await makeFolder(admin, "Inner", { belongs_to: "team", folder_id: folder });
      await app.deps.db.write([
        sql`update folders set deleted_at = '2026-03-02 09:00:00' where id = ${folder}`,
      ]);
    },
    "of others": (folder) =>
      admin.call("PUT", `/v1/filemanager/folders/${folder}`, {
        name: "a",
        belongs_to: "user",
        folder_id: null,
      }),
  };
  for (const [what, change] of Object.entries(ways)) {
    const folder = await makeFolder(writer, "a", { belongs_to: "team" });
    const storage = {
      ...app.deps.storage,
      async putStream(...given: Parameters<typeof app.deps.storage.putStream>) {
        await app.deps.storage.putStream(...given);
        await change(folder.id);
      },
    };
    const reply = await uploadedTo(createApp({ ...app.deps, storage }), writer, `team/${folder.id}`);
    assert.equal(reply.status, 404, `${what}: ${await reply.text()}`);
    assert.deepEqual(filesIn(`${app.folder}/files`), [], what);
    assert.deepEqual(await app.sql("select id from files"), [], what);
  }
});

Deno.test("a file is renamed and moved by those who may write both places", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  const teamAdmin = await company.user({ type: "team_admin", teams: [team] });
  const folder = await makeFolder(teamAdmin, "ours", { belongs_to: "team" });
  const sent = await upload(teamAdmin, "team", "a.txt");
  const at = `/v1/filemanager/files/${sent.id}`;
  const put = (body: object) => teamAdmin.call("PUT", at, { name: "b.md", ...body });
  assert.deepEqual(readRefusal(await put({ belongs_to: "user", folder_id: folder.id })), [
    409,
    "folder_mismatch",
  ]);
  assert.deepEqual(readRefusal(await put({ belongs_to: "company", folder_id: null })), [403, "forbidden"]);
  const moved = await put({ belongs_to: "team", folder_id: folder.id });
  assert.deepEqual([moved.body.name, moved.body.type, moved.body.folder_id], ["b.md", "md", folder.id]);
  const own = await put({ belongs_to: "user", folder_id: null });
  assert.deepEqual([own.body.folder_id, own.body.belongs_to, own.body.belongs_to_id], [
    null,
    "user",
    teamAdmin.id,
  ]);
  assert.equal((await admin.call("GET", at)).status, 404);
  // The admin's rename leaves it with the team, though the admin has no team.
  const theirs = await upload(teamAdmin, "team", "c.txt");
  const body = { name: "d.txt", belongs_to: "team", folder_id: null };
  const renamed = await admin.call("PUT", `/v1/filemanager/files/${theirs.id}`, body);
  assert.deepEqual([renamed.status, renamed.body.belongs_to_id], [200, team]);
});

Deno.test("an owner who may not write where a file is renames it, but does not move it away", async () => {
  await using app = await startApp();
  const company = await app.company();
  const user = await company.user();
  const id = await fileRow(app, {
    company_id: company.id,
    user_id: user.id,
    belongs_to: "company",
    belongs_to_id: company.id,
  });
  const put = (belongs_to: string) =>
    user.call("PUT", `/v1/filemanager/files/${id}`, { name: "mine.pdf", belongs_to, folder_id: null });
  assert.deepEqual(readRefusal(await put("user")), [403, "forbidden"]);
  assert.deepEqual([(await put("company")).status, (await put("company")).body.name], [200, "mine.pdf"]);
});

Deno.test("files that have no place are not found in the manager", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { body: { id } } = await admin.call("POST", "/v1/files", { name: "a.txt", data: "" });
  const at = `/v1/filemanager/files/${id}`;
  assert.equal((await admin.call("GET", at)).status, 404);
  assert.equal((await admin.call("PUT", at, { name: "a", belongs_to: "user", folder_id: null })).status, 404);
  assert.equal((await admin.call("DELETE", at)).status, 404);
  assert.equal((await admin.call("DELETE", "/v1/filemanager/files/batch", { files: [id] })).status, 404);
});

Deno.test("several files are deleted all or none", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const user = await company.user();
  const folder = await makeFolder(user, "mine", { belongs_to: "user" });
  const mine = [await upload(user, "user", "a"), await upload(user, `user/${folder.id}`, "b")].map(({ id }) =>
    id
  );
  const theirs = await upload(admin, "company", "c");
  const remove = (files: unknown) => user.call("DELETE", "/v1/filemanager/files/batch", { files });
  assert.deepEqual(readRefusal(await remove([...mine, folder.id])), [422, "files[2] type"]);
  // A folder that the user does not see is treated as missing.
  const unseen = await makeFolder(admin, "own", { belongs_to: "user" });
  const other = await app.company("Other");
  const group_id = await other.group();
  const foreign = await makeFolder(other.admin, "other", { belongs_to: "group", group_id });
  const reply = await admin.call("DELETE", "/v1/filemanager/files/batch", { files: [foreign.id] });
  assert.deepEqual(readRefusal(reply), [404, "not_found"]);
  for (const { id } of [theirs, unseen, foreign, { id: makeId() }]) {
    assert.equal((await remove([...mine, id])).status, 404);
  }
  assert.deepEqual(readRefusal(await remove([])), [422, "files min"]);
  assert.deepEqual(readRefusal(await remove(Array.from({ length: 101 }, () => makeId()))), [
    422,
    "files max",
  ]);
  assert.deepEqual(listShown(await user.call("GET", "/v1/filemanager")), [["mine"], ["a", "c"]]);
  assert.equal((await remove([...mine, mine[0]])).status, 204);
  assert.deepEqual(await app.sql("select id from files"), [{ id: theirs.id }]);
  assert.equal((await admin.call("DELETE", `/v1/filemanager/files/${theirs.id}`)).status, 204);
});

Deno.test("a change keeps what it does not name; a folder that is given decides on the belonging", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [team, other] = [await company.team(), await company.team()];
  const [ours, inner] = [
    await makeFolder(admin, "ours", { belongs_to: "team", team_id: team }),
    await makeFolder(admin, "inner", { belongs_to: "company" }),
  ];
  const file = await upload(admin, `team?team_id=${team}`, "a.txt");
  const items: [kind: string, id: string, name: string][] = [
    ["files", file.id, "a.txt"],
    ["folders", inner.id, "inner"],
  ];
  for (const [kind, id, name] of items) {
    const put = async (body: object) => {
      const reply = await admin.call("PUT", `/v1/filemanager/${kind}/${id}`, body);
      assert.equal(reply.status, 200, reply.text);
      return [reply.body.name, reply.body.folder_id, reply.body.belongs_to, reply.body.belongs_to_id];
    };
    assert.deepEqual(await put({ folder_id: ours.id }), [name, ours.id, "team", team], kind);
    assert.deepEqual(await put({ name: `new ${name}` }), [`new ${name}`, ours.id, "team", team]);
    assert.deepEqual(await put({}), [`new ${name}`, ours.id, "team", team]);
    assert.deepEqual(await put({ belongs_to: "team" }), [`new ${name}`, ours.id, "team", team]);
    // The file moves to the root of the folder's team, though the admin has no team.
    assert.deepEqual(await put({ folder_id: null }), [`new ${name}`, null, "team", team]);
    assert.deepEqual(await put({ name }), [name, null, "team", team]);
    assert.deepEqual(await put({ team_id: other }), [name, null, "team", other]);
    assert.deepEqual(await put({ belongs_to: "company" }), [name, null, "company", company.id]);
    assert.deepEqual(await put({ folder_id: null }), [name, null, "company", company.id]);
    const refusePut = async (body: object) =>
      readRefusal(await admin.call("PUT", `/v1/filemanager/${kind}/${id}`, body));
    assert.deepEqual(await refusePut({ name: null }), [422, "name required"]);
    assert.deepEqual(await refusePut({ belongs_to: null }), [422, "belongs_to required"]);
    assert.deepEqual(await refusePut({ folder_id: makeId() }), [422, "folder_id exists"]);
    assert.deepEqual(await refusePut({ belongs_to: "user", folder_id: ours.id }), [409, "folder_mismatch"]);
  }
});

Deno.test("fields of the form name the place of an upload, before the file or behind it; the query names that of a folder", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [here, there] = [await company.team({ name: "Here" }), await company.team({ name: "There" })];
  const admin = await company.user({ type: "admin", teams: [here], active: here });
  const user = await company.user({ teams: [here], active: here });
  const folder = await makeFolder(admin, "Offers", { belongs_to: "team", team_id: there });
  const sent = makeFile("a.txt", new TextEncoder().encode("Hello!"));
  const post = async (by: Actor, root: string, parts: Parameters<typeof makeMultipart>[0]) =>
    await by.call("POST", `/v1/filemanager/files/${root}`, await makeMultipart(parts));
  for (const parts of [{ team_id: `${there}`, file: sent }, { file: sent, team_id: `${there}` }]) {
    const { status, body, text } = await post(admin, "team", parts);
    assert.deepEqual([status, body.belongs_to, body.belongs_to_id], [201, "team", there], text);
  }
  const first = await post(company.admin, "team", { team_id: `${there}`, file: sent });
  assert.deepEqual([first.status, first.body.belongs_to_id], [201, there]);
  const inFolder = await post(admin, "team", { file: sent, folder_id: folder.id });
  assert.deepEqual([inFolder.status, inFolder.body.folder_id], [201, folder.id]);
  const byQuery = await post(admin, `team?folder_id=${folder.id}`, { file: sent });
  assert.deepEqual([byQuery.status, byQuery.body.folder_id], [201, folder.id], byQuery.text);
  const ofTeam = { team_id: `${there}`, file: sent };
  await using database = watchDatabase(app);
  await app.idle();
  database.changed();
  assert.deepEqual(readRefusal(await post(user, "team", ofTeam)), [422, "team_id exists"]);
  assert.deepEqual(readRefusal(await post(user, "team", { file: sent, team_id: `${there}` })), [
    403,
    "forbidden",
  ]);
  assert.deepEqual(readRefusal(await post(user, "company", { file: sent })), [403, "forbidden"]);
  assert.deepEqual(readRefusal(await post(admin, `team?folder_id=${makeId()}`, { file: sent })), [
    422,
    "query.folder_id exists",
  ]);
  assert.deepEqual(readRefusal(await post(admin, `user?folder_id=${folder.id}`, { file: sent })), [
    409,
    "folder_mismatch",
  ]);
  assert.equal(database.changed(), false, "A refused upload writes nothing.");
  assert.deepEqual(readRefusal(await post(admin, "team", { file: sent, team_id: "a" })), [
    422,
    "team_id type",
  ]);
  const twice = await post(admin, `team?team_id=${here}`, ofTeam);
  assert.deepEqual(readRefusal(twice), [422, "team_id excluded"]);
  assert.equal(filesIn(`${app.folder}/files`).length, 5);
  // A root without teams names a team that is sent, and goes without it.
  for (const [root, id] of [["company", company.id], ["user", admin.id]] as const) {
    const reply = await post(admin, `${root}?team_id=${there}`, { group_id: "1", file: sent });
    assert.deepEqual([reply.status, reply.body.belongs_to, reply.body.belongs_to_id], [201, root, id]);
    const named = ["Ignored-Parameters", "Ignored-Members"].map((name) => reply.headers.get(name));
    assert.deepEqual(named, ["team_id", "group_id"], root);
  }
  const made = await admin.call("POST", `/v1/filemanager/folders?team_id=${there}`, {
    name: "Letters",
    belongs_to: "team",
  });
  assert.deepEqual([made.status, made.body.belongs_to_id], [200, there]);
  const ids = `team_id=${there}&group_id=1`;
  const readIgnored = async (method: string, path: string, body?: object) => {
    const reply = await admin.call(method, `/v1/filemanager${path}`, body);
    assert.equal(reply.status, 200, reply.text);
    return [reply.headers.get("ignored-parameters"), reply.headers.get("ignored-members")];
  };
  const unread = "group_id, team_id";
  assert.deepEqual(await readIgnored("GET", `?belongs_to=company&${ids}`), [unread, null]);
  assert.deepEqual(await readIgnored("GET", `?belongs_to=team&${ids}`), ["group_id", null]);
  assert.deepEqual(await readIgnored("GET", `?${ids}`), [unread, null]);
  const letters = `/folders/${made.body.id}`;
  const both = { team_id: there, group_id: 1 };
  const ofUser = { name: "Own", belongs_to: "user", ...both };
  assert.deepEqual(await readIgnored("POST", "/folders", ofUser), [null, unread]);
  const query = { name: "Own too", belongs_to: "user" };
  assert.deepEqual(await readIgnored("POST", `/folders?${ids}`, query), [unread, null]);
  const inBody = { name: "Twice", belongs_to: "team", team_id: there };
  assert.deepEqual(await readIgnored("POST", `/folders?team_id=${there}`, inBody), ["team_id", null]);
  const below = { name: "Below", belongs_to: "team", folder_id: made.body.id, ...both };
  assert.deepEqual(await readIgnored("POST", "/folders", below), [null, unread]);
  assert.deepEqual(await readIgnored("PUT", letters, { name: "Mail", team_id: there }), [null, null]);
  assert.deepEqual(await readIgnored("PUT", letters, { belongs_to: "user", ...both }), [null, unread]);
});
