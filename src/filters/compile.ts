/** A tree of conditions as SQL over the rows of a list, and how those rows are found without reading all. */
import { type AccessPath, maxRowsRead, maxSortedRows } from "../lists/access_path.ts";
import type { Context } from "../db/context.ts";
import { joined, rawSql, type Sql, sql } from "../db/statements.ts";
import type { Effort, Result, Statement } from "../platform/database/database.ts";
import {
  noneHas,
  type RelatedConditions,
  relatedConditionsOf,
  relatedTo,
  relationsBelow,
  relationSql,
  type Test,
  testOf,
  testsKind,
} from "./relations.ts";
import type { Catalogue, Relation } from "./fields.ts";
import type { Node } from "./parse.ts";
import { usesTrigrams } from "./trigram_index.ts";
import { positive } from "./predicates.ts";
import {
  best,
  either,
  type FilterPath,
  filterPathOfOwn,
  filterPathOfTrigrams,
  filterPathsBelow,
  inGroup,
} from "./access_paths.ts";

/** A filter as conditions of a list. */
export interface Compiled {
  /** All of it. */
  readonly conditions: readonly Sql[];
  /** Null: no index finds the rows. */
  readonly finding: AccessPath | null;
  /** What it takes to read them; null: there is no filter. */
  readonly effort: Effort | null;
}

export const unfiltered: Compiled = { conditions: [], finding: null, effort: null };

/**
 * A filter beside the other conditions of a list. `idle`: whether those others hold for every row at this moment,
 * so that an index alone may count; absent: nobody knows.
 */
export function filteredBy(
  { conditions, finding, effort }: Compiled,
  others: readonly Sql[],
  idle: Sql | null = null,
): Compiled {
  if (others.length === 0) return { conditions, finding, effort };
  return {
    conditions: [...others, ...conditions],
    finding: finding && findingBeside(finding, others, idle),
    effort,
  };
}

function findingBeside(finding: AccessPath, others: readonly Sql[], idle: Sql | null): AccessPath {
  return {
    ...finding,
    conditions: [...others, ...finding.conditions],
    count: idle && finding.count ? { ...finding.count, given: idle } : null,
    rowIdSet: finding.rowIdSet ? { ...finding.rowIdSet, rest: [...others, ...finding.rowIdSet.rest] } : null,
    forTeams(streams) {
      const narrower = finding.forTeams?.(streams);
      return narrower ? findingBeside(narrower, others, idle) : null;
    },
  };
}

/** How a list is read: by a filter, or by words, beside what else is served. */
export function aside(
  { caller, deps }: Pick<Context, "caller" | "deps">,
  { effort }: Compiled,
  search?: string | undefined,
): (statements: readonly Statement[]) => Promise<Result[]> {
  const needed = effort ?? (search ? "few" : null);
  if (needed === null) return deps.db.read;
  return (statements) => deps.db.readAside(statements, { effort: needed, company: caller.companyId });
}

/** `alias` is the list's for the rows that are filtered. */
export function compileFilter(
  nodes: readonly Node[],
  { root }: Catalogue,
  alias: string,
  companyId: number,
): Compiled {
  if (nodes.length === 0) return unfiltered;
  const { tests, way, onlyBy } = compileList(nodes, { root, companyId });
  const all = (without: readonly Test[]) =>
    tests.filter((test) => !without.includes(test)).map((test) => test(alias));
  if (!way) return { conditions: all([]), finding: null, effort: "scan" };
  const findingOf = (way: FilterPath): AccessPath => {
    const seqs = way.once ? sql`select seq from hits` : way.rowIds;
    const rows = way.ids ?? seqs;
    const found = way.indexedTest
      ? way.indexedTest(alias)
      : sql`${rawSql(alias)}.${rawSql(way.ids ? "id" : "seq")} in (${rows})`;
    const rest = all(way.tests);
    const most = way.indexedTest ? maxSortedRows : maxRowsRead;
    const counted = way.once && way.tests.length > 0 ? sql`select count(*) from hits` : way.count;
    return {
      index: way.indexedTest ? way.index : "alone",
      conditions: [found, ...rest],
      isSelective: sql`(select count(*) from (${rows} limit ${rawSql(String(most + 1))})) <= ${
        rawSql(String(most))
      }`,
      count: onlyBy && counted ? { rows: counted } : null,
      rowIdSet: way.indexedTest || way.ids ? null : { rowIds: seqs, rest },
      table: way.once ? sql`hits(seq) as materialized (${way.rowIds})` : null,
      forTeams(streams) {
        const narrower = way.forTeams?.(streams);
        return narrower ? findingOf(narrower) : null;
      },
    };
  };
  return { conditions: all([]), finding: findingOf(way), effort: way.rank < broad ? "few" : "scan" };
}

