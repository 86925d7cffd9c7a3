/** Published pictures: copies at addresses that need no token. */
import assert from "node:assert/strict";
import { removeObjects } from "../../src/db/objects.ts";
import { createApp } from "../../src/app.ts";
import { type Storage, StorageUnavailable } from "../../src/platform/storage/storage.ts";
import { type Actor, type Reply, send, startApp, type TestApp } from "../support/app.ts";
import { joinBytes, makeGif, makeJpeg, makePng, makePngOfSize, makeSvg } from "../support/pictures.ts";
import { filesIn, startS3 } from "../support/s3.ts";
import { makeFolder, readRefusal, upload } from "./manager_world.ts";

type Bytes = Uint8Array<ArrayBuffer>;

async function storePicture(
  actor: Actor,
  bytes: Bytes,
  name = "logo.png",
  more: object = {},
): Promise<string> {
  const data = bytes.toBase64();
  const reply = await actor.call("POST", "/v1/files", { name, data, ...more });
  assert.equal(reply.status, 201, reply.text);
  return reply.body.id;
}

const publish = (
  actor: Actor,
  file_id: unknown,
  headers = {},
): Promise<Reply> => actor.call("POST", "/v1/filemanager/pictures", { file_id }, headers);

async function publishPicture(actor: Actor, file_id: string): Promise<string> {
  const reply = await publish(actor, file_id);
  assert.equal(reply.status, 201, reply.text);
  return reply.body.url;
}

/** Returns a function that publishes through an app over the same database with another storage. */
function withStorage(app: TestApp, change: Partial<Storage>) {
  const other = createApp({ ...app.deps, storage: { ...app.deps.storage, ...change } });
  return async (actor: Actor, file_id: string) =>
    await other.fetch(
      new Request(`${app.url}/v1/filemanager/pictures`, {
        method: "POST",
        headers: { "Authorization": `Bearer ${actor.token}`, "Content-Type": "application/json" },
        body: JSON.stringify({ file_id }),
      }),
    );
}

const withdraw = (actor: Actor, id: string, headers = {}): Promise<Reply> =>
  actor.call("DELETE", `/v1/filemanager/pictures/${id}`, undefined, headers);
const readStatus = async (address: string) => (await send(address, "GET", null)).status;
const onDisk = (app: TestApp) => filesIn(`${app.folder}/files`);
const objects = async (app: TestApp) =>
  (await app.sql(
    "select key from objects where removed_from is null order by key",
  )).map(({ key }) => key);

/**
 * Removes objects without a record. Checks that the rows, the objects and the storage agree; returns the
 * keys.
 */
async function settleObjects(app: TestApp): Promise<string[]> {
  await removeObjects(app.deps, app.clock.now() + 3_600_001);
  assert.deepEqual(
    await app.sql("select key from objects where removed_from is not null"),
    [],
  );
  const keys = await app.sql(
    "select object_key as key from files union select picture_key from files where picture_key is not null order by 1",
  );
  const found = keys.map(({ key }) => key as string);
  assert.deepEqual(onDisk(app), found);
  assert.deepEqual(await objects(app), found);
  return found;
}

