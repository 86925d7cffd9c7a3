/** Files: upload in base64, read, list, change, replace, delete; usage and quota. */
import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { removeObjects } from "../../src/db/objects.ts";
import { type Actor, type Reply, send, startApp, type TestApp } from "../support/app.ts";
import { callMeanwhile } from "../support/race.ts";
import { filesIn } from "../support/s3.ts";
import { fileRow, folderRow } from "./library_world.ts";

const base64 = (text: string) => new TextEncoder().encode(text).toBase64();
const listStored = (app: TestApp) => filesIn(`${app.folder}/files`);

async function upload(actor: Actor, more: Record<string, unknown> = {}): Promise<Reply["body"]> {
  const reply = await actor.call("POST", "/v1/files", { name: "hello.txt", data: base64("Hello!"), ...more });
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

/** Follows a redirect and returns the content. */
async function readContent(reply: Reply): Promise<string> {
  assert.equal(reply.status, 303, reply.text);
  const content = await send(reply.headers.get("location")!, "GET", null);
  assert.equal(content.status, 200, content.text);
  return content.text;
}

const listErrors = ({ status, body }: Reply) => [
  status,
  ...(body.errors ?? []).map(({ path, code }: { path: string; code: string }) => `${path} ${code}`),
];

Deno.test("an uploaded file is read with its fields and a token, and its content is what was sent", async () => {
  await using app = await startApp();
  const { admin, id: company_id } = await app.company();
  const reply = await admin.call("POST", "/v1/files", { name: "Hello.TXT", data: base64("Hello!") });
  assert.equal(reply.status, 201, reply.text);
  const { download_token, ...file } = reply.body;
  assert.deepEqual(file, {
    id: file.id,
    name: "Hello.TXT",
    type: "txt",
    size: 6,
    public: false,
    created_at: "2026-03-02 09:00:00",
    updated_at: "2026-03-02 09:00:00",
    user_id: admin.id,
    company_id,
    permissions: [],
    folder_id: null,
    belongs_to: null,
    belongs_to_id: null,
  });
  const read = await admin.call("GET", `/v1/files/${file.id}`);
  const { download_token: another, ...same } = read.body;
  assert.deepEqual(same, file);
  assert.equal(read.headers.get("etag"), reply.headers.get("etag"));
  assert.equal(await readContent(await admin.call("GET", `/v1/files/${file.id}/download`)), "Hello!");
  for (const token of [download_token, another]) {
    assert.equal(
      await readContent(await send(`${app.url}/v1/files/download/${token}`, "GET", null)),
      "Hello!",
    );
  }
  assert.equal(listStored(app).length, 1);
});

Deno.test("an empty file is fine; other text than base64, too many bytes and bad names are 422", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const empty = await upload(admin, { data: "" });
  assert.deepEqual(
    [empty.size, await readContent(await admin.call("GET", `/v1/files/${empty.id}/download`))],
    [
      0,
      "",
    ],
  );
  assert.equal((await upload(admin, { data: "SGVs\r\nbG8=\n" })).size, 5);
  const most = 10 * 1024 * 1024;
  const largest = new Uint8Array(most).fill(7).toBase64();
  assert.equal((await upload(admin, { data: largest })).size, most);
  const refused: [Record<string, unknown>, string[]][] = [
    [{ data: new Uint8Array(most + 1).toBase64() }, ["data max"]],
    [{ data: "SGVsbG8" }, ["data format"]],
    [{ data: "SGVs bG8=" }, ["data format"]],
    [{ data: "data:text/plain;base64,SGVsbG8=" }, ["data format"]],
    [{ data: "SGVs-_==" }, ["data format"]],
    [{ data: "SG=sbG8=" }, ["data format"]],
    [{ data: 7 }, ["data type"]],
    [{ data: undefined }, ["data required"]],
    [{ name: undefined }, ["name required"]],
    [{ name: "" }, ["name min"]],
    [{ name: "a/b" }, ["name format"]],
    [{ name: "a\u202Egpj.exe" }, ["name format"]],
    [{ name: "x".repeat(256) }, ["name max"]],
    [{ permissions: [{ type: "user", value: 1 }] }, ["permissions[0].type enum"]],
    [{ permissions: [{ type: "team", value: "1" }] }, ["permissions[0].value type"]],
  ];
  for (const [more, expected] of refused) {
    const reply = await admin.call("POST", "/v1/files", { name: "a.txt", data: "", ...more });
    assert.deepEqual(listErrors(reply), [422, ...expected], JSON.stringify(more).slice(0, 100));
  }
  const over = await admin.call("POST", "/v1/files", { name: "a", data: "A".repeat(15 * 1024 * 1024) });
  assert.deepEqual([over.status, over.body.code], [413, "payload_too_large"]);
  assert.equal(listStored(app).length, 3);
  assert.deepEqual(await app.sql("select count(*) as n from objects"), [{ n: 3 }]);
});

