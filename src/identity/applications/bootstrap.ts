/** Creates and updates the bootstrap client: trusted, without a company, named by `BOOTSTRAP_CLIENT_ID`. */
import { and, eq, ne } from "drizzle-orm";
import { ConfigError } from "../../config.ts";
import { formatTimestamp } from "../../core/time.ts";
import { drizzle, type Param, prepareQuery } from "../../db/prepared_statements.ts";
import { remove, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../platform/database/database.ts";
import { applicationById } from "./queries.ts";
import { makeStoredSecret } from "./secret.ts";
import { applications } from "./table.ts";

/**
 * Creates the client at the first start. Updates its secret when the configured one has changed. Deletes
 * bootstrap clients that the configuration no longer names, with their tokens. Several processes may start at
 * once. Throws ConfigError when a client of a company, or one that is not trusted, has the id.
 */
export async function ensureBootstrapClient(deps: Deps): Promise<void> {
  const { bootstrapClient: client } = deps.config;
  const [same, others] = await deps.db.read([
    applicationById(client?.id ?? ""),
    otherBootstrapClients(client?.id ?? ""),
  ]);
  const row = applicationById.row(same);
  if (row && (row.company_id !== null || row.trusted !== 1)) {
    throw new ConfigError(
      "BOOTSTRAP_CLIENT_ID is the id of a client that belongs to a company or is not trusted",
    );
  }
  const ended = otherBootstrapClients.rows(others).map(({ client_id }) => client_id);
  const statements: Statement[] = ended.flatMap((client_id) => [
    ...deps.deleteNaming("application", sql`${client_id}`),
    remove(applications, { client_id, bootstrap: 1 }),
  ]);
  if (client !== null) {
    const { secret_hash, secret_hint } = makeStoredSecret(client.secret);
    if (row?.secret_hash !== secret_hash || row.bootstrap !== 1) {
      statements.push(upsertClient(deps.clock.now(), client.id, secret_hash, secret_hint));
    }
  }
  if (statements.length === 0) return;
  await deps.db.write(statements);
  deps.callerCache.noteCommit(statements);
  for (const client_id of ended) deps.log.info({ event: "bootstrap_client_ended", client_id });
}

const otherBootstrapClients = prepareQuery((clientId: Param<string>) =>
  drizzle.select({ client_id: applications.client_id }).from(applications)
    .where(and(eq(applications.bootstrap, 1), ne(applications.client_id, clientId)))
);

/** Creates or updates the bootstrap client. The previous secret of a rotation ends too. */
function upsertClient(now: number, id: string, hash: string, hint: string): Statement {
  const at = formatTimestamp(now);
  return sql`insert into applications (client_id, name, secret_hash, secret_hint, trusted, bootstrap, created_at,
    updated_at) values (${id}, 'Bootstrap', ${hash}, ${hint}, 1, 1, ${at}, ${at}) on conflict (client_id) do update set
    secret_hash = excluded.secret_hash, secret_hint = excluded.secret_hint, previous_secret_hash = null,
    previous_secret_until = null, bootstrap = 1, updated_at = excluded.updated_at, version = version + 1`;
}