Deno.test("a picture of each type is published clean, at an address that needs no token", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const pictures: [Bytes, string, Bytes][] = [
    [makePngOfSize(3_000), "image/png", makePng(10, 10)],
    [makeGif(9, 9), "image/gif", makeGif(9, 9)],
    [makeJpeg(9, 9), "image/jpeg", makeJpeg(9, 9)],
    [
      makeSvg(
        'viewBox="0 0 9 9" onload="steal()"',
        '<script>steal()</script><path d="M0 0"/>',
      ),
      "image/svg+xml",
      makeSvg('viewBox="0 0 9 9"', '<path d="M0 0"></path>'),
    ],
  ];
  for (const [sent, type, clean] of pictures) {
    // The content decides, not the name.
    const id = await storePicture(admin, sent, "notes.txt");
    const tag = (await admin.call("GET", `/v1/files/${id}`)).headers.get(
      "etag",
    );
    const reply = await publish(admin, id.toUpperCase());
    const { url } = reply.body;
    assert.deepEqual([reply.status, reply.body], [201, { file_id: id, url }]);
    assert.ok(url.startsWith(`${app.url}/pictures/files/${id}-`), url);
    const response = await fetch(url);
    assert.deepEqual([response.status, response.headers.get("content-type")], [
      200,
      type,
    ]);
    const expected = {
      "content-length": String(clean.length),
      "content-disposition": "inline",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
      "cache-control": "public, max-age=300, immutable",
    };
    for (const [name, value] of Object.entries(expected)) {
      assert.equal(response.headers.get(name), value, `${type}: ${name}`);
    }
    const bytes = await response.bytes();
    assert.equal(
      new TextDecoder().decode(bytes),
      new TextDecoder().decode(clean),
      type,
    );
    const etag = response.headers.get("etag")!;
    assert.equal(
      (await send(url, "GET", null, undefined, { "If-None-Match": etag }))
        .status,
      304,
    );
    assert.deepEqual([
      (await send(url, "HEAD", null)).status,
      (await send(url, "POST", null)).status,
    ], [
      200,
      405,
    ]);
    const file = await admin.call("GET", `/v1/files/${id}`);
    assert.deepEqual(
      [file.body.public, file.headers.get("etag")],
      [false, tag],
      "the file stays as it is",
    );
    assert.equal(
      (await send(`${app.url}/v1/files/${id}/public`, "GET", null)).status,
      404,
    );
    assert.equal(await publishPicture(admin, id), url, "the address stays");
  }
  assert.equal((await settleObjects(app)).length, 8);
});

Deno.test("an address ends with DELETE, and the next one is another", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { id } = await upload(
    admin,
    "company",
    "a.svg",
    "<svg xmlns='http://www.w3.org/2000/svg'/>",
  );
  const first = await publish(admin, id);
  const { url } = first.body;
  const other = first.headers.get("etag")!.replace(
    /\w/,
    (letter) => letter === "0" ? "1" : "0",
  );
  assert.equal((await withdraw(admin, id, { "If-Match": other })).status, 412);
  assert.equal(await readStatus(url), 200);
  assert.equal(
    (await withdraw(admin, id, { "If-Match": first.headers.get("etag")! }))
      .status,
    204,
  );
  assert.equal(await readStatus(url), 404);
  assert.equal((await withdraw(admin, id)).status, 404);
  const again = await publishPicture(admin, id);
  assert.notEqual(again, url);
  assert.deepEqual([await readStatus(again), await readStatus(url)], [200, 404]);
  assert.equal((await settleObjects(app)).length, 2);
  for (
    const path of [
      again.slice(0, -1),
      `${again}x`,
      `${again}.part`,
      again.replace("/files/", "/"),
    ]
  ) {
    assert.equal(await readStatus(path), 404, path);
  }
});