Deno.test("permissions name the company, its groups and its teams; each once", async () => {
  await using app = await startApp();
  const company = await app.company();
  const other = await app.company("Other");
  const [group, team] = [await company.group(), await company.team()];
  const given = [{ type: "team", value: team }, { type: "company", value: company.id }, {
    type: "group",
    value: group,
  }];
  const file = await upload(company.admin, { permissions: [...given, given[0]] });
  assert.deepEqual(file.permissions, [given[1], given[2], given[0]]);
  const foreign = [
    { type: "team", value: await other.team() },
    given[0],
    { type: "company", value: other.id },
    { type: "group", value: await other.group() },
    { type: "group", value: 999 },
  ];
  const expected = [422, ...[0, 2, 3, 4].map((n) => `permissions[${n}].value exists`)];
  const body = { name: "a", data: "", permissions: foreign };
  assert.deepEqual(listErrors(await company.admin.call("POST", "/v1/files", body)), expected);
  const change = await company.admin.call("PUT", `/v1/files/${file.id}`, { permissions: foreign });
  assert.deepEqual(listErrors(change), expected);
  const cleared = await company.admin.call("PUT", `/v1/files/${file.id}`, { permissions: null });
  assert.deepEqual(cleared.body.permissions, []);
});

Deno.test("a team that is deleted between the reads and the commit gets no permission", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const { id } = await upload(admin, {});
  for (
    const [method, path, more] of [["POST", "/v1/files", { data: "" }], [
      "PUT",
      `/v1/files/${id}`,
      {},
    ]] as const
  ) {
    const team = await company.team();
    const body = { name: "a", permissions: [{ type: "team", value: team }], ...more };
    const remove = async () => {
      const reply = await admin.call("DELETE", `/v1/teams/${team}`);
      assert.equal(reply.status, 204, reply.text);
    };
    // POST makes its reads in the batch that announces its object.
    const reply = method === "PUT"
      ? await callMeanwhile(app, admin, method, path, remove, body)
      : await whileStoring(app, remove, admin, body);
    assert.equal(reply.status, 422, method);
  }
  assert.deepEqual(await app.sql("select * from file_permissions"), []);
  assert.equal((await app.sql("select key from objects")).length, 1);
});

