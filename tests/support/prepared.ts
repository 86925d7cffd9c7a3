/** Apps that begin with what an earlier one was filled with. */
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { relayTo, startApp, type TestApp } from "./app.ts";
import { sharedFolder } from "./temporary.ts";

/** A copy has the secrets of the first app, so it needs its key. */
const secretsKey = new Uint8Array(32).fill(7).toBase64();

export interface Prepared<T> extends AsyncDisposable {
  readonly app: TestApp;
  /** What the preparation returned. It acts on the app that was started last. */
  readonly made: T;
}

/**
 * Prepares an app once, and returns a function that starts an app with a copy of its database and files. Ids, tokens
 * and the time are those of the preparation; the log, the mails and the work in memory are new.
 */
export function prepareApp<T>(
  env: Readonly<Record<string, string>>,
  prepare: (app: TestApp) => Promise<T>,
): () => Promise<Prepared<T>> {
  let current: TestApp | undefined;
  const app = relayTo(() => current!);
  let first: Promise<{ folder: string; now: number; made: T }> | undefined;

  async function preparation() {
    current = await startApp({ ...env, SECRETS_KEY: secretsKey });
    await using _ = current;
    const made = await prepare(app);
    await app.idle();
    const folder = sharedFolder("wayline-prepared-");
    const db = new DatabaseSync(app.file);
    db.exec(`vacuum into '${folder}/crm.db'`);
    db.close();
    copyFiles(app.folder, folder);
    return { folder, now: app.clock.now(), made };
  }

  return async () => {
    const { folder, now, made } = await (first ??= preparation());
    current = await startApp({ ...env, SECRETS_KEY: secretsKey }, { from: join(folder, "crm.db") });
    copyFiles(folder, app.folder);
    app.clock.set(now);
    return { app, made, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
  };
}

function copyFiles(from: string, to: string): void {
  if (existsSync(`${from}/files`)) cpSync(`${from}/files`, `${to}/files`, { recursive: true });
}
