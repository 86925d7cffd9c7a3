/** A tree of conditions as SQL over the rows of a list, and how those rows are found without reading all. */
import { type Finding, mostFound } from "../../db/pages.ts";
import { type Finds, raw, type Sql } from "../../db/statements.ts";
import { type Catalogue, type FilterField, joined, type Place, sqlOf } from "./fields.ts";
import type { Condition, Node } from "./parse.ts";
import { positive, predicate, rank } from "./predicates.ts";

/** A filter as conditions of a list. */
export interface Compiled {
  /** All of it. */
  readonly conditions: readonly Sql[];
  /** Null: no index finds the rows. */
  readonly finding: Finding | null;
}

export const unfiltered: Compiled = { conditions: [], finding: null };

/** A filter beside the other conditions of a list. */
export function filteredBy({ conditions, finding }: Compiled, others: readonly Sql[]): Compiled {
  if (others.length === 0) return { conditions, finding };
  return {
    conditions: [...others, ...conditions],
    finding: finding && { ...finding, conditions: [...others, ...finding.conditions] },
  };
}

/** `alias` is the list's for the rows that are filtered. */
export function compileFilter(
  nodes: readonly Node[],
  { root }: Catalogue,
  alias: string,
  companyId: number,
): Compiled {
  if (nodes.length === 0) return unfiltered;
  const { tests, way } = compileList(nodes, { root, companyId });
  const all = (without: Test | null) => tests.filter((test) => test !== without).map((test) => test(alias));
  if (!way) return { conditions: all(null), finding: null };
  const found = way.driver ? way.driver(alias) : sqlOf`${alias}.seq in (${way.select})`;
  const count = sqlOf`select count(*) from (${way.select} limit ${String(mostFound + 1)})`;
  return {
    conditions: all(null),
    finding: {
      finds: way.driver ? way.finds : "alone",
      conditions: [found, ...all(way.test)],
      few: sqlOf`(${count}) <= ${String(mostFound)}`,
    },
  };
}

/** SQL over a row; columns in it are not to be searched by. */
type Test = (own: string) => Sql;

/** How the rows of a list of conditions are found. */
interface Way {
  readonly rank: number;
  /** The ids (`seq`) of the rows. */
  readonly select: Sql;
  /** The condition on the rows themselves that an index serves, where it is one, and that index. */
  readonly driver: Test | null;
  readonly finds: Finds;
  /** The test that finding so makes superfluous. */
  readonly test: Test | null;
}

interface Scope {
  readonly root: Place;
  readonly companyId: number;
}

interface List {
  readonly tests: readonly Test[];
  readonly way: Way | null;
}

/** Conditions that hold for one and the same record, and on records below it. */
interface Branch {
  readonly place: Place;
  readonly conditions: Condition[];
  readonly below: Map<string, Branch>;
}

/** Nodes that all hold. */
function compileList(nodes: readonly Node[], scope: Scope): List {
  const { root } = scope;
  const trunk: Branch = { place: root, conditions: [], below: new Map() };
  const tests: Test[] = [];
  const ways: Way[] = [];
  const kinds = new Set<string>();
  for (const node of nodes) {
    if (node.kind !== "condition") {
      const group = node.kind === "and" ? compileList(node.nodes, scope) : compileAny(node.nodes, scope);
      tests.push(allOf(group.tests));
      if (group.way) ways.push({ ...group.way, driver: null, finds: "alone", test: null });
      continue;
    }
    const { only, place } = node.field;
    if (only && !kinds.has(only("r").text)) {
      kinds.add(only("r").text);
      tests.push(only);
    }
    if (positive(node).negated && hasMany(place)) tests.push(noneHas(node, root));
    else branchOf(trunk, place).conditions.push(node);
  }
  const own = trunk.conditions.map((condition) => ({ condition, test: testOf(condition) }));
  const plain = [...tests.filter((test) => kinds.has(test("r").text)), ...own.map(({ test }) => test)];
  for (const { condition, test } of own) {
    const way = wayOf(condition, trunk, scope, plain.filter((other) => other !== test));
    if (way) ways.push({ ...way, test });
  }
  tests.push(...own.map(({ test }) => test));
  for (const branch of trunk.below.values()) {
    tests.push((own) => branchSql(branch, own, 1));
    ways.push(...waysBelow(branch, scope));
  }
  return { tests, way: best(ways) };
}

