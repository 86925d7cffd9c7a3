import type { Database, Row, Value } from "../../src/platform/database/database.ts";

/** Returns the rows of a select. */
export async function selectRows(db: Database, sql: string, ...args: Value[]): Promise<Row[]> {
  const [found] = await db.read([{ sql, args }]);
  return found!.rows;
}
