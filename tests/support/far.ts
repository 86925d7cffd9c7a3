/** A migrated database that is asked over HTTP, as on the edge. */
import { inFolder } from "./engines.ts";
import { type Hrana, startHrana } from "./hrana.ts";
import { copyTemplate } from "./template.ts";

export interface FarDatabase {
  readonly hrana: Hrana;
  /** For `startApp`, once for each instance. */
  readonly env: Record<string, string>;
}

/** A far database as long as it is used; each answer comes `latency` milliseconds late. */
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