/** Uploads a file, and runs `meanwhile` while the content is stored for the first time. */
async function whileStoring(
  app: TestApp,
  meanwhile: () => Promise<void>,
  { token }: Actor,
  body: object,
): Promise<Response> {
  let isFirst = true;
  const storage = {
    ...app.deps.storage,
    async put(...given: Parameters<typeof app.deps.storage.put>) {
      await app.deps.storage.put(...given);
      if (isFirst) await meanwhile();
      isFirst = false;
    },
  };
  return await createApp({ ...app.deps, storage }).fetch(
    new Request("http://localhost/v1/files", {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
}

Deno.test("a change keeps what it does not name; reading is not changing, and unreadable is 404", async () => {
  await using app = await startApp();
  const company = await app.company();
  const team = await company.team();
  const [owner, member, stranger] = [
    await company.user(),
    await company.user({ teams: [team] }),
    await company.user(),
  ];
  const file = await upload(owner, { permissions: [{ type: "team", value: team }] });
  const path = `/v1/files/${file.id}`;
  const renamed = await owner.call("PUT", path, { name: "bye.pdf" });
  assert.deepEqual(
    [renamed.status, renamed.body.name, renamed.body.type, renamed.body.permissions],
    [200, "bye.pdf", "pdf", file.permissions],
  );
  const countFound = async (word: string) =>
    (await owner.call("GET", `/v1/files?search=${word}`)).body.pagination.total;
  assert.deepEqual([await countFound("bye"), await countFound("hello")], [1, 0]);
  const bodies: [string, string, unknown][] = [
    ["PUT", path, { name: "mine.txt" }],
    ["PUT", `${path}/replace`, { data: "" }],
    ["DELETE", path, undefined],
  ];
  for (const [method, at, body] of bodies) {
    assert.equal((await member.call(method, at, body)).status, 403, method);
    assert.equal((await stranger.call(method, at, body)).status, 404, method);
  }
  assert.equal((await member.call("GET", path)).status, 200);
  assert.equal(await readContent(await member.call("GET", `${path}/download`)), "Hello!");
  for (const at of [path, `${path}/download`]) assert.equal((await stranger.call("GET", at)).status, 404, at);
  assert.deepEqual(await app.sql("select count(*) as n from objects"), [{ n: 1 }]);
  assert.equal((await company.admin.call("DELETE", path)).status, 204);
  assert.equal((await owner.call("GET", path)).status, 404);
});

Deno.test("publishing a file, and replacing a public one, needs the right; ending it does not", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [user, publisher] = [await company.user(), await company.user({ rights: ["files.publish"] })];
  const body = { name: "a.txt", data: base64("1"), public: true };
  assert.equal((await user.call("POST", "/v1/files", body)).status, 403);
  const own = await upload(user);
  assert.equal((await user.call("PUT", `/v1/files/${own.id}`, { public: true })).status, 403);
  const file = await upload(publisher, { public: true });
  const address = `${app.url}/v1/files/${file.id}/public`;
  assert.equal(await readContent(await send(address, "GET", null)), "Hello!");
  // Colleagues read it, and cannot change it.
  assert.equal((await user.call("GET", `/v1/files/${file.id}`)).status, 200);
  assert.equal((await user.call("PUT", `/v1/files/${file.id}`, { public: false })).status, 403);
  await app.deps.db.write([{ sql: "update files set user_id = ? where id = ?", args: [user.id, file.id] }]);
  assert.equal((await user.call("PUT", `/v1/files/${file.id}/replace`, { data: "" })).status, 403);
  assert.equal((await user.call("PUT", `/v1/files/${file.id}`, { name: "still public" })).status, 200);
  const ended = await user.call("PUT", `/v1/files/${file.id}`, { public: false });
  assert.deepEqual([ended.status, ended.body.public], [200, false]);
  assert.equal((await send(address, "GET", null)).status, 404);
  assert.equal((await user.call("PUT", `/v1/files/${file.id}/replace`, { data: "" })).status, 200);
});

Deno.test("replacing ends tokens and links, and the old object is removed", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const file = await upload(admin);
  const link = (await admin.call("GET", `/v1/files/${file.id}/download`)).headers.get("location")!;
  const replaced = await admin.call("PUT", `/v1/files/${file.id}/replace`, { data: base64("Bye") });
  assert.deepEqual([replaced.status, replaced.body.size, replaced.body.name], [200, 3, "hello.txt"]);
  assert.equal((await send(link, "GET", null)).status, 404);
  const path = `${app.url}/v1/files/download/`;
  assert.equal((await send(path + file.download_token, "GET", null)).status, 404);
  assert.equal(await readContent(await send(path + replaced.body.download_token, "GET", null)), "Bye");
  await removeObjects(app.deps, app.clock.now());
  assert.equal(listStored(app).length, 1);
});

Deno.test("If-Match names the version, in any view; a repeated upload has one effect and its answer no token", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const body = { name: "a.txt", data: base64("a") };
  const key = { "Idempotency-Key": "once" };
  const first = await admin.call("POST", "/v1/files", body, key);
  const again = await admin.call("POST", "/v1/files", body, key);
  const { download_token, ...file } = first.body;
  assert.ok(download_token);
  assert.deepEqual([again.status, again.headers.get("idempotent-replayed")], [201, "true"]);
  assert.deepEqual(again.body, file);
  assert.equal(listStored(app).length, 1);
  const path = `/v1/files/${file.id}`;
  const etag = first.headers.get("etag")!;
  assert.equal((await admin.call("GET", path, undefined, { "If-None-Match": etag })).status, 304);
  assert.equal((await admin.call("PUT", path, { name: "b" }, { "If-Match": '"other"' })).status, 412);
  assert.equal(
    (await admin.call("PUT", `${path}/replace`, { data: "" }, { "If-Match": '"other"' })).status,
    412,
  );
  assert.equal((await admin.call("DELETE", path, undefined, { "If-Match": '"other"' })).status, 412);
  assert.equal((await admin.call("PUT", path, { name: "b" }, { "If-Match": etag })).status, 200);
  assert.equal((await admin.call("DELETE", path, undefined, { "If-Match": etag })).status, 412);
  assert.deepEqual(await app.sql("select count(*) as n from objects"), [{ n: 1 }]);
});

