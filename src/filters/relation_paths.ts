/** Joins from a relation up to the records that are filtered. */
import { identifier, joinSql, type Sql, sql } from "../db/statements.ts";
import type { Relation } from "./fields.ts";

/** SQL after `from`: the rows of a relation, with an alias. */
export function composeRelatedRows({ table, rows }: Relation, own: string): Sql {
  return sql`${rows ?? identifier(table)} ${identifier(own)}`;
}

/** Counts the relations above it. */
export function countDepth(relation: Relation): number {
  return relation.above === null ? 0 : countDepth(relation.above) + 1;
}

/**
 * Returns the joins from a row of the relation up to the filtered row. `party`: the joins up to the row that
 * has the id of the filtered record, and that row's column; null if no row has it.
 */
export function upward(
  relation: Relation,
): { joins: Sql; party: { joins: Sql; column: Sql } | null } {
  const chain: Relation[] = [];
  for (let at: Relation | null = relation; at; at = at.above) chain.push(at);
  const depth = chain.length - 1;
  const joins = chain.slice(1).map((above, index) => {
    const [own, over] = [`p${depth - index}`, `p${depth - index - 1}`] as const;
    const { link, up = link } = chain[index]!;
    return sql` cross join ${composeRelatedRows(above, over)} on ${up(own, over)}`;
  });
  const naming = chain.at(-2)?.party;
  return {
    joins: joinSql(joins, ""),
    party: naming ? { joins: joinSql(joins.slice(0, -1), ""), column: naming("p1") } : null,
  };
}