/** From this rank on a way finds as a rule a good part of all rows. */
const broad = 5;

interface Scope {
  readonly root: Relation;
  readonly companyId: number;
}

interface List {
  readonly tests: readonly Test[];
  readonly way: FilterPath | null;
  /** Whether the way finds the rows and no others. */
  readonly onlyBy: boolean;
}

/** Nodes that all hold. */
function compileList(nodes: readonly Node[], scope: Scope): List {
  const { root, companyId } = scope;
  const trunk = relatedTo(root);
  const tests: Test[] = [];
  const ways: FilterPath[] = [];
  const kinds = new Map<string, Test>();
  for (const node of nodes) {
    if (node.kind !== "condition") {
      const group = node.kind === "and" ? compileList(node.nodes, scope) : compileAny(node.nodes, scope);
      tests.push(allOf(group.tests));
      if (group.way) ways.push(inGroup(group.way));
      continue;
    }
    const { only, place } = node.field;
    if (only) kinds.set(only("r").sql, only);
    if (positive(node).negated && hasMany(place)) tests.push(noneHas(node, root));
    else relatedConditionsOf(trunk, place).conditions.push(node);
  }
  const own = trunk.conditions.map((condition) => ({ condition, test: testOf(condition) }));
  const kindTests = [...kinds].filter(([kind]) =>
    !trunk.conditions.some((condition) => testsKind(condition) && condition.field.only?.("r").sql === kind)
  ).map(([, only]) => only);
  const below = relationsBelow(trunk);
  const others = tests.length + below.length;
  const plain = [...kindTests, ...own.map(({ test }) => test)];
  for (const { condition, test } of own) {
    const way = filterPathOfOwn(
      condition,
      test,
      trunk,
      companyId,
      plain.filter((other) => other !== test),
      own.length === 1,
    );
    if (way) ways.push(way);
  }
  const parts = own.filter(({ condition }) => usesTrigrams(condition));
  const wayByParts = filterPathOfTrigrams(
    parts.map(({ condition }) => condition),
    parts.map(({ test }) => test),
    companyId,
  );
  if (wayByParts) ways.push(wayByParts);
  ways.push(...filterPathsBelow(trunk, companyId));
  tests.push(...kindTests, ...own.map(({ test }) => test), ...below.map(testBelow));
  const way = best(ways);
  const covered = own.filter(({ test }) => way?.tests.includes(test)).length;
  const onlyBy = others + own.length === Math.max(1, covered) && (covered > 0 || kinds.size === 0);
  return { tests, way, onlyBy };
}

/** Nodes of which one holds. Each stands for itself. */
function compileAny(nodes: readonly Node[], scope: Scope): List {
  const lists = nodes.map((node) => compileList([node], scope));
  const ways = lists.flatMap(({ way }) => way ?? []);
  const test: Test = (own) => sql`(${joined(lists.map(({ tests }) => allOf(tests)(own)), " or ")})`;
  return { tests: [test], way: ways.length < lists.length ? null : either(ways), onlyBy: false };
}

function allOf(tests: readonly Test[]): Test {
  return (own) => tests.length === 0 ? sql`1` : sql`(${joined(tests.map((test) => test(own)), " and ")})`;
}

function testBelow(branch: RelatedConditions): Test {
  return (own) => relationSql(branch, own, 1);
}

function hasMany(place: Relation): boolean {
  return place.many || (place.above !== null && hasMany(place.above));
}
