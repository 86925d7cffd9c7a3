/** Files of folders and roots, as attachments of them. */
import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { makeId } from "../../src/core/ids.ts";
import { type Actor, type Reply, send, startApp, type TestApp } from "../support/app.ts";
import { overtakeReads } from "../support/race.ts";
import { fileRow, folderRow } from "./library_world.ts";
import { listShown, makeFolder, readRefusal, upload } from "./manager_world.ts";

const put = (actor: Actor, place: string, ...file_ids: unknown[]): Promise<Reply> =>
  actor.call("POST", `/v1/folders/${place}/files`, { file_ids });
const takeOut = (actor: Actor, place: string, ...file_ids: unknown[]): Promise<Reply> =>
  actor.call("DELETE", `/v1/folders/${place}/files`, { file_ids });

async function listFiles(actor: Actor, place: string): Promise<string[]> {
  const reply = await actor.call("GET", `/v1/folders/${place}/files`);
  assert.equal(reply.status, 200, reply.text);
  assert.equal(reply.body.pagination.total, reply.body.data.length);
  return reply.body.data.map(({ id }: { id: string }) => id);
}

const create = async (actor: Actor, name: string): Promise<string> =>
  (await actor.call("POST", "/v1/files", { name, data: btoa(name) })).body.id;

/** Returns `folder_id`, `belongs_to` and `belongs_to_id` of a file. */
async function readPlace(app: TestApp, id: string): Promise<unknown[]> {
  const [row] = await app.sql("select folder_id, belongs_to, belongs_to_id from files where id = ?", id);
  return Object.values(row!);
}

const placeOfFolder = async (app: TestApp, id: string) =>
  (await app.sql("select belongs_to from folders where id = ?", id)).map(({ belongs_to }) => belongs_to);

Deno.test("files are put into a folder and each root, listed the newest first, read, downloaded and taken out", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const group = await company.group();
  const team = await company.team({ group_id: group });
  const folder = await makeFolder(admin, "Offers", { belongs_to: "company" });
  const places: [path: string, folder_id: string | null, belongs_to: string, id: number][] = [
    [folder.id, folder.id, "company", company.id],
    [folder.id.toUpperCase(), folder.id, "company", company.id],
    [`company:${company.id}`, null, "company", company.id],
    [`group:${group}`, null, "group", group],
    [`team:${team}`, null, "team", team],
    [`user%3A${admin.id}`, null, "user", admin.id],
  ];
  for (const [place, folder_id, belongs_to, belongs_to_id] of places) {
    const [first, second] = [await create(admin, "first"), await create(admin, "second")];
    const at = new Date(app.clock.now()).toISOString().slice(0, 19).replace("T", " ");
    assert.deepEqual([(await put(admin, place, first, first.toUpperCase())).status], [204], place);
    app.clock.move(1_000);
    // The first file stays as it was put there.
    assert.equal((await put(admin, place, second, first)).status, 204);
    assert.deepEqual(await listFiles(admin, place), [second, first], place);
    const path = `/v1/folders/${place}/files`;
    const page = await admin.call("GET", `${path}?per_page=1`);
    assert.deepEqual([page.body.pagination.total, page.body.data[0].id], [2, second]);
    const next = await admin.call("GET", page.body.pagination.urls.next.slice(app.url.length));
    assert.deepEqual(next.body.data.map(({ id }: { id: string }) => id), [first]);
    assert.equal((await admin.call("GET", path)).body.pagination.per_page, 50);

    const { attached_by, attached_at, download_token, ...file } =
      (await admin.call("GET", `${path}/${first}`)).body;
    assert.deepEqual([attached_by, attached_at], [admin.id, at]);
    assert.deepEqual([file.folder_id, file.belongs_to, file.belongs_to_id], [
      folder_id,
      belongs_to,
      belongs_to_id,
    ]);
    const { download_token: _other, ...same } = (await admin.call("GET", `/v1/files/${first}`)).body;
    assert.deepEqual(file, same, place);
    const link = await admin.call("GET", `${path}/${first}/download`);
    assert.equal(link.status, 303, link.text);
    assert.equal((await send(link.headers.get("location")!, "GET", null)).text, "first");
    assert.equal((await send(`${app.url}/v1/files/download/${download_token}`, "GET", null)).status, 303);
    assert.equal((await admin.call("GET", `/v1/filemanager/files/${first}`)).status, 303);

    for (let time = 0; time < 2; time++) {
      assert.equal((await takeOut(admin, place, first, makeId())).status, 204);
      assert.deepEqual(await listFiles(admin, place), [second], place);
    }
    assert.deepEqual(await readPlace(app, first), [null, null, null]);
    for (const gone of [`${path}/${first}`, `${path}/${first}/download`, `/v1/filemanager/files/${first}`]) {
      assert.equal((await admin.call("GET", gone)).status, 404, gone);
    }
    assert.equal((await admin.call("GET", `/v1/files/${first}`)).status, 200, "the file itself stays");
    await takeOut(admin, place, second);
  }
});