Deno.test("only pictures are published, and what is refused leaves nothing", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const text = (content: string) => new TextEncoder().encode(content);
  const cases: [string, Bytes, string][] = [
    ["a text", text("Hello!"), "format"],
    ["nothing", new Uint8Array(), "format"],
    ["a PDF", text("%PDF-1.7\n"), "format"],
    [
      "a page that begins as a JPEG",
      joinBytes([0xff, 0xd8, 0xff], "<script>alert(1)</script>"),
      "format",
    ],
    ["a broken PNG", makePng(9, 9).slice(0, -9), "format"],
    ["a WebP", joinBytes("RIFF", [0, 0, 0, 0], "WEBPVP8 "), "format"],
    ["a page", text("<html><script>alert(1)</script></html>"), "format"],
    [
      "an SVG with entities",
      text('<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="x">&a;</svg>'),
      "format",
    ],
    ["too many pixels", makePng(60_000, 60_000), "format"],
    ["too many bytes", makePngOfSize(2 * 1024 * 1024 + 1), "max"],
  ];
  for (const [what, bytes, code] of cases) {
    const id = await storePicture(admin, bytes);
    assert.deepEqual(readRefusal(await publish(admin, id)), [
      422,
      `file_id ${code}`,
    ], what);
  }
  assert.equal((await storePicture(admin, makePngOfSize(2 * 1024 * 1024))).length, 36);
  assert.deepEqual(
    onDisk(app).filter((key) => key.startsWith("pictures/")),
    [],
  );
  assert.deepEqual(
    await app.sql("select key from objects where key like 'pictures/%'"),
    [],
  );
  const lost = await storePicture(admin, makePng(3, 3));
  for (const key of onDisk(app)) Deno.removeSync(`${app.folder}/files/${key}`);
  assert.equal(
    (await publish(admin, lost)).status,
    404,
    "a file without its content",
  );
  assert.deepEqual(readRefusal(await publish(admin, undefined)), [
    422,
    "file_id required",
  ]);
  assert.deepEqual(readRefusal(await publish(admin, "logo.png")), [
    422,
    "file_id type",
  ]);
  assert.deepEqual(readRefusal(await publish(admin, [lost])), [
    422,
    "file_id type",
  ]);
});

Deno.test("to publish takes the right files.publish and a file that the caller may change, to withdraw the file", async () => {
  await using app = await startApp();
  const company = await app.company();
  const team = await company.team();
  const plain = await company.user({ teams: [team] });
  const publisher = await company.user({
    teams: [team],
    rights: ["files.publish"],
  });
  const stranger = (await app.company("Other")).admin;
  const own = await storePicture(plain, makePng(9, 9), "a.png", {
    permissions: [{ type: "team", value: team }],
  });
  assert.deepEqual(
    readRefusal(await publish(plain, own)),
    [403, "forbidden"],
    "without the right",
  );
  assert.deepEqual(
    readRefusal(await publish(publisher, own)),
    [403, "forbidden"],
    "another's file",
  );
  assert.deepEqual(readRefusal(await publish(stranger, own)), [
    422,
    "file_id exists",
  ]);
  const hidden = await storePicture(company.admin, makePng(9, 9));
  assert.deepEqual(readRefusal(await publish(publisher, hidden)), [
    422,
    "file_id exists",
  ]);
  assert.equal(
    (await publish(publisher, await storePicture(publisher, makePng(9, 9)))).status,
    201,
  );
  const url = await publishPicture(company.admin, own);
  assert.deepEqual(
    [
      (await withdraw(stranger, own)).status,
      (await withdraw(publisher, own)).status,
    ],
    [404, 403],
  );
  assert.equal((await withdraw(publisher, hidden)).status, 404);
  assert.equal(await readStatus(url), 200);
  // The owner needs no right to withdraw the picture.
  assert.equal((await withdraw(plain, own)).status, 204);
  assert.equal(await readStatus(url), 404);
});

