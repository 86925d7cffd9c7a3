import assert from "node:assert/strict";
import { loadConfig } from "../../../src/config.ts";
import { makeBucketStorage, openBucket } from "../../../src/platform/storage/bucket.ts";
import { makeFolderStorage } from "../../../src/platform/storage/folder.ts";
import { type Storage, StorageUnavailable } from "../../../src/platform/storage/storage.ts";
import { inFolder } from "../../support/engines.ts";
import { filesIn, startS3 } from "../../support/s3.ts";

interface Opened {
  readonly storage: Storage;
  /** The keys of what is stored. */
  keys(): string[];
}

/** Runs a test on a folder and on a bucket, each new and empty. */
function onEachStorage(name: string, test: (opened: Opened) => Promise<void>): void {
  Deno.test(`in a folder, ${name}`, () =>
    inFolder(async (folder) => {
      const place = `${folder}/not/there/yet`;
      await test({ storage: makeFolderStorage(place), keys: () => filesIn(place) });
    }));
  Deno.test(`in a bucket, ${name}`, async () => {
    const s3 = await startS3();
    try {
      await test({ storage: openBucket(loadConfig(s3.env))!, keys: s3.keys });
    } finally {
      await s3.close();
    }
  });
}

const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => index % 251);

async function read(storage: Storage, key: string, range?: { start: number; end: number }) {
  const found = await storage.get(key, range);
  if (found === null) return null;
  const body = await new Response(found.body).bytes();
  assert.equal(found.size, body.length);
  return body;
}

onEachStorage(
  "an object reads back byte by byte, and other keys are empty",
  async (opened) => {
    const { storage } = opened;
    await storage.put("pictures/one", bytes, "image/png");
    await storage.put("pictures/empty", new Uint8Array(), "image/png");
    assert.deepEqual(await read(storage, "pictures/one"), bytes);
    assert.deepEqual(await read(storage, "pictures/empty"), new Uint8Array());
    assert.equal(await read(storage, "pictures/other"), null);
    assert.equal(await read(storage, "other"), null);
    assert.deepEqual(opened.keys(), ["pictures/empty", "pictures/one"]);
  },
);

onEachStorage(
  "bytes that arrive in pieces are stored alike; an error of theirs leaves nothing",
  async (opened) => {
    const { storage } = opened;
    async function* pieces(size: number, failure: Error | null = null) {
      for (let at = 0; at < bytes.length; at += size) {
        yield bytes.subarray(at, at + size);
        await Promise.resolve();
      }
      if (failure) throw failure;
    }
    await storage.putStream("files/one", pieces(1_000), "text/plain");
    await storage.putStream("files/whole", pieces(bytes.length), "text/plain");
    await storage.putStream("files/empty", (async function* () {})(), "text/plain");
    assert.deepEqual(await read(storage, "files/one"), bytes);
    assert.deepEqual(await read(storage, "files/whole"), bytes);
    assert.deepEqual(await read(storage, "files/empty"), new Uint8Array());
    const failure = new Error("the client went away");
    await assert.rejects(
      storage.putStream("files/broken", pieces(1_000, failure), "text/plain"),
      (error) => error === failure,
    );
    assert.equal(await read(storage, "files/broken"), null);
    await assert.rejects(storage.putStream("../a", pieces(1_000), "text/plain"), RangeError);
    assert.deepEqual(opened.keys(), ["files/empty", "files/one", "files/whole"]);
  },
);

onEachStorage(
  "a range of any size reads by its first and last byte",
  async ({ storage }) => {
    await storage.put("a", bytes, "text/plain");
    assert.deepEqual(await read(storage, "a", { start: 0, end: 1 }), bytes.slice(0, 2));
    assert.deepEqual(await read(storage, "a", { start: 70_000, end: 150_000 }), bytes.slice(70_000, 150_001));
    assert.deepEqual(await read(storage, "a", { start: 199_990, end: 199_999 }), bytes.slice(199_990));
  },
);

onEachStorage("an unread body leaves nothing open", async ({ storage }) => {
  await storage.put("a", bytes, "text/plain");
  // The test runner counts files and connections.
  const unread = await storage.get("a");
  await unread!.body.cancel();
  const begun = await storage.get("a");
  const reader = begun!.body.getReader();
  await reader.read();
  await reader.cancel();
});

