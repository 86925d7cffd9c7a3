/** How the rows that a filter selects are found by one of its conditions, without reading all. */
import { areTeams, type Stream, streamTerms } from "../../db/scope.ts";
import { type Finds, joined, raw, type Sql, sqlOf } from "../../db/statements.ts";
import { type Branch, branchesBelow, carriedBy, kindOf, restOf, type Test } from "./branches.ts";
import type { FilterField, Found } from "./fields.ts";
import { jumping } from "./jumps.ts";
import type { Condition } from "./parse.ts";
import { type Parted, partedBy } from "./parts.ts";
import { depthOf, upward } from "./places.ts";
import { beforeNext, positive, predicate, rank } from "./predicates.ts";

export interface Way {
  readonly rank: number;
  /** A select of the rows' `seq`. */
  readonly seqs: Sql;
  /** A select of their `id`, where that is known sooner. */
  readonly ids: Sql | null;
  /** The condition on the rows themselves that an index serves, where it is one, and that index. */
  readonly driver: Test | null;
  readonly finds: Finds;
  /** Whether `seqs`, each of which it finds once, cost more to find than to keep for the rest of the statement. */
  readonly once: boolean;
  /** The tests that finding so makes superfluous. */
  readonly tests: readonly Test[];
  /** The same of the rows in the streams alone, where the way knows them. */
  readonly among: ((streams: readonly Stream[]) => Way | null) | null;
  /** `select count(…)` of the rows, in its index alone, when no other test but this one and the kind's is left. */
  readonly counted: Sql | null;
}

/** The filtered rows by a condition on themselves, of which `test` is the test; `others` are those beside it. */
export function wayOfOwn(
  condition: Condition,
  test: Test,
  trunk: Branch,
  companyId: number,
  others: readonly Test[],
  allOfKind: boolean,
): Way | null {
  const carried = carriedBy(condition);
  const { value } = condition.field;
  if (carried && value.kind === "values") {
    const found = foundBy(condition, trunk);
    if (!found) return null;
    const { field, key } = value.found!;
    const distinct = carried.several && condition.operator !== "eq" ? "distinct " : "";
    const wayIn = (streams: readonly Stream[] | null): Way => {
      const seen = streams ? sqlOf` and (${joined(streamTerms(streams, "v", "+"), " or ")})` : raw("");
      const rows = sqlOf`from ${value.from} where ${field} and ${found.term}${kindOf(condition)}${seen}`;
      return {
        ...alone,
        rank: found.worth,
        seqs: sqlOf`select v.${key} ${rows}`,
        tests: [test],
        among: (streams) => areTeams(streams) ? wayIn(streams) : null,
        counted: allOfKind ? sqlOf`select count(${distinct}v.${key}) ${rows}` : null,
      };
    };
    return wayIn(null);
  }
  const rest = (own: string) => joined(others.map((test) => sqlOf` and ${test(own)}`), "");
  const way = wayOf(condition, trunk, companyId, rest);
  if (!way) return null;
  const jumps = byJumps(way, condition, trunk, companyId, rest);
  return jumps ? { ...jumps, tests: [test, ...others] } : { ...way, tests: [test] };
}

/** A beginning of a text that many rows share, together with a range of their `created_at`, and all that `rest` asks. */
function byJumps(way: Way, condition: Condition, trunk: Branch, companyId: number, rest: Test): Way | null {
  const { field: { value }, operator } = condition;
  if (value.kind !== "column" || !value.shared || operator !== "sw") return null;
  const made = trunk.conditions.filter((other) => columnOf(other) === "r.created_at");
  if (made.length === 0) return null;
  const seqs = jumping({
    table: trunk.place.table,
    companyId,
    text: value.sql,
    begins: (text) => predicate(condition.field, "sw", condition.value, text),
    before: (text) => beforeNext(text, String(condition.value)),
    made: (own) => joined(made.map((each) => comparison(each, raw(`${own}.created_at`))), " and "),
    rest,
  });
  return { ...way, seqs: sqlOf`select seq from (${seqs})`, driver: null, finds: "alone", once: true };
}

function comparison(condition: Condition, of: Sql): Sql {
  return predicate(condition.field, positive(condition).operator, condition.value, of);
}

/** The filtered rows by all of the conditions that parts of their own texts find; `tests` are theirs. */
export function wayOfParts(
  conditions: readonly Condition[],
  tests: readonly Test[],
  companyId: number,
): Way | null {
  const wayBy = (parted: Parted | null): Way | null =>
    parted && {
      ...alone,
      rank: parted.rank,
      seqs: parted.seqs,
      once: true,
      tests,
      among: (streams) => wayBy(parted.among(streams)),
    };
  return wayBy(partedBy(conditions, companyId, true));
}