Deno.test("an address ends when its file is replaced or deleted, with its folder and company, not with its owner", async () => {
  await using app = await startApp({ ERASE_AFTER: "0" });
  const company = await app.company();
  const { admin } = company;
  const user = await company.user({ rights: ["files.publish"] });
  const make = async (by = admin, folder_id: string | null = null) => {
    const id = await storePicture(by, makePng(9, 9));
    if (folder_id) {
      await app.deps.db.write([{
        sql: "update files set folder_id = ? where id = ?",
        args: [folder_id, id],
      }]);
    }
    return [id, await publishPicture(by, id)] as const;
  };
  const folders = [];
  for (const name of ["small", "in removal"]) {
    const reply = await admin.call("POST", "/v1/filemanager/folders", {
      name,
      belongs_to: "company",
    });
    folders.push(reply.body.id);
  }
  const [replaced, replacedUrl] = await make();
  const [deleted, deletedUrl] = await make();
  const [, inFolderUrl] = await make(admin, folders[0]);
  const [, inRemovalUrl] = await make(admin, folders[1]);
  const [, ownedUrl] = await make(user);
  const [, keptUrl] = await make();
  const data = makePng(3, 3).toBase64();
  assert.equal(
    (await admin.call("PUT", `/v1/files/${replaced}/replace`, { data })).status,
    200,
  );
  assert.equal(
    (await admin.call("DELETE", `/v1/files/${deleted}`)).status,
    204,
  );
  assert.equal(
    (await admin.call("DELETE", `/v1/filemanager/folders/${folders[0]}`))
      .status,
    204,
  );
  // The state of a large folder while its files are being removed.
  await app.deps.db.write([{
    sql: "update folders set deleted_at = '2026-03-02 09:00:00' where id = ?",
    args: [folders[1]],
  }]);
  for (const url of [replacedUrl, deletedUrl, inFolderUrl, inRemovalUrl]) {
    assert.equal(await readStatus(url), 404);
  }
  assert.equal(
    (await admin.call("DELETE", `/v1/companies/${company.id}/users/${user.id}`))
      .status,
    204,
  );
  await app.idle();
  assert.deepEqual([await readStatus(ownedUrl), await readStatus(keptUrl)], [
    200,
    200,
  ]);
  const again = await publishPicture(admin, replaced);
  assert.notEqual(again, replacedUrl);
  await settleObjects(app);
  assert.equal(
    (await admin.call("DELETE", `/v1/companies/${company.id}`)).status,
    204,
  );
  for (const url of [again, ownedUrl, keptUrl]) {
    assert.equal(await readStatus(url), 404);
  }
});

Deno.test("a copy counts for the quota until it is withdrawn, or its file is replaced or deleted", async () => {
  const bytes = makePng(9, 9);
  const picture = makeSvg('width="9" height="9"');
  const room = 10_000;
  await using app = await startApp({ FILE_QUOTA: String(room) });
  const { admin } = await app.company();
  const readUsage = async () => (await admin.call("GET", "/v1/files/usage")).body.bytes as number;
  const readCopy = async (id: string) => {
    const [row] = await app.sql(
      "select o.bytes from files f join objects o on o.key = f.picture_key where f.id = ?",
      id,
    );
    return row!.bytes as number;
  };
  const id = await storePicture(admin, bytes);
  await publishPicture(admin, id);
  assert.equal(await readUsage(), bytes.length + await readCopy(id));
  await publishPicture(admin, id);
  assert.equal(
    await readUsage(),
    bytes.length + await readCopy(id),
    "publishing again publishes nothing more",
  );
  assert.equal((await withdraw(admin, id)).status, 204);
  assert.equal(await readUsage(), bytes.length);
  await publishPicture(admin, id);
  const data = picture.toBase64();
  assert.equal((await admin.call("PUT", `/v1/files/${id}/replace`, { data })).status, 200);
  assert.equal(await readUsage(), picture.length);
  await publishPicture(admin, id);
  const copy = await readCopy(id);

  // What is left is a byte less than the copy needs, then as much.
  const fillStorage = async (size: number) => {
    const name = "filler.bin";
    const made = await admin.call("POST", "/v1/files", { name, data: new Uint8Array(size).toBase64() });
    assert.equal(made.status, 201, made.text);
    return made.body.id as string;
  };
  const other = await storePicture(admin, picture);
  const filler = await fillStorage(room - await readUsage() - copy + 1);
  const refused = await publish(admin, other);
  assert.deepEqual(readRefusal(refused), [422, "file_id max"]);
  assert.equal(await readUsage(), room - copy + 1);
  assert.equal((await admin.call("DELETE", `/v1/files/${filler}`)).status, 204);
  await fillStorage(room - await readUsage() - copy);
  await publishPicture(admin, other);
  assert.equal(await readUsage(), room);

  for (const each of [id, other]) {
    const before = await readUsage();
    assert.equal((await admin.call("DELETE", `/v1/files/${each}`)).status, 204);
    assert.equal(await readUsage(), before - picture.length - copy);
  }
  await settleObjects(app);
});

