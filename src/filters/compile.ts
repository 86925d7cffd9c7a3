/**
 * Compiles a tree of conditions to the conditions of a list, and to access paths to the rows that they
 * select.
 */
import { joinSql, sql } from "../db/statements.ts";
import type { Scope } from "../db/scope.ts";
import { type AccessPath, choosePath, indexPaths } from "../lists/access_path.ts";
import { type ListCondition, makeTestCondition, onColumn, type Test } from "../lists/conditions.ts";
import { intersectSelections, type Selection } from "../lists/selection.ts";
import {
  type PathIn,
  planPathOfTrigrams,
  planPathOfValues,
  planPathsOfBranch,
  unitePaths,
} from "./access_paths.ts";
import type { Relation } from "./fields.ts";
import type { Comparison, Condition, Node } from "./parse.ts";
import { chooseSearch, estimateFraction, predicate, rangeWith } from "./predicates.ts";
import { buildTest, compileRelation, findEmbedded, type RelatedConditions, testsKind } from "./relations.ts";

/** What a filter is compiled for. */
interface Setting {
  readonly root: Relation;
  readonly companyId: number;
  /** A timestamp. */
  readonly now: string;
}

/** Compiles nodes that must all hold. */
export function compileFilter(nodes: readonly Node[], setting: Setting): Selection {
  const { root, companyId, now } = setting;
  const plain: Condition[] = [];
  const conditions: ListCondition[] = [];
  const groups: Selection[] = [];
  const kinds = new Set<ListCondition>();
  for (const node of joinTexts(nodes, "and")) {
    if (node.kind === "condition") {
      const { only, relation } = node.field;
      if (only) kinds.add(only);
      if (node.negated && hasMany(relation)) conditions.push(makeTestCondition(noneHas(node, root)));
      else plain.push(node);
    } else {
      groups.push(node.kind === "and" ? compileFilter(node.nodes, setting) : compileAny(node.nodes, setting));
    }
  }
  const trunk = groupConditions(root, plain);
  const own = trunk.conditions.map((condition) => ({
    condition,
    on: compileCondition(condition, now, trunk.conditions),
  }));
  const paths: (PathIn | null)[] = [];
  const [parts, coveredByParts]: [Condition[], ListCondition[]] = [[], []];
  for (const { condition } of own) {
    const { only, value } = condition.field;
    const range = rangeWith(condition, trunk.conditions);
    const covers = own.filter((each) => range.includes(each.condition)).map((each) => each.on);
    if (only) covers.push(only);
    if (value.kind === "values") {
      // One path finds the rows by all bounds.
      if (range[0] !== condition) continue;
      paths.push(planPathOfValues(condition, value, trunk, now, covers));
      // If the rows of the values carry the kind of the record, the test of the values checks it.
      if (only && testsKind(condition)) kinds.delete(only);
    } else if (chooseSearch(condition) === "trigrams") {
      parts.push(condition);
      coveredByParts.push(...covers);
    }
  }
  if (parts.length > 0) paths.push(planPathOfTrigrams(parts, companyId, coveredByParts));
  conditions.push(...kinds, ...own.map(({ on }) => on));
  for (const branch of trunk.below.values()) {
    conditions.push(makeTestCondition((own) => compileRelation(branch, own, 1)));
    paths.push(...planPathsOfBranch(branch, companyId, now));
  }
  return groups.reduce(intersectSelections, {
    conditions,
    paths: (scope) => paths.flatMap((path) => path?.(scope) ?? []),
  });
}

/** Groups conditions by the records that they are about, below the records of `root`. */
function groupConditions(root: Relation, conditions: readonly Condition[]): RelatedConditions {
  const trunk: RelatedConditions = { relation: root, conditions: [], below: new Map() };
  for (const condition of conditions) {
    const chain: Relation[] = [];
    for (let at = condition.field.relation; at.above; at = at.above) chain.unshift(at);
    let branch = trunk;
    for (const relation of chain) {
      const known = branch.below.get(relation.name) ?? { relation, conditions: [], below: new Map() };
      branch.below.set(relation.name, known);
      branch = known;
    }
    branch.conditions.push(condition);
  }
  for (const [name, { conditions, below }] of trunk.below) {
    // Skips the records in between when no condition is about them.
    const [only, ...others] = below.values();
    const straight = only?.relation.straight;
    if (!straight || others.length > 0 || conditions.length > 0) continue;
    trunk.below.set(name, { ...only, relation: straight });
  }
  return trunk;
}

/** SQL: no record of the relation has the value. The filtered record can have several such records. */
function noneHas(condition: Condition, root: Relation): Test {
  const { below } = groupConditions(root, [{ ...condition, negated: false }]);
  const [first] = below.values();
  return (own) => sql`not ${compileRelation(first!, own, 1)}`;
}

