/** Conditions by the records that they are about: which must hold for one and the same record, as SQL tests. */
import { joined, rawSql, type Sql, sql } from "../db/statements.ts";
import type { Test } from "../lists/conditions.ts";
import type { Relation } from "./fields.ts";
import type { Condition } from "./parse.ts";
import { positive, predicate } from "./predicates.ts";

/** Conditions that hold for one and the same record, and on records below it. */
export interface RelatedConditions {
  readonly relation: Relation;
  readonly conditions: Condition[];
  readonly below: Map<string, RelatedConditions>;
}

export function relatedTo(place: Relation): RelatedConditions {
  return { relation: place, conditions: [], below: new Map() };
}

/** The branch for records of the place; made where it is not there. */
export function relatedConditionsOf(trunk: RelatedConditions, place: Relation): RelatedConditions {
  if (place.above === null) return trunk;
  const above = relatedConditionsOf(trunk, place.above);
  let branch = above.below.get(place.name);
  if (!branch) {
    branch = relatedTo(place);
    above.below.set(place.name, branch);
  }
  return branch;
}

/** The branches below, past records between of which nothing is asked. */
export function relationsBelow(trunk: RelatedConditions): RelatedConditions[] {
  return [...trunk.below.values()].map((branch) => {
    const [only, ...others] = branch.below.values();
    const straight = only?.relation.straight;
    if (!straight || others.length > 0 || branch.conditions.length > 0) return branch;
    return { ...only, relation: straight };
  });
}

/**
 * The condition on a row of its own place; of values that carry its kind, the kind as well. `by`: the column by
 * which rows may be searched all the same.
 */
export function testOf(condition: Condition, by: string | null = null): Test {
  const { field } = condition;
  const { operator, negated } = positive(condition);
  const { value } = field;
  return (own) => {
    if (value.kind === "column") {
      const sought = by !== null && operator === "eq" && value.sql("r").sql === `r.${by}`;
      const of = sought ? value.sql(own) : sql`+(${value.sql(own)})`;
      const term = predicate(field, operator, condition.value, of);
      return negated ? sql`(${term}) is not true` : term;
    }
    const carried = isSought(condition) ? embeddedIn(condition) : null;
    const index = carried?.index ?? value.index;
    const term = predicate(field, operator, condition.value, rawSql(carried ? value.sql : `+${value.sql}`));
    const kind = carried && !negated ? kindOf(condition) : sql``;
    return sql`${rawSql(negated ? "not " : "")}exists (select 1 from ${rawSql(value.from)}${
      rawSql(index ? ` indexed by ${index}` : "")
    } where ${value.of(own)} and ${term}${kind}${rawSql(asAsked)})`;
  };
}

/** Whether the test says of which kind the filtered record is, so that nobody else needs to. */
export function testsKind(condition: Condition): boolean {
  return !positive(condition).negated && isSought(condition) && embeddedIn(condition) !== null;
}

/** Whether it is one value that is sought, of a choice one that there is. */
function isSought(condition: Condition): boolean {
  const { field: { live, choices } } = condition;
  return positive(condition).operator === "eq" && !(live && !choices?.has(String(condition.value)));
}

/** The kind of the filtered record, as ` and …` over the value's row that carries it. */
export function kindOf({ field: { only } }: Condition): Sql {
  return only ? sql` and ${only.test("v")}` : sql``;
}

/** What the rows of the condition's value carry of the filtered record. */
export function embeddedIn({ field: { place, value } }: Condition) {
  return place.above === null && value.kind === "values" ? value.found?.carried ?? null : null;
}

/** No record of the place, which may be several, has the value. */
export function noneHas(condition: Condition, root: Relation): Test {
  const trunk = relatedTo(root);
  relatedConditionsOf(trunk, condition.field.place).conditions.push(unnegated(condition));
  const [first] = relationsBelow(trunk);
  return (own) => sql`not ${relationSql(first!, own, 1)}`;
}

function unnegated(condition: Condition): Condition {
  const { operator } = positive(condition);
  return { ...condition, operator, value: operator === "exists" ? true : condition.value };
}

/** There is a record of the branch below the row `above`. */
export function relationSql(branch: RelatedConditions, above: string, depth: number): Sql {
  const own = `p${depth}`;
  const { relation: place } = branch;
  return sql`exists (select 1 from ${rawSql(place.table)} ${rawSql(own)} where ${
    rawSql(place.link(own, above))
  }${otherTests(branch, own, depth, null)}${rawSql(asAsked)})`;
}

/**
 * The end of each `exists`: without it SQLite makes a join of them, and may begin at the other end, where nothing
 * leads from all rows of a kind to the one that is asked about.
 */
const asAsked = " limit 1";

/** All of a branch but one condition, as ` and …`. */
export function otherTests(
  branch: RelatedConditions,
  own: string,
  depth: number,
  without: Condition | null,
): Sql {
  const { relation: place, conditions, below } = branch;
  const terms = [
    ...(place.counts ? [place.counts(own, conditions.some(({ field }) => field.reveals === true))] : []),
    ...conditions.filter((condition) => condition !== without).map((condition) =>
      testOf(condition, place.by)(own)
    ),
    ...[...below.values()].map((inner) => relationSql(inner, own, depth + 1)),
  ];
  return joined(terms.map((term) => sql` and ${term}`), "");
}