Deno.test("the list has own and permitted files, each once, newest first, with search and pages", async () => {
  await using app = await startApp();
  const company = await app.company();
  const group = await company.group();
  const team = await company.team({ group_id: group });
  const [me, other] = [await company.user({ teams: [team] }), await company.user()];
  const expected: string[] = [];
  const add = async (actor: Actor, name: string, permissions: unknown[], listed: boolean) => {
    app.clock.move(1_000);
    const { id } = await upload(actor, { name, permissions });
    if (listed) expected.unshift(id);
  };
  const all = [{ type: "company", value: company.id }, { type: "group", value: group }, {
    type: "team",
    value: team,
  }];
  await add(me, "Müller offer.pdf", [], true);
  await add(other, "secret offer.pdf", [], false);
  for (const [n, permission] of all.entries()) await add(other, `shared ${n}.pdf`, [permission], true);
  await add(other, "offer for all.pdf", all, true);
  await add(me, "own and shared.pdf", all, true);
  const page = await me.call("GET", "/v1/files");
  const listIds = (reply: Reply) => reply.body.data.map(({ id }: { id: string }) => id);
  assert.deepEqual([listIds(page), page.body.pagination.total], [expected, 6]);
  assert.ok(page.body.data.every((file: Record<string, string>) => file.download_token!.length === 71));
  const found = await me.call("GET", "/v1/files?search=OFF%20mul");
  assert.deepEqual([listIds(found), found.body.pagination.total], [[expected.at(-1)], 1]);
  assert.equal((await me.call("GET", "/v1/files?search=offer")).body.pagination.total, 2);
  const seen: string[] = [];
  for (let next = `${app.url}/v1/files?per_page=2&sort=created_at`; next;) {
    const reply = await send(next, "GET", me.token);
    seen.push(...listIds(reply));
    next = reply.body.pagination.urls.next;
  }
  assert.deepEqual(seen, expected.toReversed());
  assert.deepEqual(listIds(await me.call("GET", "/v1/files?per_page=2&page=3")), expected.slice(4));
  const of = { company_id: company.id, user_id: me.id };
  const gone = { belongs_to: "user", belongs_to_id: me.id, deleted_at: "2026-03-02 09:00:00" } as const;
  const folder_id = await folderRow(app, { ...of, folder_id: await folderRow(app, { ...of, ...gone }) });
  await fileRow(app, { ...of, folder_id });
  await fileRow(app, { ...of, user_id: other.id, folder_id, permissions: [{ type: "team", value: team }] });
  const without = await me.call("GET", "/v1/files");
  assert.deepEqual([listIds(without), without.body.pagination.total], [expected, 6]);
  assert.equal((await me.call("GET", "/v1/files?search=offer")).body.pagination.total, 2);
  // An admin can read the secret file, but does not see it in the list.
  assert.equal((await company.admin.call("GET", "/v1/files")).body.pagination.total, 3);
});