Deno.test("a file in another place moves, and is taken only out of the place that is named", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const user = await company.user();
  const [low, high] = [await makeFolder(admin, "low", { belongs_to: "company" }), `company:${company.id}`];
  const inner = await makeFolder(admin, "inner", { belongs_to: "company", folder_id: low.id });
  const { id, updated_at } = await upload(admin, "company");
  assert.deepEqual(await listFiles(user, high), [id]);
  app.clock.move(1_000);
  assert.equal((await put(admin, inner.id, id)).status, 204);
  // A folder does not list the files of folders inside it.
  assert.deepEqual([
    await listFiles(user, high),
    await listFiles(user, low.id),
    await listFiles(user, inner.id),
  ], [
    [],
    [],
    [id],
  ]);
  assert.equal((await takeOut(admin, high, id)).status, 204);
  assert.equal((await takeOut(admin, low.id, id)).status, 204);
  assert.deepEqual(await readPlace(app, id), [inner.id, null, null]);
  const moved = (await user.call("GET", `/v1/folders/${inner.id}/files/${id}`)).body;
  assert.ok(moved.updated_at > updated_at);
  assert.equal((await user.call("GET", `/v1/folders/${low.id}/files/${id}`)).status, 404);
  assert.equal((await user.call("GET", `/v1/folders/${high}/files/${id}/download`)).status, 404);
  assert.deepEqual(listShown(await user.call("GET", `/v1/filemanager/folders/${inner.id}`)), [[], ["a.txt"]]);
  assert.equal((await put(admin, `user:${admin.id}`, id)).status, 204);
  assert.deepEqual(await readPlace(app, id), [null, "user", admin.id]);
  assert.equal((await user.call("GET", `/v1/files/${id}`)).status, 404, "own files are read by nobody else");
});

Deno.test("attached_by is the user who uploaded or moved the file, attached_at when", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  const teamAdmin = await company.user({ type: "team_admin", teams: [team] });
  const folder = await makeFolder(admin, "ours", { belongs_to: "team", team_id: team });
  const { id } = await upload(teamAdmin, `team/${folder.id}`);
  const readAttachment = async (place: string) => {
    const { attached_by, attached_at } = (await admin.call("GET", `/v1/folders/${place}/files/${id}`)).body;
    return [attached_by, attached_at];
  };
  const root = `team:${team}`;
  assert.deepEqual(await readAttachment(folder.id), [teamAdmin.id, "2026-03-02 09:00:00"]);
  app.clock.move(60_000);
  const body = { name: "a.txt", belongs_to: "team", team_id: team };
  const update = (more: object) => admin.call("PUT", `/v1/filemanager/files/${id}`, { ...body, ...more });
  assert.equal((await update({ name: "b.txt", folder_id: folder.id })).status, 200);
  assert.deepEqual(
    await readAttachment(folder.id),
    [teamAdmin.id, "2026-03-02 09:00:00"],
    "a new name moves nothing",
  );
  assert.equal((await update({ folder_id: null })).status, 200);
  assert.deepEqual(await readAttachment(root), [admin.id, "2026-03-02 09:01:00"]);
  app.clock.move(60_000);
  assert.equal((await put(teamAdmin, folder.id, id)).status, 204);
  assert.deepEqual(await readAttachment(folder.id), [teamAdmin.id, "2026-03-02 09:02:00"]);
});

