import assert from "node:assert/strict";
import { dropObjects, holdObjects, removeObjects } from "../../src/db/objects.ts";
import { companyErasureWork } from "../../src/erase.ts";
import { runStaged } from "../../src/staged/run.ts";
import { runJobs } from "../../src/jobs.ts";
import { makeFolderStorage } from "../../src/platform/storage/folder.ts";
import { type Storage, StorageUnavailable } from "../../src/platform/storage/storage.ts";
import { createApp } from "../../src/app.ts";
import { type Actor, type Reply, send, startApp, type TestApp } from "../support/app.ts";
import { makeFile, makeMultipart, makePng, makeSvg } from "../support/pictures.ts";
import { filesIn, startS3 } from "../support/s3.ts";

const hour = 3_600_000;

async function picture(actor: Actor, width = 9, headers: Record<string, string> = {}): Promise<Reply> {
  const body = await makeMultipart({ profile_picture: makeFile("me.png", makePng(width, 9)) });
  return await actor.call("POST", `/v1/users/${actor.id}/profile-picture`, body, headers);
}

async function logos(actor: Actor): Promise<Reply> {
  const parts = { logo_1: makeFile("1", makePng(480, 140)), logo_2: makeFile("2", makePng(80, 80)) };
  return await actor.call("POST", "/upload/company-logo", await makeMultipart(parts));
}

const listStored = (app: TestApp) => filesIn(`${app.folder}/files`);
const getKey = (address: string) => new URL(address).pathname.slice(1);
const readStatus = async (address: string) => (await send(address, "GET", null)).status;
const rows = async (app: TestApp) =>
  (await app.sql("select key from objects order by key")).map(({ key }) => key);

/** An app over the same database with another storage. */
function withStorage(app: TestApp, change: (storage: Storage) => Partial<Storage>): Actor["call"] {
  const storage = { ...app.deps.storage, ...change(app.deps.storage) };
  const other = createApp({ ...app.deps, storage });
  return async (method, path, body, headers = {}) => {
    const token = headers.token!;
    await using server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      (request) => other.fetch(request),
    );
    return await send(`http://127.0.0.1:${server.addr.port}${path}`, method, token, body);
  };
}

Deno.test("a picture is served by its address, cached for ever, and its policy forbids scripts", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const body = await makeMultipart({ profile_picture: makeFile("me.svg", makeSvg('viewBox="0 0 9 9"')) });
  const reply = await admin.call("POST", `/v1/users/${admin.id}/profile-picture`, body);
  const address = reply.body.profile_picture;
  const response = await fetch(address);
  const text = await response.text();
  assert.equal(response.status, 200);
  const expected = {
    "content-type": "image/svg+xml",
    "content-length": String(text.length),
    "content-disposition": "inline",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
    "cache-control": "public, max-age=31536000, immutable",
  };
  for (const [name, value] of Object.entries(expected)) assert.equal(response.headers.get(name), value, name);
  assert.ok(response.headers.get("x-request-id"));

  const etag = response.headers.get("etag")!;
  const again = await send(address, "GET", null, undefined, { "If-None-Match": etag });
  assert.deepEqual([again.status, again.text, again.headers.get("etag")], [304, "", etag]);
  const other = await send(address, "GET", null, undefined, { "If-None-Match": '"other"' });
  assert.equal(other.status, 200);
  const head = await send(address, "HEAD", null);
  assert.deepEqual([head.status, head.text, head.headers.get("content-type")], [200, "", "image/svg+xml"]);
  assert.equal((await send(address, "POST", null)).status, 405);
});

Deno.test("an address without a picture is 404, in any form", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { profile_picture: address } = (await picture(admin)).body;
  const name = getKey(address).slice("pictures/".length);
  assert.match(name, /^[\w-]{43}$/);
  const others = [
    `${name}x`,
    name.slice(1),
    `${name.slice(1)}_`,
    "..%2fcrm.db",
    "%00",
    `${name}.part`,
    "%",
  ];
  for (const other of others) {
    const reply = await send(`${app.url}/pictures/${other}`, "GET", null);
    assert.ok([404, 400].includes(reply.status), `${other}: ${reply.status}`);
  }
  // These dots lead to the root, which redirects to the documentation.
  const root = await send(`${app.url}/pictures/%2e%2e`, "GET", null);
  assert.deepEqual([root.status, root.headers.get("location")], [302, "/app"]);
});

