/**
 * Kills a process that stores files at random moments, while files are uploaded, replaced, published and
 * deleted. After each kill, every row has its bytes. Then interrupted writes are sent again, and the files
 * are exactly those that the answers state. At the end, after the jobs, the storage holds no object without a
 * row.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { makeEnvironment, newDatabase } from "../library/served.ts";
import { startProcess } from "../support/process.ts";
import { serve as usualServe } from "../support/service.ts";
import { filesIn } from "../support/s3.ts";
import { runJobsAt } from "./jobs_here.ts";
import { FileWriter } from "./kill_files_load.ts";

export interface FileOutcome {
  /** Writes that were answered, by the name of the operation. */
  readonly answered: ReadonlyMap<string, number>;
  /** Files that are left. */
  readonly files: number;
}

/** Number of simultaneous writes. */
const writers = 4;
/** Most milliseconds from the first write of a process to its death. */
const mostLife = 300;
const patient = { timeoutMs: 120_000 };
/**
 * Runs of the jobs, an hour apart, after which no object waits for its record. Rows age by at most an hour
 * from one run to the next, once the service has run its jobs.
 */
const hours = 3;

/**
 * Kills the service during writes of files. `serve` are arguments that make Deno serve the database. Throws
 * at the first fault.
 */
export async function killWhileStoring(
  kills: number,
  folder: string,
  serve: readonly string[] = usualServe,
): Promise<FileOutcome> {
  const token = await newDatabase(folder);
  const env = makeEnvironment(folder);
  const load = Array.from({ length: writers }, (_, n) => new FileWriter(n, token));
  for (let n = 0; n <= kills; n++) {
    const server = await startProcess(serve, env, patient);
    try {
      for (const writer of load) await writer.again(server.url);
      checkWhole(folder);
      checkAnswered(folder, load);
      if (n === kills) break;
      const running = load.map((writer) => writer.writeUntilGone(server.url));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * mostLife));
      await server.kill("SIGKILL");
      await Promise.all(running);
      checkWhole(folder);
    } catch (error) {
      throw new Error(`kill ${n}: ${(error as Error).message}\n${server.output()}`, { cause: error });
    } finally {
      await server.kill("SIGKILL");
    }
  }
  for (let hour = 1; hour <= hours; hour++) await runJobsAt(env, Date.now() + hour * 3_600_000);
  checkWhole(folder);
  checkAnswered(folder, load);
  checkNoOrphans(folder);
  const answered = new Map<string, number>();
  for (const name of load.flatMap((writer) => writer.answered)) {
    answered.set(name, (answered.get(name) ?? 0) + 1);
  }
  return { answered, files: load.reduce((sum, writer) => sum + writer.files.size, 0) };
}

/** Checks that every object that a row names exists, is taken and has the right bytes. */
function checkWhole(folder: string): void {
  using db = new DatabaseSync(`${folder}/crm.db`, { readOnly: true });
  const objects = new Map(
    db.prepare("select key, bytes, removed_from from objects").all().map((row) => [row.key, row]),
  );
  for (const { id, object_key, picture_key, size, digest } of listFiles(db)) {
    for (const key of [object_key, picture_key]) {
      if (key === null) continue;
      const path = `${folder}/files/${key}`;
      assert.ok(existsSync(path), `${id} lacks the bytes of ${key}`);
      assert.equal(objects.get(key)?.removed_from, null, `${id} has not taken ${key}`);
      const bytes = readFileSync(path);
      assert.equal(bytes.length, objects.get(key)!.bytes, `the size of ${key}`);
      if (key !== object_key) continue;
      assert.equal(bytes.length, size, `the size of ${id}`);
      assert.equal(createHash("sha256").update(bytes).digest("hex"), digest, `the digest of ${id}`);
    }
  }
}

/** Checks that the rows are those that the answers state. */
function checkAnswered(folder: string, load: readonly FileWriter[]): void {
  using db = new DatabaseSync(`${folder}/crm.db`, { readOnly: true });
  const found = listFiles(db).map(({ id, digest, picture_key }) => [id, digest, picture_key !== null]);
  const stated = load.flatMap(({ files }) =>
    [...files].map(([id, { digest, isPublished }]) => [id, digest, isPublished])
  );
  assert.deepEqual(found.sort(), stated.sort(), "the files differ from the answers");
  const [usage] = db.prepare("select files, bytes from file_usage").all();
  const [counted] = db.prepare(
    `select count(*) as files, ifnull(sum(size + ifnull((select o.bytes from objects o where o.key = picture_key), 0)), 0)
    as bytes from files`,
  ).all();
  assert.deepEqual({ ...(usage ?? { files: 0, bytes: 0 }) }, { ...counted }, "the usage");
}

function checkNoOrphans(folder: string): void {
  using db = new DatabaseSync(`${folder}/crm.db`, { readOnly: true });
  const keys = listFiles(db).flatMap(({ object_key, picture_key }) => [object_key, picture_key])
    .filter((key) => key !== null);
  assert.deepEqual(filesIn(`${folder}/files`).sort(), keys.sort(), "objects in the storage without a row");
  const announced = db.prepare("select key from objects").all().map(({ key }) => key);
  assert.deepEqual(announced.sort(), keys.sort(), "announced objects without a file");
}

interface StoredFile {
  readonly id: string;
  readonly object_key: string;
  readonly picture_key: string | null;
  readonly size: number;
  readonly digest: string;
}

function listFiles(db: DatabaseSync): StoredFile[] {
  const sql = "select id, object_key, picture_key, size, digest from files";
  return db.prepare(sql).all() as unknown[] as StoredFile[];
}
