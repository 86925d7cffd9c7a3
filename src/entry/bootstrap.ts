import type { Deps } from "../deps.ts";
import { ensureBootstrapClient } from "../identity/applications/bootstrap.ts";
import { lacksTable } from "../platform/database/database.ts";

/**
 * Creates or updates the bootstrap client. Skips a remote database that is not migrated yet; `GET /ready`
 * then returns 503.
 */
export async function bootstrap(deps: Deps): Promise<void> {
  try {
    await ensureBootstrapClient(deps);
  } catch (error) {
    if (deps.db.kind !== "remote" || !lacksTable(error)) throw error;
    deps.log.error({
      event: "not_migrated",
      error: "The database lacks migrations: run deno task db:migrate",
    });
  }
}
