/**
 * Races that happen in every run: calls that have all read before one of them writes, and calls to two
 * processes.
 */
import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { openFile } from "../../src/platform/database/file.ts";
import type { Actor, TestApp } from "./app.ts";
import { startProcess } from "./process.ts";
import { programArguments, type TestProgram } from "./programs.ts";

/** Wraps the database so that the first reads return only once `readers` of them are done. */
export function readTogether(db: Database, readers: number): Database {
  const { promise, resolve } = Promise.withResolvers<void>();
  let done = 0;
  return {
    ...db,
    async read(statements) {
      const results = await db.read(statements);
      if (++done === readers) resolve();
      await promise;
      return results;
    },
  };
}

/**
 * Wraps the database so that `meanwhile` runs right after its next read: the rows that it returns are
 * outdated.
 */
export function overtakeReads(
  db: Database,
  meanwhile: () => Promise<unknown>,
  moment: "after the read" | "before the read" = "after the read",
): Database {
  let once = true;
  return {
    ...db,
    async read(statements) {
      if (!once) return await db.read(statements);
      once = false;
      if (moment === "before the read") await meanwhile();
      const results = await db.read(statements);
      if (moment === "after the read") await meanwhile();
      return results;
    },
  };
}

/**
 * Calls `use` with the addresses of two processes of a program over the app's file. Their clocks are `ahead`
 * ms ahead, and they store cheap hashes of passwords.
 */
export async function withTwoProcesses(
  program: TestProgram,
  app: TestApp,
  use: (urls: string[]) => Promise<void>,
  ahead = 0,
): Promise<void> {
  const env = {
    DATABASE_URL: `file:${app.file}`,
    NOW: String(app.clock.now() + ahead),
    LOG_LEVEL: "error",
    PASSWORDS: "quick",
  };
  const started = await Promise.allSettled(
    Array.from({ length: 2 }, () => startProcess(programArguments(program), env)),
  );
  const servers = started.filter((one) => one.status === "fulfilled").map(({ value }) => value);
  try {
    assert.equal(servers.length, 2);
    await use(servers.map(({ url }) => url));
    assert.deepEqual(
      servers.flatMap((server) => server.stdout().filter((line) => !line.includes("listening"))),
      [],
    );
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
  }
}

/**
 * Makes a call over its own connection, as another process would. The call reads before `overtake` and
 * commits after it; at the moment "before the read", it knows the caller before `overtake` and reads after
 * it.
 */
export async function callMeanwhile(
  app: TestApp,
  by: Actor,
  method: string,
  path: string,
  overtake: () => Promise<unknown>,
  body?: object,
  moment?: Parameters<typeof overtakeReads>[2],
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  // Caches the caller, so that the first read is that of the verb.
  await by.call("GET", "/v1/me");
  const db = openFile(app.file);
  try {
    return await createApp({ ...app.deps, db: overtakeReads(db, overtake, moment) }).fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { ...headers, Authorization: `Bearer ${by.token}`, "Content-Type": "application/json" },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    );
  } finally {
    await app.idle();
    await db.close();
  }
}
