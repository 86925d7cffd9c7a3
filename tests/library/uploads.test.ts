/** Files of forms are stored while they arrive, on a folder and in a bucket. */
import assert from "node:assert/strict";
import { Hono } from "hono";
import { created } from "../../src/core/answer.ts";
import { fieldError, invalid } from "../../src/core/errors.ts";
import { makeId } from "../../src/core/ids.ts";
import { commit } from "../../src/db/commit.ts";
import { removeObjects } from "../../src/db/objects.ts";
import { sql } from "../../src/db/statements.ts";
import type { Deps } from "../../src/deps.ts";
import { endpoint } from "../../src/http/endpoint.ts";
import { mount } from "../../src/http/mount.ts";
import { addNameKey, extractEnding, nameFault } from "../../src/library/names.ts";
import { presentFile } from "../../src/library/present.ts";
import { File as FileSchema } from "../../src/library/schema.ts";
import { receiveUpload } from "../../src/library/upload.ts";
import { insertFile } from "../../src/library/write.ts";
import { sha256 } from "../../src/platform/crypto.ts";
import { StorageUnavailable } from "../../src/platform/storage/storage.ts";
import { RawBody, type Reply, send, startApp, type TestApp } from "../support/app.ts";
import { makeMultipart, makePng } from "../support/pictures.ts";
import { filesIn, startS3 } from "../support/s3.ts";

const most = 300_000;

/** Stores a form's file without a place. `refused` decides before anything is stored. */
const uploading = (refused: () => boolean = () => false, beforeCommit = () => Promise.resolve()) =>
  endpoint({
    method: "post",
    path: "/v1/uploads",
    operation: "upload",
    tag: "Files",
    summary: "Upload a file",
    multipart: { file: { most, description: "Any file." } },
    streamed: true,
    answers: { 201: { description: "The file.", schema: FileSchema } },
  }, async (ctx, { incoming }) => {
    const { name, columns, taken } = await receiveUpload(ctx, incoming!, {
      reads: [sql`select 1 as n`],
      when: sql`select 1`,
      check() {
        if (refused()) throw invalid(fieldError("folder_id", "exists", "There is no such folder."));
      },
      checkName(name) {
        const fault = nameFault(name, 60);
        if (fault) throw invalid(fieldError("file", fault.code, fault.message));
      },
    });
    const { companyId, userId } = ctx.caller;
    const file = {
      id: makeId(),
      company_id: companyId,
      user_id: userId,
      ...addNameKey(name),
      type: extractEnding(name),
      ...columns,
      public: 0,
      folder_id: null,
      belongs_to: null,
      belongs_to_id: null,
      placed_by: null,
      placed_at: null,
      picture_key: null,
      created_at: ctx.at,
      updated_at: ctx.at,
      version: 1,
      permissions: [],
      place: null,
      place_json: null,
    };
    await beforeCommit();
    return await commit(ctx, {
      statements: [...taken, ...insertFile(file)],
      answer: created(presentFile(file)),
    });
  });

type Post = (body: unknown, headers?: Record<string, string>) => Promise<Reply>;

/** Serves the endpoint alone, for one caller. */
async function serving(
  deps: Deps,
  token: string,
  declared: ReturnType<typeof uploading>,
  test: (post: Post, url: string) => Promise<void>,
): Promise<void> {
  const app = new Hono();
  mount(app, deps, [declared]);
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) => app.fetch(request),
  );
  const url = `http://127.0.0.1:${server.addr.port}/v1/uploads`;
  await test((body, headers) => send(url, "POST", token, body, headers), url);
}

function onEachStorage(name: string, test: (app: TestApp, stored: () => string[]) => Promise<void>): void {
  Deno.test(`on a folder, ${name}`, async () => {
    await using app = await startApp();
    await test(app, () => filesIn(`${app.folder}/files`));
  });
  Deno.test(`in a bucket, ${name}`, async () => {
    const s3 = await startS3();
    try {
      await using app = await startApp(s3.env);
      await test(app, s3.keys);
    } finally {
      await s3.close();
    }
  });
}

const bytes = Uint8Array.from({ length: most }, (_, index) => index % 251);
const makeFile = (content: Uint8Array<ArrayBuffer>, name = "a.bin") =>
  new File([content], name, { type: "x/y" });
const form = (content: Uint8Array<ArrayBuffer> = bytes, name?: string) =>
  makeMultipart({ file: makeFile(content, name), note: "x" });
const tables = (app: TestApp) =>
  app.sql("select (select count(*) from files) as files, (select count(*) from objects) as objects");
const readFirstError = ({ status, body }: Reply) => [status, body.errors?.[0]?.path, body.errors?.[0]?.code];

onEachStorage("an upload is stored byte by byte, with what follows from its content", async (app, stored) => {
  const { admin } = await app.company();
  await serving(app.deps, admin.token, uploading(), async (post) => {
    const reply = await post(await form());
    assert.deepEqual([reply.status, reply.body.name, reply.body.size], [201, "a.bin", most], reply.text);
    await post(await form(makePng(3, 3), "dot.exe"));
    await post(await form(new Uint8Array(), "empty.txt"));
    const rows = await app.sql(
      "select f.size, f.digest, f.media, o.type, o.bytes, o.removed_from from files f join objects o " +
        "on o.key = f.object_key order by f.seq",
    );
    const expected = ([[bytes, "application/octet-stream"], [makePng(3, 3), "image/png"], [
      new Uint8Array(),
      "application/octet-stream",
    ]] as const).map(([content, media]) => ({
      size: content.length,
      digest: sha256(content),
      media,
      type: media,
      bytes: content.length,
      removed_from: null,
    }));
    assert.deepEqual(rows, expected);
    const link = await admin.call("GET", `/v1/files/${reply.body.id}/download`);
    const response = await fetch(link.headers.get("location")!);
    assert.deepEqual(await response.bytes(), bytes);
    assert.equal(stored().length, 3);
  });
});