onEachStorage("a removed object is gone, and removing it again is no error", async (opened) => {
  const { storage } = opened;
  await storage.put("pictures/one", bytes, "image/png");
  for (let again = 0; again < 2; again++) {
    await storage.remove("pictures/one");
    assert.equal(await read(storage, "pictures/one"), null);
  }
  await storage.remove("pictures/never");
  assert.deepEqual(opened.keys(), []);
});

onEachStorage(
  "the objects of a folder are listed in order of their keys, with their sizes",
  async ({ storage }) => {
    const everything = async (folder: string) => {
      const listed: (readonly [string, number])[] = [];
      for (let after: string | null = null;;) {
        const page = await storage.list(folder, after);
        if (page.length === 0) return listed;
        listed.push(...page.map(({ key, size }) => [key, size] as const));
        after = page.at(-1)!.key;
      }
    };
    assert.deepEqual(await everything("files/"), []);
    const names = ["b", "B", "a_1", "a-1", "9"];
    for (const name of names) {
      await storage.put(
        `files/${name}`,
        bytes.subarray(0, name.length),
        "text/plain",
      );
    }
    await storage.put("pictures/one", bytes, "image/png");
    await storage.put("filesystem", bytes, "image/png");
    await storage.put("files/below/one", bytes, "image/png");
    const sorted = names.toSorted().map((name) => [`files/${name}`, name.length]);
    assert.deepEqual(await everything("files/"), sorted);
    assert.deepEqual((await storage.list("files/", "files/a-1")).map(({ key }) => key), [
      "files/a_1",
      "files/b",
    ]);
    for (const folder of ["", "/", "files", "../", "a/../b/"]) {
      await assert.rejects(async () => await storage.list(folder, null), RangeError);
    }
  },
);

onEachStorage("keys that could leave the folder are refused", async (opened) => {
  const { storage } = opened;
  for (
    const key of [
      "",
      "/",
      "/etc/passwd",
      "..",
      "a/../b",
      "../a",
      "a//b",
      "a/",
      "a\0b",
      "a.part",
      "a%2e",
      "a b",
    ]
  ) {
    for (
      const act of [() => storage.put(key, bytes, "x"), () => storage.get(key), () => storage.remove(key)]
    ) {
      await assert.rejects(act, RangeError, key);
    }
  }
  assert.deepEqual(opened.keys(), []);
});

Deno.test("a bucket links to an object for a limited time with its type; a folder does not", async () => {
  const s3 = await startS3();
  try {
    const storage = openBucket(loadConfig({ ...s3.env, AWS_SESSION_TOKEN: "session" }))!;
    await storage.put("pictures/one", bytes, "image/png");
    const link = new URL((await storage.link("pictures/one", 90))!);
    assert.equal(link.pathname, "/crm/pictures/one");
    assert.equal(link.searchParams.get("X-Amz-Expires"), "90");
    assert.equal(link.searchParams.get("X-Amz-Security-Token"), "session");
    assert.match(link.searchParams.get("X-Amz-Credential")!, /\/eu-central-1\/s3\//);
    const response = await fetch(link);
    assert.equal(response.headers.get("content-type"), "image/png");
    assert.equal(response.headers.get("content-disposition"), "inline");
    assert.deepEqual(await response.bytes(), bytes);
  } finally {
    await s3.close();
  }
  assert.equal(await makeFolderStorage("/nowhere").link("pictures/one", 90), null);
});

Deno.test("the region comes from the URL or the environment; without an endpoint it is Amazon's", async () => {
  const credentials = { AWS_ACCESS_KEY_ID: "AKIA", AWS_SECRET_ACCESS_KEY: "secret" };
  const link = async (env: Record<string, string>) =>
    (await openBucket(loadConfig({ ...credentials, ...env }))!.link("a", 60))!;
  const region = { AWS_REGION: "eu-west-1" };
  assert.match(await link({ STORAGE_URL: "s3://crm" }), /^https:\/\/crm\.s3\.us-east-1\.amazonaws\.com\/a\?/);
  assert.match(await link({ STORAGE_URL: "s3://crm", ...region }), /^https:\/\/crm\.s3\.eu-west-1\./);
  assert.match(await link({ STORAGE_URL: "s3://crm?region=eu-north-1", ...region }), /\.s3\.eu-north-1\./);
});

Deno.test("a bucket needs credentials, a folder none", () => {
  assert.throws(
    () => openBucket(loadConfig({ STORAGE_URL: "s3://crm" })),
    /^ConfigError: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set|^Error: AWS_ACCESS_KEY_ID and/,
  );
  assert.equal(openBucket(loadConfig({})), null);
});

Deno.test("a storage that does not answer or refuses is unavailable, and the error has no key", async () => {
  const s3 = await startS3();
  const wrong = { ...s3.env, AWS_ACCESS_KEY_ID: "AKIAWRONG", AWS_SECRET_ACCESS_KEY: "a-secret" };
  const none = { ...s3.env, STORAGE_URL: s3.env.STORAGE_URL!.replace("//crm", "//none") };
  const dead = { ...s3.env, STORAGE_URL: "s3://crm?endpoint=http://127.0.0.1:9" };
  try {
    for (const [env, said] of [[wrong, /403/], [none, /404|NoSuchBucket/], [dead, /ECONNREFUSED/]] as const) {
      const storage = openBucket(loadConfig(env))!;
      await assert.rejects(storage.put("pictures/hidden", bytes, "image/png"), (error) => {
        assert.ok(error instanceof StorageUnavailable);
        assert.match(error.message, said);
        assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)}`, /hidden|AKIAWRONG|a-secret/);
        assert.equal(error.cause, undefined);
        return true;
      });
    }
    await assert.rejects(openBucket(loadConfig(dead))!.get("a"), StorageUnavailable);
    await assert.rejects(openBucket(loadConfig(dead))!.remove("a"), StorageUnavailable);
  } finally {
    await s3.close();
  }
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/file`, "");
    await assert.rejects(makeFolderStorage(`${folder}/file`).put("hidden", bytes, "x"), (error) => {
      assert.ok(error instanceof StorageUnavailable);
      assert.doesNotMatch(error.message, /hidden/);
      return true;
    });
  });
});

