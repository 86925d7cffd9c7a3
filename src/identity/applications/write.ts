/** Statements that change an application or end it. */
import { lifetimes } from "../../core/lifetimes.ts";
import { randomToken } from "../../core/ids.ts";
import type { Author } from "../../db/commit.ts";
import { remove, sql, update } from "../../db/statements.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { endTokensOfClient } from "../auth/revoke.ts";
import { noSecret, secretOf } from "./secret.ts";
import { type ApplicationRow, applications } from "./table.ts";

/** How long the secret before a rotation serves on, in milliseconds. */
const previousServes = lifetimes.replacedSecret;

/** A new secret of the application; the one before serves on for a while. */
export function secretRotation({ now, at }: Pick<Author, "now" | "at">, row: ApplicationRow) {
  const secret = randomToken();
  const set = {
    ...secretOf(secret),
    ...(row.secret_hash === noSecret.secret_hash ? {} : {
      previous_secret_hash: row.secret_hash,
      previous_secret_until: now + previousServes,
    }),
    updated_at: at,
  };
  return { secret, set, statements: applicationChange(row, set) };
}

/** The end of an application and its tokens. Refused when it has changed since it was read. */
export function applicationDeletion({ client_id, version }: ApplicationRow): Statement[] {
  return [
    ...endTokensOfClient(client_id),
    remove(applications, { client_id, version }),
    guardChanged("stale"),
  ];
}

/** Refused when the application has changed since it was read. */
export function applicationChange(row: ApplicationRow, set: Partial<ApplicationRow>) {
  const read = { client_id: row.client_id, version: row.version };
  return [update(applications, { ...set, version: sql`version + 1` }, read), guardChanged("stale")];
}