/**
 * Joins conditions on one field, because a statement with hundreds of terms takes long to prepare, and much
 * memory. `by`: how the nodes are combined. A joined condition has a list as its value: `ct`, `ew` and `in`
 * then look for any of the values.
 */
function joinTexts(nodes: readonly Node[], by: "and" | "or"): Node[] {
  const joined: Node[] = [];
  const groups = new Map<string, Condition[]>();
  for (const node of nodes) {
    const to = node.kind === "condition" ? chooseOperator(node, by) : null;
    if (node.kind !== "condition" || to === null) {
      joined.push(node);
      continue;
    }
    const key = JSON.stringify([identifyGroup(node), to, node.negated]);
    const group = groups.get(key);
    if (group) group.push(node);
    else groups.set(key, [node]);
  }
  for (const group of groups.values()) {
    const [first, ...others] = group;
    if (others.length === 0) joined.push(first!);
    else {
      const value = group.flatMap(({ value }) =>
        typeof value === "object" ? value : [value as string | number]
      );
      const given = first!.given && group.reduce((sum, each) => sum + (each.given ?? 1), 0);
      joined.push({ ...first!, operator: chooseOperator(first!, by)!, value, ...(given && { given }) });
    }
  }
  return joined;
}

/** Returns the operator of the joined condition; null: such conditions are not joined. */
function chooseOperator(
  { operator, negated, field: { value } }: Condition,
  by: "and" | "or",
): Comparison | null {
  if (value.kind !== "column") return null;
  // Those that must not hold are joined under the negation: none of them holds.
  if (negated !== (by === "and")) return by === "and" && operator === "ct" ? "every" : null;
  if (operator === "ct" || operator === "ew") return operator;
  return operator === "eq" || operator === "in" ? "in" : null;
}

/** Identifies the field and the records of a condition: equal for conditions that can be joined. */
function identifyGroup({ field: { relation, value, only, type } }: Condition): unknown[] {
  const of = value.kind === "column" ? value.sql("r") : null;
  return [relation.name, of?.sql, of?.args, type, only?.test("r").sql ?? null];
}

/**
 * Compiles nodes of which one must hold. Each is compiled by itself, so different related records may meet
 * them.
 */
function compileAny(nodes: readonly Node[], setting: Setting): Selection {
  const lists = joinTexts(nodes, "or").map((node) => compileFilter([node], setting));
  const test: Test = (own) =>
    sql`(${joinSql(lists.map(({ conditions }) => testAll(conditions)(own)), " or ")})`;
  return {
    conditions: [makeTestCondition(test)],
    paths(scope: Scope): AccessPath[] {
      const paths = lists.flatMap((list) => planPathOfList(list, scope, setting) ?? []);
      return paths.length < lists.length ? [] : [unitePaths(paths)];
    },
  };
}

function planPathOfList(
  { conditions, paths }: Selection,
  scope: Scope,
  { root }: Setting,
): AccessPath | null {
  return choosePath([...indexPaths(root, scope, conditions), ...paths(scope)], conditions);
}

/** Compiles a condition on the filtered records themselves. `others`: all such conditions of the filter. */
function compileCondition(condition: Condition, now: string, others: readonly Condition[]): ListCondition {
  const { field, operator, negated, value } = condition;
  const range = rangeWith(condition, others);
  // The first of several bounds carries the estimate for all of them.
  const part = range[0] === condition ? estimateFraction(condition, range, now) : 1;
  const fraction = negated ? 1 - part : part;
  if (field.value.kind !== "column") {
    return makeTestCondition(buildTest(condition), fraction, findEmbedded(condition) ? "seq" : null);
  }
  const { sql: of, sortKey } = field.value;
  if (negated) {
    return onColumn(of, null, (over) => sql`(${predicate(condition, over)}) is not true`, fraction);
  }
  const search = chooseSearch(condition);
  const on = onColumn(
    of,
    search === "trigrams" ? null : search,
    (over) => predicate(condition, over),
    fraction,
    field.type === "timestamp",
  );
  return sortKey && operator === "sw" && sortedBeginning.test(String(value))
    ? { ...on, implied: { name: sortKey, compare: (key) => predicate(condition, key) } }
    : on;
}

/** A beginning of a text that its sort key shares. The sort key may be cut. */
const sortedBeginning = /^[ -~]{1,64}$/;

function testAll(conditions: readonly ListCondition[]): Test {
  return (own) =>
    conditions.length === 0 ? sql`1` : sql`(${joinSql(conditions.map(({ test }) => test(own)), " and ")})`;
}

function hasMany(relation: Relation): boolean {
  return relation.many || (relation.above !== null && hasMany(relation.above));
}
