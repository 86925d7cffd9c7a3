/** Presents applications. */
import { noSecret } from "./secret.ts";
import type { ApplicationRow } from "./table.ts";

export type ApplicationFacts = Pick<
  ApplicationRow,
  "name" | "client_id" | "secret_hash" | "secret_hint" | "redirect_uri" | "created_at" | "updated_at"
>;

/** Presents an application. Pass `secret` only in the answer to the call that created the secret. */
export function presentApplication(row: ApplicationFacts, secret?: string) {
  return {
    name: row.name,
    client_id: row.client_id,
    client_secret: secret ?? (row.secret_hash === noSecret.secret_hash ? null : `••••${row.secret_hint}`),
    redirect_uri: row.redirect_uri,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