Deno.test("copies are released with their folder, in one commit and in steps", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const picture = new TextDecoder().decode(makeSvg('width="9" height="9"'));
  const readUsage = async () => (await admin.call("GET", "/v1/files/usage")).body;
  const empty = { files: 0, bytes: 0, quota: null };
  // A step takes 100 files.
  for (const files of [2, 120]) {
    const { id } = await makeFolder(admin, "Art", { belongs_to: "company" });
    for (let n = 0; n < files; n++) {
      const file = await upload(admin, `company?folder_id=${id}`, `${n}.svg`, picture);
      if (n % 50 === 0) await publishPicture(admin, file.id);
    }
    assert.ok((await readUsage()).bytes > files * picture.length);
    assert.equal((await admin.call("DELETE", `/v1/filemanager/folders/${id}`)).status, 204);
    assert.deepEqual(await readUsage(), empty);
    await app.idle();
    assert.deepEqual(await app.sql("select files, bytes from file_usage"), [{ files: 0, bytes: 0 }]);
    assert.deepEqual(await readUsage(), empty);
  }
  await settleObjects(app);
});

Deno.test("calls at once publish one copy; one that is overtaken by other content publishes that", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const id = await storePicture(admin, makePng(9, 9));
  const replies = await Promise.all(
    Array.from({ length: 6 }, () => publish(admin, id)),
  );
  assert.deepEqual(
    new Set(replies.map(({ status, text }) => `${status} ${text}`)).size,
    1,
  );
  assert.equal((await settleObjects(app)).length, 2);
  const key = { "Idempotency-Key": "once" };
  const [first, again] = [
    await publish(admin, id, key),
    await publish(admin, id, key),
  ];
  assert.deepEqual([again.text, again.headers.get("idempotent-replayed")], [
    first.text,
    "true",
  ]);

  // The file is replaced while its bytes are being read.
  const changing = await storePicture(admin, makePng(9, 9));
  let replaced = false;
  const overtaken = withStorage(app, {
    async get(objectKey) {
      const found = await app.deps.storage.get(objectKey);
      if (replaced) return found;
      replaced = true;
      const data = makePng(5, 5).toBase64();
      assert.equal((await admin.call("PUT", `/v1/files/${changing}/replace`, { data })).status, 200);
      return found;
    },
  });
  const response = await overtaken(admin, changing);
  assert.equal(response.status, 201);
  const { url } = await response.json();
  assert.deepEqual(await (await fetch(url)).bytes(), makePng(5, 5));
  assert.equal((await settleObjects(app)).length, 4);
});

Deno.test("a storage that fails is 503, and leaves nothing; the next call publishes", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const id = await storePicture(admin, makePng(9, 9));
  const failing = withStorage(app, {
    async put(...object) {
      await app.deps.storage.put(...object);
      throw new StorageUnavailable("broke off");
    },
  });
  const response = await failing(admin, id);
  assert.equal(response.status, 503, await response.text());
  assert.equal((await settleObjects(app)).length, 1);
  assert.equal(await readStatus(await publishPicture(admin, id)), 200);
});

Deno.test("a picture in a bucket is fetched by a link of the bucket", async () => {
  const s3 = await startS3();
  try {
    await using app = await startApp(s3.env);
    const { admin } = await app.company();
    const id = await storePicture(admin, makePngOfSize(3_000));
    const url = await publishPicture(admin, id);
    const reply = await send(url, "GET", null);
    assert.deepEqual([reply.status, reply.headers.get("cache-control")], [
      303,
      "private, max-age=300",
    ]);
    const response = await fetch(reply.headers.get("location")!);
    assert.deepEqual(await response.bytes(), makePng(10, 10));
    assert.equal((await withdraw(admin, id)).status, 204);
    assert.equal(await readStatus(url), 404);
    await removeObjects(app.deps, app.clock.now());
    assert.equal(s3.keys().length, 1);
  } finally {
    await s3.close();
  }
});
