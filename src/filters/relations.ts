/** Conditions on records that belong to the filtered ones, as SQL tests. */
import { identifier, joined, type Sql, sql } from "../db/statements.ts";
import type { Test } from "../lists/conditions.ts";
import type { Relation } from "./fields.ts";
import type { Condition } from "./parse.ts";
import { predicate } from "./predicates.ts";
import { rowsOf } from "./relation_paths.ts";

/** Conditions that hold for one and the same record, and on records below it. */
export interface RelatedConditions {
  readonly relation: Relation;
  readonly conditions: Condition[];
  readonly below: Map<string, RelatedConditions>;
}

/**
 * The condition on a row of its own relation; of values that carry its kind, the kind as well. `by`: the column by
 * which rows may be searched all the same.
 */
export function testOf(condition: Condition, by: string | null = null): Test {
  const { field: { value }, operator, negated } = condition;
  return (own) => {
    if (value.kind === "column") {
      const sought = by !== null && operator === "eq" && value.sql("r").sql === `r.${by}`;
      const of = sought ? value.sql(own) : sql`+(${value.sql(own)})`;
      const term = predicate(condition, of);
      return negated ? sql`(${term}) is not true` : term;
    }
    const embedded = isSought(condition) ? embeddedIn(condition) : null;
    const index = embedded?.index ?? value.index;
    const term = predicate(condition, embedded ? value.sql : sql`+${value.sql}`);
    const kind = embedded && !negated ? kindOf(condition) : sql``;
    const from = index ? sql`${value.from} indexed by ${identifier(index)}` : value.from;
    const exists = sql`exists (select 1 from ${from} where ${value.of(own)} and ${term}${kind}${asAsked})`;
    return negated ? sql`not ${exists}` : exists;
  };
}

/** Whether the test already checks the kind of the filtered record. */
export function testsKind(condition: Condition): boolean {
  return !condition.negated && isSought(condition) && embeddedIn(condition) !== null;
}

/** Whether it is one value that is sought, of a choice one that there is. */
function isSought(condition: Condition): boolean {
  const { field: { live, choices }, operator, value } = condition;
  return operator === "eq" && !(live && !choices?.has(String(value)));
}

/** The kind of the filtered record, as ` and …` over the value's row that carries it. */
export function kindOf({ field: { only } }: Condition): Sql {
  return only ? sql` and ${only.test("v")}` : sql``;
}

/** What the rows of the condition's value carry of the filtered record. */
export function embeddedIn({ field: { relation, value } }: Condition) {
  return relation.above === null && value.kind === "values" ? value.found?.embedded ?? null : null;
}

/** There is a record of the branch below the row `above`. */
export function relationSql(branch: RelatedConditions, above: string, depth: number): Sql {
  const own = `p${depth}`;
  const { relation } = branch;
  return sql`exists (select 1 from ${rowsOf(relation, own)} where ${relation.link(own, above)}${
    otherTests(branch, own, depth, null)
  }${asAsked})`;
}

/**
 * The end of each `exists`: without it SQLite makes a join of them, and may begin at the other end, where nothing
 * leads from all rows of a kind to the one that is asked about.
 */
const asAsked = sql` limit 1`;

/** All of a branch but one condition, as ` and …`. */
export function otherTests(
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
      testOf(condition, relation.by)(own)
    ),
    ...[...below.values()].map((inner) => relationSql(inner, own, depth + 1)),
  ];
  return joined(terms.map((term) => sql` and ${term}`), "");
}
