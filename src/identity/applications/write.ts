/** Statements that change or delete an application. */
import { lifetimes } from "../../core/lifetimes.ts";
import { makeToken } from "../../core/ids.ts";
import type { Author } from "../../db/commit.ts";
import { remove, sql, update } from "../../db/statements.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { makeStoredSecret, noSecret } from "./secret.ts";
import { type ApplicationRow, applications } from "./table.ts";

/** Milliseconds for which the previous secret works after a rotation. */
const previousServes = lifetimes.replacedSecret;

/** Returns a new secret, and the columns and statements of the change. The previous one works another day. */
export function makeSecretRotation({ now, at }: Pick<Author, "now" | "at">, row: ApplicationRow) {
  const secret = makeToken();
  const set = {
    ...makeStoredSecret(secret),
    ...(row.secret_hash === noSecret.secret_hash ? {} : {
      previous_secret_hash: row.secret_hash,
      previous_secret_until: now + previousServes,
    }),
    updated_at: at,
  };
  return { secret, set, statements: applicationChange(row, set) };
}

/** Deletes the application and its tokens, unless it has changed since it was read. */
export function deleteApplicationRows(
  { deps }: Pick<Author, "deps">,
  { client_id, version }: ApplicationRow,
): Statement[] {
  return [
    ...deps.deleteNaming("application", sql`${client_id}`),
    remove(applications, { client_id, version }),
    guardChanged("stale"),
  ];
}

/** Changes the application, unless it has changed since it was read. */
export function applicationChange(row: ApplicationRow, set: Partial<ApplicationRow>) {
  const read = { client_id: row.client_id, version: row.version };
  return [update(applications, { ...set, version: sql`version + 1` }, read, row), guardChanged("stale")];
}