/** Nodes of which one holds. Each stands for itself. */
function compileAny(nodes: readonly Node[], scope: Scope): List {
  const lists = nodes.map((node) => compileList([node], scope));
  const ways = lists.flatMap(({ way }) => way ?? []);
  const test: Test = (own) => sqlOf`(${joined(lists.map(({ tests }) => allOf(tests)(own)), " or ")})`;
  if (ways.length < lists.length) return { tests: [test], way: null };
  return {
    tests: [test],
    way: {
      rank: Math.max(...ways.map((way) => way.rank)) + 0.5,
      select: joined(ways.map(({ select }) => select), " union "),
      driver: null,
      finds: "alone",
      test: null,
    },
  };
}

function allOf(tests: readonly Test[]): Test {
  return (own) => tests.length === 0 ? raw("1") : sqlOf`(${joined(tests.map((test) => test(own)), " and ")})`;
}

/** The condition on a row of its own place. */
function testOf({ field, ...condition }: Condition): Test {
  const { operator, negated } = positive({ field, ...condition });
  const { value } = field;
  return (own) => {
    if (value.kind === "values") {
      const term = predicate(field, operator, condition.value, raw(`+${value.sql}`));
      return sqlOf`${negated ? "not " : ""}exists (select 1 from ${value.from}${
        value.index ? ` indexed by ${value.index}` : ""
      } where ${value.of(own)} and ${term})`;
    }
    const term = predicate(field, operator, condition.value, sqlOf`+(${value.sql(own)})`);
    return negated ? sqlOf`(${term}) is not true` : term;
  };
}

/** No record of the place, which may be several, has the value. */
function noneHas(condition: Condition, root: Place): Test {
  const branch: Branch = { place: root, conditions: [], below: new Map() };
  branchOf(branch, condition.field.place).conditions.push(unnegated(condition));
  const [first] = branch.below.values();
  return (own) => sqlOf`not ${branchSql(first!, own, 1)}`;
}

function unnegated(condition: Condition): Condition {
  const { operator } = positive(condition);
  return { ...condition, operator, value: operator === "exists" ? true : condition.value };
}

function hasMany(place: Place): boolean {
  return place.many || (place.above !== null && hasMany(place.above));
}

/** The branch for records of the place; made where it is not there. */
function branchOf(trunk: Branch, place: Place): Branch {
  if (place.above === null) return trunk;
  const above = branchOf(trunk, place.above);
  let branch = above.below.get(place.name);
  if (!branch) {
    branch = { place, conditions: [], below: new Map() };
    above.below.set(place.name, branch);
  }
  return branch;
}

/** There is a record of the branch below the row `above`. */
function branchSql(branch: Branch, above: string, depth: number): Sql {
  const own = `p${depth}`;
  const { place } = branch;
  return sqlOf`exists (select 1 from ${place.table} ${own} where ${place.link(own, above)}${
    restOf(branch, own, depth, null)
  })`;
}

/** All of a branch but one condition, as ` and …`. */
function restOf(branch: Branch, own: string, depth: number, without: Condition | null): Sql {
  const { place, conditions, below } = branch;
  const terms = [
    ...(place.counts ? [place.counts(own, conditions.some(({ field }) => field.reveals === true))] : []),
    ...conditions.filter((condition) => condition !== without).map((condition) => testOf(condition)(own)),
    ...[...below.values()].map((inner) => branchSql(inner, own, depth + 1)),
  ];
  return joined(terms.map((term) => sqlOf` and ${term}`), "");
}