Deno.test("a picture in a bucket is fetched by a link of its own, which works for some minutes", async () => {
  const s3 = await startS3();
  try {
    await using app = await startApp(s3.env);
    const { admin } = await app.company();
    const { body } = await picture(admin);
    assert.deepEqual(s3.keys(), [getKey(body.profile_picture)]);
    const reply = await send(body.profile_picture, "GET", null);
    assert.equal(reply.status, 303);
    const link = new URL(reply.headers.get("location")!);
    assert.equal(link.searchParams.get("X-Amz-Expires"), "600");
    // Nobody is redirected to an expired link.
    assert.equal(reply.headers.get("cache-control"), "private, max-age=300");
    const response = await fetch(link);
    assert.deepEqual(await response.bytes(), makePng(9, 9));
    assert.equal(response.headers.get("content-type"), "image/png");
    await picture(admin, 10);
    await removeObjects(app.deps, app.clock.now());
    assert.equal(s3.keys().length, 1);
  } finally {
    await s3.close();
  }
});

Deno.test("replacing a picture changes its address, the old one is 404, and a job removes the old file", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const before = (await picture(admin, 9)).body.profile_picture;
  const after = (await picture(admin, 10)).body.profile_picture;
  assert.notEqual(after, before);
  assert.deepEqual([await readStatus(before), await readStatus(after)], [404, 200]);
  assert.equal(listStored(app).length, 2);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  assert.deepEqual(listStored(app), [getKey(after)]);
  assert.deepEqual(await rows(app), [getKey(after)]);
  const first = (await logos(admin)).body;
  await logos(admin);
  await removeObjects(app.deps, app.clock.now());
  assert.deepEqual([await readStatus(first.logo_1), await readStatus(first.logo_2), listStored(app).length], [
    404,
    404,
    3,
  ]);
});

Deno.test("deleting a user deletes their picture, deleting a company its pictures", async () => {
  await using app = await startApp({ ERASE_AFTER: "0" });
  const { id, admin, user } = await app.company();
  const other = await app.company("Neighbour");
  const kept = (await picture(other.admin)).body.profile_picture;
  const gone = await user();
  const address = (await picture(gone)).body.profile_picture;
  await admin.call("DELETE", `/v1/companies/${id}/users/${gone.id}`);
  assert.equal(await readStatus(address), 404);
  await removeObjects(app.deps, app.clock.now());
  assert.deepEqual(listStored(app), [getKey(kept)]);

  const logo = (await logos(admin)).body.logo_1;
  const own = (await picture(admin)).body.profile_picture;
  await admin.call("DELETE", `/v1/companies/${id}`);
  // At once, before anything is erased.
  assert.deepEqual([await readStatus(logo), await readStatus(own)], [404, 404]);
  await runStaged(app.deps, app.clock.now() + 60_000, [companyErasureWork]);
  await removeObjects(app.deps, app.clock.now() + 60_000);
  assert.deepEqual(listStored(app), [getKey(kept)]);
  assert.deepEqual(await rows(app), [getKey(kept)]);
  assert.equal(await readStatus(kept), 200);
});

Deno.test("an admin of another company gets 404 for a user's picture, and nothing is stored", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const other = await app.company("Other");
  const body = await makeMultipart({ profile_picture: makeFile("me.png", makePng(9, 9)) });
  const reply = await other.admin.call("POST", `/v1/users/${admin.id}/profile-picture`, body);
  assert.equal(reply.status, 404);
  assert.deepEqual([listStored(app), await rows(app)], [[], []]);
});

