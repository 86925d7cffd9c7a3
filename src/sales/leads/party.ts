import { identifier, type Sql, sql } from "../../db/statements.ts";

/**
 * SQL: the account or contact that a lead counts for. The text is the same, word for word, as in the indexes.
 */
export function composeParty(alias: string | null, column: "account_id" | "contact_id"): Sql {
  const of = (name: string) => alias === null ? identifier(name) : identifier(alias, name);
  const [own, original] = [of(column), of(`original_${column}`)];
  return sql`case when ${own} is null then ${original} else ${own} end`;
}