function waysBelow(branch: Branch, scope: Scope): Way[] {
  return [
    ...branch.conditions.flatMap((condition) => wayOf(condition, branch, scope, []) ?? []),
    ...[...branch.below.values()].flatMap((inner) => waysBelow(inner, scope)),
  ];
}

/** How the filtered rows are found by one condition; `others` are tests on the same rows of a trunk. */
function wayOf(condition: Condition, branch: Branch, scope: Scope, others: readonly Test[]): Way | null {
  const { field } = condition;
  const { operator, negated } = positive(condition);
  const range = rangeWith(condition, branch);
  const worth = range.length > 1 ? bothEnds : rank(field, operator, condition.value);
  if (negated || worth === null || !isFound(field)) return null;
  const { place, value } = field;
  const { depth, joins, seq } = upward(place);
  const own = `p${depth}`;
  if (value.kind === "values") {
    const { field: named, owner, key } = value.found!;
    const term = joined(range.map((each) => found(each, raw(value.sql))), " and ");
    const rest = place.above === null
      ? joined(others.map((test) => sqlOf` and ${test(own)}`), "")
      : restOf(branch, own, depth, condition);
    const select =
      sqlOf`select ${seq} from ${value.from} cross join ${place.table} ${own} on ${own}.${owner} = v.${key}${joins} where ${named} and ${term}${rest}`;
    return { rank: worth, select, driver: null, finds: "alone", test: null };
  }
  const driver = (row: string) => joined(range.map((each) => found(each, value.sql(row))), " and ");
  const company = place.company === null || value.indexed === "alone"
    ? raw("1")
    : sqlOf`${own}.${place.company} = ${raw("?", scope.companyId)}`;
  const rest = place.above === null
    ? joined(others.map((test) => sqlOf` and ${test(own)}`), "")
    : restOf(branch, own, depth, condition);
  const select = sqlOf`select ${seq} from ${place.table} ${own}${joins} where ${company} and ${
    driver(own)
  }${rest}`;
  const finds = value.indexed ?? "alone";
  return { rank: worth, select, driver: place.above === null ? driver : null, finds, test: null };
}

function found({ field, ...condition }: Condition, of: Sql): Sql {
  return predicate(field, positive({ field, ...condition }).operator, condition.value, of);
}

/** Both ends of a range leave fewer rows than a range without an end. */
const bothEnds = 3;

/** The condition with those that are ranges of the same column, where it is one. */
function rangeWith(condition: Condition, { conditions }: Branch): Condition[] {
  if (columnOf(condition) === null) return [condition];
  return conditions.filter((other) => columnOf(other) === columnOf(condition));
}

/** The column that a range is about, or the field whose one value it is; null for anything else. */
function columnOf({ field: { value }, operator }: Condition): string | null {
  if (!["gt", "gte", "lt", "lte"].includes(operator)) return null;
  if (value.kind === "column") return value.sql("r").text;
  return value.found && JSON.stringify([value.from, value.found.field]);
}

function isFound({ value }: FilterField): boolean {
  return value.kind === "values" ? value.found !== null : value.indexed !== null;
}

/** From a row of the place up to the filtered row: joins, in this order, and the filtered row's id. */
function upward(place: Place): { depth: number; joins: string; seq: string } {
  const chain: Place[] = [];
  for (let at: Place | null = place; at; at = at.above) chain.push(at);
  const depth = chain.length - 1;
  const joins = chain.slice(1).map((above, index) => {
    const [own, over] = [depth - index, depth - index - 1];
    return ` cross join ${above.table} p${over} on ${chain[index]!.link(`p${own}`, `p${over}`)}`;
  });
  return { depth, joins: joins.join(""), seq: "p0.seq" };
}

function best(ways: readonly Way[]): Way | null {
  return ways.reduce<Way | null>((least, way) => least && least.rank <= way.rank ? least : way, null);
}
