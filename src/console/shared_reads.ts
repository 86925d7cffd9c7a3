/** Reads that a page makes at the same time go to the database together, in one round trip. */
import type { Database, Result, Statement } from "../platform/database/database.ts";

interface Waiting {
  readonly statements: readonly Statement[];
  readonly resolve: (results: Result[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Microtasks until the reads are sent: verbs that run beside each other take a few to reach theirs. */
const patience = 20;

/** A round trip to a remote database is worth the rest of the turn, in which all verbs reach their reads. */
async function waitForOthers(kind: Database["kind"]): Promise<void> {
  if (kind === "remote") await new Promise((resolve) => setTimeout(resolve, 0));
  else for (let turn = 0; turn < patience; turn++) await null;
}

/** Returns the database for the verbs of one page. Writes are not changed. */
export function shareReads(db: Database): Database {
  let waiting: Waiting[] = [];
  const send = async () => {
    await waitForOthers(db.kind);
    const reads = waiting;
    waiting = [];
    try {
      const results = await db.read(reads.flatMap(({ statements }) => statements));
      let from = 0;
      for (const { statements, resolve } of reads) {
        resolve(results.slice(from, from += statements.length));
      }
    } catch (error) {
      for (const { reject } of reads) reject(error);
    }
  };
  const read: Database["read"] = (statements) =>
    new Promise((resolve, reject) => {
      if (statements.length === 0) return resolve([]);
      waiting.push({ statements, resolve, reject });
      if (waiting.length === 1) send().catch(reject);
    });
  return {
    kind: db.kind,
    read,
    // A remote database runs all reads outside of this process.
    readOnThread: db.kind === "remote" ? read : (statements, how) => db.readOnThread(statements, how),
    write: (statements) => db.write(statements),
    script: (sql) => db.script(sql),
    stamp: () => db.stamp(),
    isRefusing: () => db.isRefusing(),
    release: () => db.release(),
    freeBytes: () => db.freeBytes(),
    close: () => db.close(),
  };
}
