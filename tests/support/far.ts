/** A migrated database that is queried over HTTP, as on the edge. */
import { inFolder } from "./engines.ts";
import { type Hrana, startHrana } from "./hrana.ts";
import { copyTemplate } from "./template.ts";

export interface FarDatabase {
  readonly hrana: Hrana;
  /** The environment for `startApp`, which a test calls once for each instance. */
  readonly env: Record<string, string>;
}

/**
 * Calls `use` with a remote database whose answers come `latency` milliseconds late, and closes it
 * afterwards.
 */
export function farDatabase(use: (far: FarDatabase) => Promise<void>, latency = 0): Promise<void> {
  return inFolder(async (folder) => {
    const path = `${folder}/far.db`;
    await copyTemplate(path);
    const hrana = await startHrana({ path, latency });
    try {
      await use({ hrana, env: { DATABASE_URL: hrana.url, SECRETS_KEY: new Uint8Array(32).toBase64() } });
    } finally {
      await hrana.close();
    }
  });
}