/** The filtered rows by the conditions on records below them. */
export function waysBelow(trunk: Branch, companyId: number): Way[] {
  return branchesBelow(trunk).flatMap((branch) => waysOfBranch(branch, companyId));
}

export function best(ways: readonly Way[]): Way | null {
  return ways.reduce<Way | null>((least, way) => least && least.rank <= way.rank ? least : way, null);
}

/** Rows of which one of the ways finds each. */
export function either(ways: readonly Way[]): Way {
  const union = (selects: readonly Sql[]) => joined(selects, " union ");
  const ids = ways.flatMap((way) => way.ids ?? []);
  return {
    ...alone,
    rank: Math.max(...ways.map((way) => way.rank)) + 0.5,
    once: ways.some((way) => way.once),
    seqs: union(ways.map(({ seqs }) => seqs)),
    ids: ids.length === ways.length ? union(ids) : null,
  };
}

/** The way as one of a group: other tests may stand beside it. */
export function inGroup(way: Way): Way {
  return { ...way, driver: null, finds: "alone", tests: [], among: null, counted: null };
}

const alone = {
  ids: null,
  driver: null,
  finds: "alone",
  once: false,
  tests: [],
  among: null,
  counted: null,
} as const;

function waysOfBranch(branch: Branch, companyId: number): Way[] {
  return [
    ...branch.conditions.flatMap((condition) => {
      const depth = depthOf(branch.place);
      const rest = (own: string) => restOf(branch, own, depth, condition);
      return wayOf(condition, branch, companyId, rest) ?? [];
    }),
    ...[...branch.below.values()].flatMap((inner) => waysOfBranch(inner, companyId)),
  ];
}

function wayOf(condition: Condition, branch: Branch, companyId: number, rest: Test): Way | null {
  const { place } = branch;
  const { value } = condition.field;
  const own = `p${depthOf(place)}`;
  const parted = place.above === null ? null : partedBy([condition], companyId, false);
  const found = parted ? null : foundBy(condition, branch);
  if (!parted && !found) return null;
  const driver = found && value.kind === "column" ? found.of : null;
  let from = `${place.table} ${own}`;
  let where: Sql;
  if (!found) where = sqlOf`${own}.seq in (${parted!.seqs})${rest(own)}`;
  else if (value.kind === "values") {
    const { field, owner, key }: Found = value.found!;
    from = `${value.from} cross join ${from} on ${own}.${owner} = v.${key}`;
    where = sqlOf`${field} and ${found.term}${rest(own)}`;
  } else {
    const company = place.company === null || value.indexed === "alone"
      ? raw("1")
      : sqlOf`${own}.${place.company} = ${raw("?", companyId)}`;
    where = sqlOf`${company} and ${found.of(own)}${rest(own)}`;
  }
  const { joins, party } = upward(place);
  const ids = party && sqlOf`select ${party.column} from ${from}${party.joins} where ${where}`;
  const many = party &&
    sqlOf`select count(distinct ${party.column}) from ${from}${party.joins} where ${where}`;
  return {
    rank: found ? found.worth : parted!.rank,
    seqs: sqlOf`select p0.seq from ${from}${joins} where ${where}`,
    ids,
    driver: place.above === null ? driver : null,
    once: false,
    finds: value.kind === "column" && place.above === null ? value.indexed ?? "alone" : "alone",
    tests: [],
    among: null,
    // Of records further below, those between may have conditions of their own.
    counted: many && place.above?.above === null ? many : null,
  };
}

interface FoundBy {
  readonly worth: number;
  /** The comparison with what an index has: over the row of the value, or over the row `own` of the place. */
  readonly term: Sql;
  readonly of: Test;
}

/** What an index serves of a condition, together with those that are ranges of the same column. */
function foundBy(condition: Condition, branch: Branch): FoundBy | null {
  const { field } = condition;
  const { operator, negated } = positive(condition);
  const range = rangeWith(condition, branch);
  const worth = range.length > 1 ? bothEnds : rank(field, operator, condition.value);
  if (negated || worth === null || !isFound(field)) return null;
  const over = (of: Sql) => joined(range.map((each) => comparison(each, of)), " and ");
  const { value } = field;
  return {
    worth,
    term: value.kind === "values" ? over(raw(value.sql)) : raw("1"),
    of: (own) => value.kind === "column" ? over(value.sql(own)) : raw("1"),
  };
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