Deno.test("a storage that does not answer is 503 with Retry-After, changes nothing, and the log has no key", async () => {
  await using app = await startApp();
  const { id, admin } = await app.company();
  const before = (await picture(admin)).body.profile_picture;
  const dead = await startApp({
    DATABASE_URL: `file:${app.file}`,
    STORAGE_URL: "s3://crm?endpoint=http://127.0.0.1:9",
    AWS_ACCESS_KEY_ID: "AKIAKEY",
    AWS_SECRET_ACCESS_KEY: "a-secret",
    SECRETS_KEY: app.deps.secretsKey.toBase64(),
  });
  try {
    const events = await app.sql("select count(*) as n from outbox");
    for (const path of [`/v1/users/${admin.id}/profile-picture`, "/upload/company-logo"]) {
      const parts = {
        profile_picture: makeFile("1", makePng(9, 9)),
        logo_1: makeFile("1", makePng(480, 140)),
        logo_2: makeFile("2", makePng(80, 80)),
      };
      const reply = await dead.call(admin.token, "POST", path, await makeMultipart(parts), {
        "Idempotency-Key": path,
      });
      assert.deepEqual([reply.status, reply.body.code], [503, "unavailable"], reply.text);
      assert.equal(reply.headers.get("retry-after"), "5");
      assert.doesNotMatch(reply.text, /127\.0\.0\.1:9|AKIAKEY|pictures\//);
    }
    const errors = JSON.stringify(dead.log.entries.filter(({ level }) => level === "error"));
    assert.match(errors, /storage_unavailable.*ECONNREFUSED/);
    assert.doesNotMatch(errors, /AKIAKEY|a-secret|pictures\//);
    const { body: company } = await admin.call("GET", `/v1/companies/${id}`);
    assert.deepEqual([company.logo_1, company.logo_2], [null, null]);
    assert.equal((await admin.call("GET", "/v1/me")).body.profile_picture, before);
    assert.deepEqual(await app.sql("select count(*) as n from outbox"), events);
    assert.deepEqual(await app.sql("select count(*) as n from idempotency_keys"), [{ n: 0 }]);
  } finally {
    await dead[Symbol.asyncDispose]();
  }
});

Deno.test("a picture whose commit is refused after it was stored is removed at once", async () => {
  await using app = await startApp();
  const { admin, user } = await app.company();
  const ada = await user();
  const call = withStorage(app, (storage) => ({
    async put(key, bytes, type) {
      await storage.put(key, bytes, type);
      // The user is deleted meanwhile.
      await admin.call("DELETE", `/v1/companies/${admin.companyId}/users/${ada.id}`);
    },
  }));
  const body = await makeMultipart({ profile_picture: makeFile("me.png", makePng(9, 9)) });
  const reply = await call("POST", `/v1/users/${ada.id}/profile-picture`, body, { token: admin.token });
  assert.equal(reply.status, 404, reply.text);
  assert.deepEqual([listStored(app), await rows(app)], [[], []]);
});

Deno.test("killed around storing a picture, before the record shows it: an hour later the job removes it", async () => {
  const place = (app: TestApp) => makeFolderStorage(`${app.folder}/files`);
  const moments: Record<string, (app: TestApp, key: string) => Promise<unknown>> = {
    before: () => Promise.resolve(),
    while: (app, key) => Deno.writeFile(`${app.folder}/files/${key}.part`, makePng(9, 9).slice(0, 20)),
    after: (app, key) => place(app).put(key, makePng(9, 9), "image/png"),
  };
  for (const [moment, happens] of Object.entries(moments)) {
    await using app = await startApp();
    const { admin } = await app.company();
    const kept = (await picture(admin)).body.profile_picture;
    const frozen = Promise.withResolvers<string>();
    // The call reaches the storage and never returns, like in a killed process.
    const call = withStorage(app, () => ({
      put: async (key) => {
        await happens(app, key);
        frozen.resolve(key);
        throw new StorageUnavailable("killed");
      },
      remove: () => Promise.reject(new StorageUnavailable("killed")),
    }));
    const body = await makeMultipart({ profile_picture: makeFile("me.png", makePng(10, 9)) });
    await call("POST", `/v1/users/${admin.id}/profile-picture`, body, { token: admin.token });
    const key = await frozen.promise;
    assert.equal((await rows(app)).length, 2, moment);
    assert.equal(await readStatus(`${app.url}/${key}`), 404, moment);
    await removeObjects(app.deps, app.clock.now() + hour + 1);
    assert.deepEqual(listStored(app), [getKey(kept)], moment);
    assert.deepEqual(await rows(app), [getKey(kept)], moment);
    assert.equal(await readStatus(kept), 200, moment);
  }
});

Deno.test("if one of two logos cannot be stored, the other is removed, even if it is stored later", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  let puts = 0;
  const call = withStorage(app, ({ put }) => ({
    put: async (key, bytes, type) => {
      if (puts++ === 0) throw new StorageUnavailable("x");
      await new Promise((resolve) => setTimeout(resolve, 100));
      await put(key, bytes, type);
    },
  }));
  const parts = { logo_1: makeFile("1", makePng(480, 140)), logo_2: makeFile("2", makePng(80, 80)) };
  const reply = await call("POST", "/upload/company-logo", await makeMultipart(parts), {
    token: admin.token,
  });
  assert.equal(reply.status, 503, reply.text);
  await new Promise((resolve) => setTimeout(resolve, 150));
  assert.deepEqual([puts, listStored(app), await rows(app)], [2, [], []]);
});

Deno.test("objects that cannot be removed now are removed later, and do not block others", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const first = getKey((await picture(admin, 8)).body.profile_picture);
  const second = getKey((await picture(admin, 9)).body.profile_picture);
  const last = getKey((await picture(admin, 10)).body.profile_picture);
  const failing: Storage = {
    ...app.deps.storage,
    remove: (key) =>
      key === first ? Promise.reject(new StorageUnavailable("x")) : app.deps.storage.remove(key),
  };
  const now = app.clock.now();
  await assert.rejects(removeObjects({ ...app.deps, storage: failing }, now), StorageUnavailable);
  assert.deepEqual(listStored(app), [first, last].sort());
  assert.ok(!(await rows(app)).includes(second));
  // Another process may still store it.
  assert.equal(await removeObjects(app.deps, now + 599_999), 0);
  assert.equal(await removeObjects(app.deps, now + 600_000), 1);
  assert.deepEqual(listStored(app), [last]);
});

