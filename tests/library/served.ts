/** A service in a process of its own, as it is started, over a company with an admin. */
import { copyFileSync } from "node:fs";
import { startApp } from "../support/app.ts";
import { type Server, startProcess } from "../support/process.ts";
import { serve } from "../support/service.ts";

export interface Served extends Server, AsyncDisposable {
  /** The admin's token. */
  readonly token: string;
}

/** Serves a new database in the folder. */
export async function serveDatabase(folder: string): Promise<Served> {
  const token = await newDatabase(folder);
  const server = await startProcess(serve, makeEnvironment(folder), {
    timeoutMs: 60_000,
  });
  return {
    ...server,
    token,
    [Symbol.asyncDispose]: async () => void await server.kill("SIGKILL"),
  };
}

/** Makes `crm.db` in the folder. Returns the token of the admin of its company. */
export async function newDatabase(folder: string): Promise<string> {
  await using app = await startApp();
  app.clock.move(Date.now() - app.clock.now());
  const { admin } = await app.company();
  await app.deps.db.script(`vacuum into '${folder}/crm.db'`);
  copyFileSync(`${app.folder}/secrets.key`, `${folder}/secrets.key`);
  return admin.token;
}

export function makeEnvironment(folder: string): Record<string, string> {
  return {
    DATABASE_URL: `file:${folder}/crm.db`,
    STORAGE_URL: `file:${folder}/files`,
    PORT: "0",
    LOG_LEVEL: "info",
  };
}
