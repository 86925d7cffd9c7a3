/** How the rows that a filter selects are found by one of its conditions, without reading all. */
import { areTeams, type Stream, streamTerms } from "../db/scope.ts";
import { type IndexKind, joined, rawSql, type Sql, sql } from "../db/statements.ts";
import {
  embeddedIn,
  kindOf,
  otherTests,
  type RelatedConditions,
  relationsBelow,
  type Test,
} from "./relations.ts";
import type { FilterField, Found } from "./fields.ts";
import { skipScan } from "./skip_scan.ts";
import type { Condition } from "./parse.ts";
import { type TrigramPath, trigramPath } from "./trigram_index.ts";
import { depthOf, upward } from "./relation_paths.ts";
import { beforeNext, positive, predicate, rank } from "./predicates.ts";

export interface FilterPath {
  readonly rank: number;
  /** A select of the rows' `seq`. */
  readonly rowIds: Sql;
  /** A select of their `id`, where that is known sooner. */
  readonly ids: Sql | null;
  /** The condition on the rows themselves that an index serves, where it is one, and that index. */
  readonly indexedTest: Test | null;
  readonly index: IndexKind;
  /** Whether `seqs`, each of which it finds once, cost more to find than to keep for the rest of the statement. */
  readonly once: boolean;
  /** The tests that finding so makes superfluous. */
  readonly tests: readonly Test[];
  /** The same of the rows in the streams alone, where the way knows them. */
  readonly forTeams: ((streams: readonly Stream[]) => FilterPath | null) | null;
  /** `select count(…)` of the rows, in its index alone, when no other test but this one and the kind's is left. */
  readonly count: Sql | null;
}

/** The filtered rows by a condition on themselves, of which `test` is the test; `others` are those beside it. */
export function filterPathOfOwn(
  condition: Condition,
  test: Test,
  trunk: RelatedConditions,
  companyId: number,
  others: readonly Test[],
  allOfKind: boolean,
): FilterPath | null {
  const carried = embeddedIn(condition);
  const { value } = condition.field;
  if (carried && value.kind === "values") {
    const found = foundBy(condition, trunk);
    if (!found) return null;
    const { field, key } = value.found!;
    const distinct = carried.several && condition.operator !== "eq" ? "distinct " : "";
    const wayIn = (streams: readonly Stream[] | null): FilterPath => {
      const seen = streams ? sql` and (${joined(streamTerms(streams, "v", "+"), " or ")})` : sql``;
      const rows = sql`from ${rawSql(value.from)} where ${field} and ${found.term}${
        kindOf(condition)
      }${seen}`;
      return {
        ...alone,
        rank: found.worth,
        rowIds: sql`select v.${rawSql(key)} ${rows}`,
        tests: [test],
        forTeams: (streams) => areTeams(streams) ? wayIn(streams) : null,
        count: allOfKind ? sql`select count(${rawSql(distinct)}v.${rawSql(key)}) ${rows}` : null,
      };
    };
    return wayIn(null);
  }
  const rest = (own: string) => joined(others.map((test) => sql` and ${test(own)}`), "");
  const way = wayOf(condition, trunk, companyId, rest);
  if (!way) return null;
  const jumps = byJumps(way, condition, trunk, companyId, rest);
  return jumps ? { ...jumps, tests: [test, ...others] } : { ...way, tests: [test] };
}

/** A beginning of a text that many rows share, together with a range of their `created_at`, and all that `rest` asks. */
function byJumps(
  way: FilterPath,
  condition: Condition,
  trunk: RelatedConditions,
  companyId: number,
  rest: Test,
): FilterPath | null {
  const { field: { value }, operator } = condition;
  if (value.kind !== "column" || !value.shared || operator !== "sw") return null;
  const made = trunk.conditions.filter((other) => columnOf(other) === "r.created_at");
  if (made.length === 0) return null;
  const seqs = skipScan({
    table: trunk.relation.table,
    companyId,
    text: value.sql,
    begins: (text) => predicate(condition.field, "sw", condition.value, text),
    before: (text) => beforeNext(text, String(condition.value)),
    made: (own) => joined(made.map((each) => comparison(each, sql`${rawSql(own)}.created_at`)), " and "),
    rest,
  });
  return { ...way, rowIds: sql`select seq from (${seqs})`, indexedTest: null, index: "alone", once: true };
}

function comparison(condition: Condition, of: Sql): Sql {
  return predicate(condition.field, positive(condition).operator, condition.value, of);
}

/** The filtered rows by all of the conditions that parts of their own texts find; `tests` are theirs. */
export function filterPathOfTrigrams(
  conditions: readonly Condition[],
  tests: readonly Test[],
  companyId: number,
): FilterPath | null {
  const wayBy = (parted: TrigramPath | null): FilterPath | null =>
    parted && {
      ...alone,
      rank: parted.rank,
      rowIds: parted.rowIds,
      once: true,
      tests,
      forTeams: (streams) => wayBy(parted.forTeams(streams)),
    };
  return wayBy(trigramPath(conditions, companyId, true));
}

/** The filtered rows by the conditions on records below them. */
export function filterPathsBelow(trunk: RelatedConditions, companyId: number): FilterPath[] {
  return relationsBelow(trunk).flatMap((branch) => waysOfBranch(branch, companyId));
}

