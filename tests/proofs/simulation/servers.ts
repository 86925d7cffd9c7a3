/**
 * Two servers on one database file, each with its own connection, that also run the jobs; and a runner that
 * dies.
 */
import { createApp } from "../../../src/app.ts";
import { loadConfig } from "../../../src/config.ts";
import type { Deps } from "../../../src/deps.ts";
import { type Box, openBox } from "../../../src/entry/box.ts";
import { runJobs } from "../../../src/jobs.ts";
import type { Database } from "../../../src/platform/database/database.ts";
import type { TestApp } from "../../support/app.ts";
import type { Ask } from "./company.ts";

export interface Server {
  readonly ask: Ask;
  /** Runs all jobs now. Returns the names of failed jobs. */
  timers(): Promise<string[]>;
  /** Runs all jobs in a runner that dies at this batch, before or after the commit. */
  killed(batch: number, committed: boolean): Promise<string[]>;
  close(): Promise<void>;
}

export async function serve(app: TestApp): Promise<Server> {
  const { clock, log, mailer } = app;
  const env = { DATABASE_URL: `file:${app.file}`, STORAGE_URL: `file:${app.folder}/files` };
  const box: Box = await openBox(loadConfig(env), { clock, log, mailer });
  const { fetch } = createApp(box.deps);
  const jobs = (deps: Deps) => runJobs(deps, clock.now());
  return {
    ask: async (token, method, path, body) =>
      await fetch(
        new Request(`http://127.0.0.1${path}`, {
          method,
          headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      ),
    timers: () => jobs(box.deps),
    killed: (batch, committed) => jobs({ ...box.deps, db: dying(box.deps.db, batch, committed) }),
    close: () => box.close(),
  };
}

function dying(db: Database, batch: number, committed: boolean): Database {
  let left = batch;
  const checkAlive = () => {
    if (left < 0) throw new Error("It is dead already.");
  };
  return {
    ...db,
    async read(statements) {
      checkAlive();
      return await db.read(statements);
    },
    async write(statements) {
      checkAlive();
      if (!statements.some(({ sql }) => sql.includes("lead_transitions"))) return await db.write(statements);
      const last = left-- === 0;
      if (last && !committed) throw new Error("It dies with its work undone.");
      const results = await db.write(statements);
      if (last) throw new Error("It dies with its work done.");
      return results;
    },
  };
}
