/** Making client applications, and keeping the one that the configuration names. */
import { noContent } from "../../core/answer.ts";
import { newId, randomToken } from "../../core/ids.ts";
import { formatTimestamp } from "../../core/time.ts";
import { type Author, commit } from "../../db/commit.ts";
import { insert, statement } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { secretOf } from "./secret.ts";
import { applications } from "./table.ts";

export interface NewClient {
  readonly name: string;
  /** The company and the user for whom the client acts; null for a client that belongs to no company. */
  readonly owner: { readonly company_id: number; readonly user_id: number } | null;
  readonly trusted: boolean;
}

/** Makes a client. Its secret is told here and never again. */
export async function createClient(
  author: Author,
  client: NewClient,
): Promise<{ client_id: string; client_secret: string }> {
  const client_id = newId(author.now);
  const client_secret = randomToken();
  await commit(author, {
    statements: [insert(applications, {
      client_id,
      company_id: client.owner?.company_id ?? null,
      user_id: client.owner?.user_id ?? null,
      name: client.name,
      ...secretOf(client_secret),
      trusted: client.trusted ? 1 : 0,
      created_at: author.at,
      updated_at: author.at,
    })],
    answer: noContent,
  });
  return { client_id, client_secret };
}

/**
 * The trusted client of the configuration, where it names one: made at the first start, given another
 * secret when that has changed, else left as it is. Several processes may start at once.
 */
export async function ensureBootstrapClient(deps: Deps): Promise<void> {
  const { bootstrapClient } = deps.config;
  if (bootstrapClient === null) return;
  const { id, secret } = bootstrapClient;
  const { secret_hash, secret_hint } = secretOf(secret);
  const [found] = await deps.db.read([
    statement("select company_id, trusted, secret_hash from applications where client_id = ?", id),
  ]);
  const row = found!.rows[0];
  if (row && (row.company_id !== null || row.trusted !== 1)) {
    throw new Error(
      "BOOTSTRAP_CLIENT_ID is the id of another client, which is not a trusted one of no company",
    );
  }
  if (row?.secret_hash === secret_hash) return;
  const at = formatTimestamp(deps.clock.now());
  await deps.db.write([
    statement(
      "insert into applications (client_id, name, secret_hash, secret_hint, trusted, created_at, updated_at) " +
        "values (?, 'Bootstrap', ?, ?, 1, ?, ?) on conflict (client_id) do update set " +
        "secret_hash = excluded.secret_hash, secret_hint = excluded.secret_hint, " +
        "updated_at = excluded.updated_at, version = version + 1",
      id,
      secret_hash,
      secret_hint,
      at,
      at,
    ),
  ]);
}