export function best(ways: readonly FilterPath[]): FilterPath | null {
  return ways.reduce<FilterPath | null>((least, way) => least && least.rank <= way.rank ? least : way, null);
}

/** Rows of which one of the ways finds each. */
export function either(ways: readonly FilterPath[]): FilterPath {
  const union = (selects: readonly Sql[]) => joined(selects, " union ");
  const ids = ways.flatMap((way) => way.ids ?? []);
  return {
    ...alone,
    rank: Math.max(...ways.map((way) => way.rank)) + 0.5,
    once: ways.some((way) => way.once),
    rowIds: union(ways.map(({ rowIds: seqs }) => seqs)),
    ids: ids.length === ways.length ? union(ids) : null,
  };
}

/** The way as one of a group: other tests may stand beside it. */
export function inGroup(way: FilterPath): FilterPath {
  return { ...way, indexedTest: null, index: "alone", tests: [], forTeams: null, count: null };
}

const alone = {
  ids: null,
  indexedTest: null,
  index: "alone",
  once: false,
  tests: [],
  forTeams: null,
  count: null,
} as const;

function waysOfBranch(branch: RelatedConditions, companyId: number): FilterPath[] {
  return [
    ...branch.conditions.flatMap((condition) => {
      const depth = depthOf(branch.relation);
      const rest = (own: string) => otherTests(branch, own, depth, condition);
      return wayOf(condition, branch, companyId, rest) ?? [];
    }),
    ...[...branch.below.values()].flatMap((inner) => waysOfBranch(inner, companyId)),
  ];
}

function wayOf(
  condition: Condition,
  branch: RelatedConditions,
  companyId: number,
  rest: Test,
): FilterPath | null {
  const { relation: place } = branch;
  const { value } = condition.field;
  const own = `p${depthOf(place)}`;
  const parted = place.above === null ? null : trigramPath([condition], companyId, false);
  const found = parted ? null : foundBy(condition, branch);
  if (!parted && !found) return null;
  const driver = found && value.kind === "column" ? found.of : null;
  let from = `${place.table} ${own}`;
  let where: Sql;
  if (!found) where = sql`${rawSql(own)}.seq in (${parted!.rowIds})${rest(own)}`;
  else if (value.kind === "values") {
    const { field, owner, key }: Found = value.found!;
    from = `${value.from} cross join ${from} on ${own}.${owner} = v.${key}`;
    where = sql`${field} and ${found.term}${rest(own)}`;
  } else {
    const company = place.company === null || value.indexed === "alone"
      ? sql`1`
      : sql`${rawSql(own)}.${rawSql(place.company)} = ${sql`${companyId}`}`;
    where = sql`${company} and ${found.of(own)}${rest(own)}`;
  }
  const { joins, party } = upward(place);
  const ids = party &&
    sql`select ${rawSql(party.column)} from ${rawSql(from)}${rawSql(party.joins)} where ${where}`;
  const many = party &&
    sql`select count(distinct ${rawSql(party.column)}) from ${rawSql(from)}${
      rawSql(party.joins)
    } where ${where}`;
  return {
    rank: found ? found.worth : parted!.rank,
    rowIds: sql`select p0.seq from ${rawSql(from)}${rawSql(joins)} where ${where}`,
    ids,
    indexedTest: place.above === null ? driver : null,
    once: false,
    index: value.kind === "column" && place.above === null ? value.indexed ?? "alone" : "alone",
    tests: [],
    forTeams: null,
    // Of records further below, those between may have conditions of their own.
    count: many && place.above?.above === null ? many : null,
  };
}

interface FoundBy {
  readonly worth: number;
  /** The comparison with what an index has: over the row of the value, or over the row `own` of the place. */
  readonly term: Sql;
  readonly of: Test;
}

/** What an index serves of a condition, together with those that are ranges of the same column. */
function foundBy(condition: Condition, branch: RelatedConditions): FoundBy | null {
  const { field } = condition;
  const { operator, negated } = positive(condition);
  const range = rangeWith(condition, branch);
  const worth = range.length > 1 ? bothEnds : rank(field, operator, condition.value);
  if (negated || worth === null || !isFound(field)) return null;
  const over = (of: Sql) => joined(range.map((each) => comparison(each, of)), " and ");
  const { value } = field;
  return {
    worth,
    term: value.kind === "values" ? over(rawSql(value.sql)) : sql`1`,
    of: (own) => value.kind === "column" ? over(value.sql(own)) : sql`1`,
  };
}

/** Both ends of a range leave fewer rows than a range without an end. */
const bothEnds = 3;

/** The condition with those that are ranges of the same column, where it is one. */
function rangeWith(condition: Condition, { conditions }: RelatedConditions): Condition[] {
  if (columnOf(condition) === null) return [condition];
  return conditions.filter((other) => columnOf(other) === columnOf(condition));
}

/** The column that a range is about, or the field whose one value it is; null for anything else. */
function columnOf({ field: { value }, operator }: Condition): string | null {
  if (!["gt", "gte", "lt", "lte"].includes(operator)) return null;
  if (value.kind === "column") return value.sql("r").sql;
  return value.found && JSON.stringify([value.from, value.found.field]);
}

function isFound({ value }: FilterField): boolean {
  return value.kind === "values" ? value.found !== null : value.indexed !== null;
}
