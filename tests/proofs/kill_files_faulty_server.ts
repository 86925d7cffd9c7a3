/**
 * Serves the database of `DATABASE_URL` like `start`, but stores files with the fault that the argument
 * names.
 */
import { createApp } from "../../src/app.ts";
import { loadConfig } from "../../src/config.ts";
import { openBox } from "../../src/entry/box.ts";
import { openDatabase } from "../../src/entry/open_database.ts";
import { toFilePath } from "../../src/entry/places.ts";
import { readPeer } from "../../src/entry/peer.ts";
import type { Database, Statement } from "../../src/platform/database/database.ts";
import { makeFolderStorage } from "../../src/platform/storage/folder.ts";
import type { Storage } from "../../src/platform/storage/storage.ts";

const config = loadConfig(Deno.env.toObject());
const database = await openDatabase(config);
const folder = makeFolderStorage(toFilePath(config.storageUrl));

const parts = {
  /** Announces an object with the commit that takes it. */
  unannounced: () => ({ db: writing(withCommit()), storage: folder }),
  /** Removes the bytes of a replaced or deleted file before the commit. */
  dropped: () => ({ db: writing(removingFirst), storage: folder }),
  /** Answers before the bytes are stored. */
  unstored: () => ({ db: database, storage: storingLate() }),
};

const { deps } = await openBox(config, parts[Deno.args[0] as keyof typeof parts]());
const app = createApp(deps);
Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) =>
    console.log(JSON.stringify({ event: "listening", url: `http://127.0.0.1:${port}` })),
}, (request, info) => app.fetch(request, readPeer(info)));

function writing(write: Database["write"]): Database {
  return {
    kind: database.kind,
    read: (statements) => database.read(statements),
    readOnThread: (statements, how) => database.readOnThread(statements, how),
    script: (sql) => database.script(sql),
    stamp: () => database.stamp(),
    isRefusing: () => database.isRefusing(),
    freeBytes: () => database.freeBytes(),
    release: () => database.release(),
    close: () => database.close(),
    write,
  };
}

function withCommit(): Database["write"] {
  const announced = new Map<string, Statement>();
  const isAnnouncement = ({ sql }: Statement) => sql.startsWith("insert into objects");
  return async (statements) => {
    for (const each of statements.filter(isAnnouncement)) announced.set(listKeys(each)[0]!, each);
    const taken = statements.filter(({ sql }) => sql.startsWith("update objects set removed_from = null"));
    if (taken.length > 0) await pause();
    const first = [...announced].filter(([key]) => taken.some((each) => joinTexts(each).includes(key)));
    const results = await database.write([
      ...first.map(([, each]) => each),
      ...statements.map((each) => isAnnouncement(each) ? { sql: "select 1", args: [] } : each),
    ]);
    return results.slice(first.length)
      .map((result, index) => isAnnouncement(statements[index]!) ? { ...result, changes: 1 } : result);
  };
}

async function removingFirst(statements: readonly Statement[]) {
  const dropped = statements.filter(({ sql }) =>
    sql.startsWith("update objects set removed_from = ?") && sql.endsWith("removed_from is null")
  );
  await Promise.all(dropped.flatMap(listKeys).map((key) => folder.remove(key)));
  if (dropped.length > 0) await pause();
  return await database.write(statements);
}

function storingLate(): Storage {
  const put: Storage["put"] = (key, bytes, type) =>
    Promise.resolve(void pause().then(() => folder.put(key, bytes, type)));
  return {
    ...folder,
    put,
    async putStream(key, chunks, type) {
      const copies: Uint8Array<ArrayBuffer>[] = [];
      for await (const chunk of chunks) copies.push(new Uint8Array(chunk));
      await put(key, await new Blob(copies).bytes(), type);
    },
  };
}

/**
 * Returns the keys in the JSON lists among the statement's values: lists of keys, or of lists that begin with
 * a key.
 */
function listKeys({ args }: Statement): string[] {
  const lists = args.filter((arg) => typeof arg === "string" && arg.startsWith("[")) as string[];
  return lists.flatMap((text) => JSON.parse(text) as (string | string[])[]).flatMap((each) =>
    Array.isArray(each) ? each.slice(0, 1) : [each]
  );
}

function joinTexts({ args }: Statement): string {
  return args.filter((arg) => typeof arg === "string").join(" ");
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 40));
}
