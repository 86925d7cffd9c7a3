/** Races that happen every time: calls that have all read before one of them writes. */
import type { Database } from "../../src/platform/database/database.ts";

/** The database, with its first reads all done before one of the readers goes on. */
export function readTogether(db: Database, readers: number): Database {
  const { promise, resolve } = Promise.withResolvers<void>();
  let done = 0;
  return {
    ...db,
    async read(statements) {
      const results = await db.read(statements);
      if (++done === readers) resolve();
      await promise;
      return results;
    },
  };
}

/** The database, where something else happens right after its next read: what was read is old by then. */
export function overtaken(db: Database, meanwhile: () => Promise<unknown>): Database {
  let once = true;
  return {
    ...db,
    async read(statements) {
      const results = await db.read(statements);
      if (once) {
        once = false;
        await meanwhile();
      }
      return results;
    },
  };
}