Deno.test("an object of a bucket that stalls fails; one that pauses arrives completely", async () => {
  const halves = (pause: number | null) =>
    new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(bytes.subarray(0, 100_000));
        if (pause === null) return;
        await new Promise((resolve) => setTimeout(resolve, pause));
        controller.enqueue(bytes.subarray(100_000));
        controller.close();
      },
    });
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    ({ url }) =>
      new Response(halves(url.includes("stuck") ? null : 100), {
        headers: { "content-length": String(bytes.length), "content-type": "image/png" },
      }),
  );
  const storage = makeBucketStorage({
    name: "crm",
    endpoint: `http://127.0.0.1:${server.addr.port}`,
    region: "eu-central-1",
    credentials: { accessKeyId: "A", secretAccessKey: "B", sessionToken: null },
  }, 1_000);
  assert.deepEqual(await read(storage, "pauses"), bytes);
  const stuck = await storage.get("stuck");
  await assert.rejects(new Response(stuck!.body).bytes(), StorageUnavailable);
  await server.shutdown();
});

Deno.test("in a folder, an interrupted put is not readable, and is removed with its key", () =>
  inFolder(async (folder) => {
    const storage = makeFolderStorage(folder);
    await Deno.mkdir(`${folder}/pictures`);
    // The state after a kill before the rename.
    await Deno.writeFile(`${folder}/pictures/one.part`, bytes.slice(0, 1000));
    assert.equal(await storage.get("pictures/one"), null);
    await storage.remove("pictures/one");
    assert.deepEqual(filesIn(folder), []);
  }));

Deno.test("an object whose folder is not there is unavailable, not missing", () =>
  inFolder(async (path) => {
    const storage = makeFolderStorage(`${path}/files`);
    await storage.put("files/a", new TextEncoder().encode("A"), "text/plain");
    assert.equal(await storage.get("files/b"), null);
    await Deno.rename(`${path}/files`, `${path}/aside`);
    await assert.rejects(storage.get("files/a"), StorageUnavailable);
    await Deno.writeTextFile(`${path}/files`, "");
    await assert.rejects(storage.get("files/a"), StorageUnavailable);
    await Deno.remove(`${path}/files`);
    await Deno.rename(`${path}/aside`, `${path}/files`);
    const stored = await storage.get("files/a");
    assert.equal(await new Response(stored!.body).text(), "A");
  }));