onEachStorage("an upload that is refused leaves nothing", async (app, stored) => {
  const { admin } = await app.company();
  let refused = false;
  await serving(app.deps, admin.token, uploading(() => refused), async (post, url) => {
    const whole = await form();
    const cases: [unknown, unknown[]][] = [
      [await form(new Uint8Array(most + 1)), [422, "file", "max"]],
      [await form(bytes, "a/b"), [422, "file", "format"]],
      [await form(bytes, "x".repeat(61)), [422, "file", "max"]],
      [await form(bytes, ""), [422, "file", "required"]],
      [await makeMultipart({ note: "x" }), [422, "file", "required"]],
      [await makeMultipart({ file: "x" }), [422, "file", "type"]],
      [await form(new Uint8Array(20 * most)), [422, "file", "max"]],
      [await makeMultipart({ file: [makeFile(makePng(3, 3)), makeFile(makePng(4, 4))] }), [
        422,
        "file",
        "type",
      ]],
      [await makeMultipart({ file: makeFile(bytes), other: makeFile(new Uint8Array(2 * most)) }), [
        413,
        undefined,
        undefined,
      ]],
      [undefined, [422, "file", "required"]],
      [new RawBody(whole.type, whole.bytes.slice(0, 1_000)), [400, undefined, undefined]],
      [new RawBody(whole.type, whole.bytes.slice(0, -3)), [400, undefined, undefined]],
      [{}, [415, undefined, undefined]],
    ];
    for (const [body, expected] of cases) {
      const reply = await post(body);
      assert.deepEqual(readFirstError(reply), expected, reply.text);
      assert.deepEqual(
        [stored(), await tables(app)],
        [[], [{ files: 0, objects: 0 }]],
        JSON.stringify(expected),
      );
    }
    refused = true;
    assert.deepEqual(readFirstError(await post(whole)), [422, "folder_id", "exists"]);
    // A call without a token does not even announce an object.
    assert.equal((await send(url, "POST", null, whole)).status, 401);
    assert.deepEqual([stored(), await tables(app)], [[], [{ files: 0, objects: 0 }]]);
  });
});

Deno.test("forms with the same parts are the same under an Idempotency-Key, others are 422", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await serving(app.deps, admin.token, uploading(), async (post) => {
    const key = { "Idempotency-Key": "once" };
    const parts = { file: makeFile(bytes), note: "x" };
    const first = await post(await makeMultipart(parts), key);
    assert.deepEqual([first.status, first.headers.get("idempotent-replayed")], [201, null], first.text);
    const again = await post(await makeMultipart(parts, "---another-boundary"), key);
    assert.deepEqual([again.status, again.text], [201, first.text]);
    assert.equal(again.headers.get("idempotent-replayed"), "true");
    const other = bytes.slice();
    other[100_000] = 0;
    for (
      const changed of [{ ...parts, file: makeFile(other) }, { ...parts, note: "y" }, {
        file: makeFile(bytes),
      }]
    ) {
      const reply = await post(await makeMultipart(changed), key);
      assert.deepEqual([reply.status, reply.body.code], [422, "idempotency_mismatch"]);
    }
    const replies = await Promise.all(
      Array.from(
        { length: 5 },
        async () => await post(await makeMultipart(parts), { "Idempotency-Key": "together" }),
      ),
    );
    assert.deepEqual(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size, 1);
    assert.deepEqual(await tables(app), [{ files: 2, objects: 2 }]);
    assert.equal(filesIn(`${app.folder}/files`).length, 2);
  });
});

Deno.test("an upload whose commit meets a change by others keeps its object; one that fails after all removes it", async () => {
  await using app = await startApp();
  const company = await app.company();
  const user = await company.user();
  let commits = 0;
  // Changes the user's type once, which the guard of the caller checks.
  const promote = async () => {
    if (commits++ > 0) return;
    await company.admin.call("PUT", `/v1/companies/${company.id}/users/${user.id}`, {
      user_type: "team_admin",
    });
  };
  await serving(app.deps, user.token, uploading(undefined, promote), async (post) => {
    const reply = await post(await form());
    assert.equal(reply.status, 201, reply.text);
    assert.deepEqual(await tables(app), [{ files: 1, objects: 1 }]);
  });
  const deleteUser = async () => {
    await company.admin.call("DELETE", `/v1/companies/${company.id}/users/${user.id}`);
  };
  await serving(app.deps, user.token, uploading(undefined, deleteUser), async (post) => {
    assert.equal((await post(await form())).status, 401);
    assert.deepEqual(await tables(app), [{ files: 1, objects: 1 }]);
    assert.equal(filesIn(`${app.folder}/files`).length, 1);
  });
});

Deno.test("a storage that fails in the middle is 503, and what is left is removed by the job", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const storage = {
    ...app.deps.storage,
    async putStream(key: string, chunks: AsyncIterable<Uint8Array>, type: string) {
      await app.deps.storage.putStream(key, chunks, type);
      throw new StorageUnavailable("broke off");
    },
    remove: () => Promise.reject(new StorageUnavailable("away")),
  };
  await serving({ ...app.deps, storage }, admin.token, uploading(), async (post) => {
    assert.equal((await post(await form())).status, 503);
  });
  assert.deepEqual(await tables(app), [{ files: 0, objects: 1 }]);
  await removeObjects(app.deps, app.clock.now() + 3_600_001);
  assert.deepEqual(await tables(app), [{ files: 0, objects: 0 }]);
  assert.deepEqual(filesIn(`${app.folder}/files`), []);
});
