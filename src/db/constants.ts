/**
 * Constants of stored JSON. A body is stored with names in the place of its long constant parts, and each part
 * once beside it: so that what was stored reads the same for ever, whatever the constants of a later version.
 */
import { constant, constantsIn, expand, type Json } from "../core/json.ts";
import type { Database, Statement } from "../platform/database/database.ts";
import { statement } from "./statements.ts";

/** Names that a database is known to hold. */
const held = new WeakMap<Database, Set<string>>();

export interface Keeping {
  /** To go into the batch that stores the bodies. */
  readonly statements: Statement[];
  /** To be called when the batch has been committed. */
  committed(): void;
}

/** What must be in the database beside the bodies, as far as it is not known to be there. */
export function keepConstants(db: Database, bodies: Iterable<Json>): Keeping {
  let there = held.get(db);
  if (!there) held.set(db, there = new Set());
  const known = there;
  const missing = new Map<string, string>();
  for (const { tag, text } of bodies) {
    if (tag === text) continue;
    for (const [name, part] of constantsIn(tag)) {
      if (!known.has(name) && part !== null) missing.set(name, part);
    }
  }
  return {
    statements: [...missing].map(([name, part]) =>
      statement("insert or ignore into constants (name, text) values (?, ?)", name, part)
    ),
    committed: () => missing.forEach((_, name) => known.add(name)),
  };
}

/** The text of a stored body. Reads only what a version before this one has left. */
export async function stored(db: Database, tag: string): Promise<string> {
  const unknown = [...constantsIn(tag)].filter(([, text]) => text === null).map(([name]) => name);
  if (unknown.length > 0) {
    const [found] = await db.read([
      statement(
        "select name, text from constants where name in (select value from json_each(?))",
        JSON.stringify(unknown),
      ),
    ]);
    for (const { name, text } of found!.rows) constant(String(name), String(text));
  }
  return expand(tag);
}