Deno.test("putting takes the right to change the file and to write the place; taking out, to write the place", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  const other = await company.team();
  const member = await company.user({ teams: [team] });
  const teamAdmin = await company.user({ type: "team_admin", teams: [team] });
  const stranger = (await app.company("Other")).admin;
  const of = (user_id: number) => ({ company_id: company.id, user_id });
  const place = `team:${team}`;
  const own = await fileRow(app, of(member.id));
  const permitted = await fileRow(app, {
    ...of(admin.id),
    permissions: [{ type: "company", value: company.id }],
  });
  const hidden = await fileRow(app, of(admin.id));
  const lying = await fileRow(app, { ...of(member.id), belongs_to: "team", belongs_to_id: team });

  // Access to the place: 404 if the caller cannot read it, 403 if the caller cannot write it.
  const folder = await folderRow(app, { ...of(admin.id), belongs_to: "team", belongs_to_id: team });
  for (const at of [place, folder]) {
    assert.deepEqual(readRefusal(await put(member, at, own)), [403, "forbidden"]);
    assert.deepEqual(readRefusal(await put(member, at, makeId())), [403, "forbidden"]);
    assert.deepEqual(readRefusal(await takeOut(member, at, lying)), [403, "forbidden"]);
    assert.deepEqual(readRefusal(await put(stranger, at, own)), [404, "not_found"]);
    assert.deepEqual(readRefusal(await takeOut(stranger, at, own)), [404, "not_found"]);
    for (const path of ["", `/${lying}`, `/${lying}/download`]) {
      assert.equal((await stranger.call("GET", `/v1/folders/${at}/files${path}`)).status, 404);
    }
  }
  assert.deepEqual(readRefusal(await put(teamAdmin, `team:${other}`, lying)), [404, "not_found"]);

  // Access to the files: 422 for a file that the caller cannot read, 403 for one that the caller cannot
  // change. All files are put, or none.
  assert.deepEqual(readRefusal(await put(teamAdmin, place, lying, hidden, makeId())), [
    422,
    "file_ids[1] exists",
    "file_ids[2] exists",
  ]);
  const mine = await fileRow(app, of(teamAdmin.id));
  assert.deepEqual(readRefusal(await put(teamAdmin, place, mine, permitted)), [403, "forbidden"]);
  assert.deepEqual(await readPlace(app, mine), [null, null, null]);
  assert.deepEqual(readRefusal(await put(stranger, `user:${stranger.id}`, permitted)), [
    422,
    "file_ids[0] exists",
  ]);
  assert.equal((await put(teamAdmin, place, mine)).status, 204);
  // A file that is there already needs no right to change it. The right on the place is enough to take it
  // out.
  assert.equal((await put(teamAdmin, place, mine, lying)).status, 204);
  assert.equal((await takeOut(teamAdmin, place, lying)).status, 204);
  assert.deepEqual(await readPlace(app, lying), [null, null, null]);
  assert.equal((await teamAdmin.call("GET", `/v1/files/${lying}`)).status, 404, "it has no place");
  assert.equal((await member.call("GET", `/v1/files/${lying}`)).status, 200, "the owner keeps it");
  // Every user may put files that the user may change into the user's own root.
  assert.equal((await put(member, `user:${member.id}`, own, lying)).status, 204);
  assert.deepEqual(readRefusal(await put(admin, `user:${member.id}`, hidden)), [404, "not_found"]);
  assert.equal((await admin.call("GET", `/v1/files/${own}`)).status, 404, "admins read no own folders");
});

