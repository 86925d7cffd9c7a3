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
