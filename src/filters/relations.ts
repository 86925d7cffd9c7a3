/** Conditions on records that belong to the filtered ones, as SQL tests. */
import { identifier, joinSql, type Sql, sql } from "../db/statements.ts";
import type { Test } from "../lists/conditions.ts";
import type { Relation } from "./fields.ts";
import type { Condition } from "./parse.ts";
import { predicate } from "./predicates.ts";
import { composeRelatedRows } from "./relation_paths.ts";

/** Conditions that must hold for the same record, and those on records below it. */
export interface RelatedConditions {
  readonly relation: Relation;
  readonly conditions: Condition[];
  readonly below: Map<string, RelatedConditions>;
}

/**
 * Tests a condition on a row of its own relation. If the rows of its values carry the kind of the record,
 * tests the kind, too. `by`: the one column by which SQLite may still search for rows.
 */
export function buildTest(condition: Condition, by: string | null = null): Test {
  const { field: { value }, operator, negated } = condition;
  return (own) => {
    if (value.kind === "column") {
      const sought = by !== null && operator === "eq" && value.sql("r").sql === `r.${by}`;
      const of = sought ? value.sql(own) : sql`+(${value.sql(own)})`;
      const term = predicate(condition, of);
      return negated ? sql`(${term}) is not true` : term;
    }
    const embedded = isSought(condition) ? findEmbedded(condition) : null;
    const index = embedded?.index ?? value.index;
    const term = predicate(condition, embedded ? value.sql : sql`+${value.sql}`);
    const kind = embedded && !negated ? testKind(condition) : sql``;
    const from = index ? sql`${value.from} indexed by ${identifier(index)}` : value.from;
    const exists = sql`exists (select 1 from ${from} where ${value.of(own)} and ${term}${kind}${asAsked})`;
    return negated ? sql`not ${exists}` : exists;
  };
}

/** Whether the test already checks the kind of the filtered record. */
export function testsKind(condition: Condition): boolean {
  return !condition.negated && isSought(condition) && findEmbedded(condition) !== null;
}

/** Whether the condition asks for one value, and for a choice that exists if the field is `live`. */
function isSought(condition: Condition): boolean {
  const { field: { live, choices }, operator, value } = condition;
  return operator === "eq" && !(live && !choices?.has(String(value)));
}

/** SQL ` and …`: the kind of the filtered record, tested on the value's row, which carries it. */
export function testKind({ field: { only } }: Condition): Sql {
  return only ? sql` and ${only.test("v")}` : sql``;
}

/** Returns the index of values whose rows carry columns of the filtered record; null: they carry none. */
export function findEmbedded({ field: { relation, value } }: Condition) {
  return relation.above === null && value.kind === "values" ? value.found?.embedded ?? null : null;
}

/** SQL: the row `above` has a record that meets the branch. */
export function compileRelation(branch: RelatedConditions, above: string, depth: number): Sql {
  const own = `p${depth}`;
  const { relation } = branch;
  return sql`exists (select 1 from ${composeRelatedRows(relation, own)}
    where ${relation.link(own, above)}${composeOtherTests(branch, own, depth, null)}${asAsked})`;
}

/**
 * The end of each `exists`. Without it SQLite turns them into a join and may begin at the other end, where no
 * index leads from all rows of a kind to the one in question.
 */
const asAsked = sql` limit 1`;

/** SQL ` and …`: all conditions of a branch except `without`. */
export function composeOtherTests(
  branch: RelatedConditions,
  own: string,
  depth: number,
  without: Condition | null,
): Sql {
  const { relation, conditions, below } = branch;
  const terms = [
    ...(relation.counts
      ? [relation.counts(own, conditions.some(({ field }) => field.reveals === true))]
      : []),
    ...conditions.filter((condition) => condition !== without).map((condition) =>
      buildTest(condition, relation.by)(own)
    ),
    ...[...below.values()].map((inner) => compileRelation(inner, own, depth + 1)),
  ];
  return joinSql(terms.map((term) => sql` and ${term}`), "");
}