Deno.test("usage counts all files; beyond the quota an upload is refused, and what is deleted is free at once", async () => {
  await using app = await startApp({ FILE_QUOTA: "10" });
  const { admin } = await app.company();
  const neighbour = (await app.company("Neighbour")).admin;
  const usage = async () => (await admin.call("GET", "/v1/files/usage")).body;
  assert.deepEqual(await usage(), { files: 0, bytes: 0, quota: 10 });
  const file = await upload(admin, { data: base64("12345") });
  await upload(neighbour, { data: base64("1234567890") });
  await upload(admin, { data: base64("12345") });
  assert.deepEqual(await usage(), { files: 2, bytes: 10, quota: 10 });
  const one = { name: "a", data: base64("1") };
  assert.deepEqual(listErrors(await admin.call("POST", "/v1/files", one)), [422, "data max"]);
  const replace = (text: string) => admin.call("PUT", `/v1/files/${file.id}/replace`, { data: base64(text) });
  assert.deepEqual(listErrors(await replace("123456")), [422, "data max"]);
  assert.equal((await replace("1234")).status, 200);
  assert.equal((await replace("12345")).status, 200);
  assert.equal((await admin.call("DELETE", `/v1/files/${file.id}`)).status, 204);
  await upload(admin, { data: base64("54321") });
  assert.equal(listStored(app).length, 2 + 1 + 3);
  // A file beyond a lowered quota can be replaced by content that is no larger.
  const id = await fileRow(app, { company_id: admin.companyId, user_id: admin.id, size: 100 });
  const large = (size: number) =>
    admin.call("PUT", `/v1/files/${id}/replace`, { data: base64("x".repeat(size)) });
  assert.deepEqual(listErrors(await large(101)), [422, "data max"]);
  assert.equal((await large(100)).status, 200);
});

Deno.test("two uploads at once cannot pass the quota together", async () => {
  await using app = await startApp({ FILE_QUOTA: "10" });
  const { admin } = await app.company();
  const body = { name: "a", data: base64("123456") };
  const replies = await Promise.all(Array.from({ length: 8 }, () => admin.call("POST", "/v1/files", body)));
  const statuses = replies.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [201, ...Array(7).fill(422)]);
  assert.equal(listStored(app).length, 1);
  const files = [];
  for (let n = 0; n < 4; n++) files.push(await upload(admin, { data: base64("1") }));
  const grown = await Promise.all(
    files.map(({ id }) => admin.call("PUT", `/v1/files/${id}/replace`, { data: base64("1") })),
  );
  assert.deepEqual(grown.map(({ status }) => status), [200, 200, 200, 200], "they are full, and do not grow");
  for (const { id } of files.slice(1)) await admin.call("DELETE", `/v1/files/${id}`);
  const [left] = files;
  const other = await upload(admin, { data: base64("1") });
  const growing = await Promise.all(
    [left, other].map(({ id }) => admin.call("PUT", `/v1/files/${id}/replace`, { data: base64("123") })),
  );
  assert.deepEqual(growing.map(({ status }) => status).sort(), [200, 422]);
});