Deno.test("a place that does not exist is 404, however it is named", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin, id } = company;
  const other = await app.company("Other");
  const team = await other.team();
  const group = await other.group();
  const of = { company_id: id, user_id: admin.id };
  const removed = await folderRow(app, {
    ...of,
    belongs_to: "company",
    belongs_to_id: id,
    deleted_at: "2026-03-02 09:00:00",
  });
  const below = await folderRow(app, { ...of, folder_id: removed });
  const file = await fileRow(app, of);
  const inside = await fileRow(app, { ...of, folder_id: below });
  const places = [
    makeId(),
    removed,
    below,
    "company",
    "company:",
    `company:${id}:`,
    `company:${other.id}`,
    `company:0${id}`,
    `company:${id}.0`,
    `company:-${id}`,
    `Company:${id}`,
    "company:1e0",
    "company:999999999999999999999",
    `team:${team}`,
    `group:${group}`,
    `user:${other.admin.id}`,
    `planet:${id}`,
    `:${id}`,
    "%00",
    "constructor:1",
  ];
  for (const place of places) {
    assert.equal((await put(admin, place, file)).status, 404, place);
    assert.equal((await takeOut(admin, place, inside)).status, 404, place);
    for (const path of ["", `/${inside}`, `/${inside}/download`]) {
      assert.equal((await admin.call("GET", `/v1/folders/${place}/files${path}`)).status, 404, place + path);
    }
  }
  assert.deepEqual(await readPlace(app, inside), [below, null, null]);
  const own = `company:${id}`;
  assert.deepEqual(readRefusal(await put(admin, own, inside)), [422, "file_ids[0] exists"]);
  assert.deepEqual(readRefusal(await put(admin, own, "x")), [422, "file_ids[0] type"]);
  assert.deepEqual(readRefusal(await admin.call("POST", `/v1/folders/${own}/files`, {})), [
    422,
    "file_ids required",
  ]);
  assert.deepEqual(readRefusal(await put(admin, own, ...Array.from({ length: 101 }, () => file))), [
    422,
    "file_ids max",
  ]);
  assert.equal((await put(admin, own)).status, 204, "no files change nothing");
});

Deno.test("files put into two places at once end up in one; into a folder that is deleted at once, they go or stay out", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const make = (name: string) => makeFolder(admin, name, { belongs_to: "company" });
  const [one, other] = [await make("one"), await make("other")];
  const { id } = await upload(admin, "company");
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, n) => put(admin, n % 2 === 0 ? one.id : other.id, id)),
  );
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([204]));
  const lists = [await listFiles(admin, one.id), await listFiles(admin, other.id)];
  assert.deepEqual(lists.flat(), [id], "its counters agree, too");

  for (let turn = 0; turn < 4; turn++) {
    const folder = await make("doomed");
    const file = await create(admin, "file");
    const [putting, deletion] = await Promise.all([
      put(admin, folder.id, file),
      admin.call("DELETE", `/v1/filemanager/folders/${folder.id}`),
    ]);
    assert.equal(deletion.status, 204);
    const exists = (await admin.call("GET", `/v1/files/${file}`)).status === 200;
    assert.deepEqual([putting.status, exists], exists ? [404, true] : [204, false]);
  }
  assert.deepEqual(await app.sql("pragma foreign_key_check"), []);
});

Deno.test("a folder that is moved to others between the reads and the commit takes no file", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  const teamAdmin = await company.user({ type: "team_admin", teams: [team] });
  const folder = await makeFolder(admin, "ours", { belongs_to: "team", team_id: team });
  const file = await create(teamAdmin, "mine");
  const meanwhile = () =>
    admin.call("PUT", `/v1/filemanager/folders/${folder.id}`, {
      name: "theirs",
      belongs_to: "company",
      folder_id: null,
    });
  await teamAdmin.call("GET", "/v1/me");
  const served = createApp({ ...app.deps, db: overtakeReads(app.deps.db, meanwhile) });
  const response = await served.fetch(
    new Request(`${app.url}/v1/folders/${folder.id}/files`, {
      method: "POST",
      headers: { "Authorization": `Bearer ${teamAdmin.token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ file_ids: [file] }),
    }),
  );
  assert.equal(response.status, 403, await response.text());
  assert.deepEqual(await readPlace(app, file), [null, null, null]);
  assert.deepEqual(await placeOfFolder(app, folder.id), ["company"], "it was moved meanwhile");
});
