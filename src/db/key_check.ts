/** Checks that the secrets key is the one that sealed the database. */
import { open, seal, SealBroken } from "../platform/crypto.ts";
import type { Database, Statement } from "../platform/database/database.ts";
import { identifier, sql } from "./statements.ts";

const known = "Wayline CRM";

/** A column of texts that the secrets key sealed. */
export type SealedColumn = readonly [table: string, column: string];

/**
 * Returns whether the key fits. A database without a row in `key_checks` adopts the key, unless it has sealed
 * texts and the key opens none of those read. Safe for several processes at once.
 */
export async function keyFits(
  db: Database,
  key: Uint8Array,
  sealed: readonly SealedColumn[],
): Promise<boolean> {
  const [check] = await db.read([checkOf]);
  if (check!.rows.length > 0) return opens(key, check!.rows[0]!.sealed as string);
  const older = await readSealedTexts(db, sealed);
  // One text that opens is enough, because the database can contain texts that another key sealed.
  if (older.length > 0 && !older.some((text) => opens(key, text))) return false;
  const results = await db.write([
    sql`insert into key_checks (id, sealed) values (1, ${seal(key, known)}) on conflict do nothing`,
    checkOf,
  ]);
  return opens(key, results[1]!.rows[0]!.sealed as string);
}

/** Returns whether the database ever had a key. */
export async function hasKey(db: Database, sealed: readonly SealedColumn[]): Promise<boolean> {
  const [check] = await db.read([checkOf]);
  return check!.rows.length > 0 || (await readSealedTexts(db, sealed)).length > 0;
}

/** Returns the message for a key that does not fit; `place` is its source. */
export function explainWrongKey(place: string): string {
  return `${place} is not the key that the database was sealed with`;
}

const checkOf: Statement = sql`select sealed from key_checks where id = 1`;

/** Returns some sealed texts, which a database from before the check can have. */
async function readSealedTexts(db: Database, sealed: readonly SealedColumn[]): Promise<string[]> {
  const found = await db.read(
    sealed.map(([table, column]) =>
      sql`select ${identifier(column)} as sealed from ${identifier(table)}
        where ${identifier(column)} is not null limit 3`
    ),
  );
  return found.flatMap(({ rows }) => rows.map(({ sealed }) => sealed as string));
}

function opens(key: Uint8Array, sealed: string): boolean {
  try {
    open(key, sealed);
    return true;
  } catch (error) {
    if (error instanceof SealBroken) return false;
    throw error;
  }
}