Deno.test("work that a clock ahead delayed is done; a backup that it kept open keeps nothing", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const picked = getKey((await picture(admin, 8)).body.profile_picture);
  const now = app.clock.now();
  const later = now + 365 * 24 * hour;
  const [hold] = holdObjects("broken off", later);
  await app.deps.db.write([dropObjects(later, [picked]), hold]);
  assert.equal(await removeObjects(app.deps, now), 1);
  assert.deepEqual(listStored(app), []);
});

Deno.test("a thousand objects are removed in one run, each once by two concurrent processes", async () => {
  await using app = await startApp();
  const now = app.clock.now();
  await app.deps.db.write([{
    sql: "insert into objects (key, company_id, type, bytes, removed_from, created_at) " +
      "with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000) " +
      "select 'pictures/' || i, 1, 'image/png', 1, 0, '' from n",
    args: [],
  }]);
  const removed: string[] = [];
  const storage: Storage = {
    ...app.deps.storage,
    remove: (key) => Promise.resolve(void removed.push(key)),
  };
  const run = () => removeObjects({ ...app.deps, storage }, now);
  const [one, two] = await Promise.all([run(), run()]);
  assert.equal(one + two, 1000);
  assert.equal(new Set(removed).size, 1000);
  assert.equal(removed.length, 1000);
});

Deno.test("an upload that outlasts its announcement starts again, and is complete", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  let puts = 0;
  const call = withStorage(app, (storage) => ({
    async put(key, bytes, type) {
      await storage.put(key, bytes, type);
      if (puts++ === 0) await removeObjects(app.deps, app.clock.now() + 2 * hour);
    },
  }));
  const body = await makeMultipart({ profile_picture: makeFile("me.png", makePng(9, 9)) });
  const reply = await call("POST", `/v1/users/${admin.id}/profile-picture`, body, { token: admin.token });
  assert.equal(reply.status, 200, reply.text);
  assert.equal(puts, 2);
  assert.deepEqual(listStored(app), [getKey(reply.body.profile_picture)]);
});
