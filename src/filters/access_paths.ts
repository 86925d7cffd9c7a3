/**
 * Access paths of filters: they find the rows by the values of a field, or by records that belong to the
 * rows.
 */
import { areTeams, composeStreamTerms, type Scope } from "../db/scope.ts";
import { identifier, joinSql, type Sql, sql } from "../db/statements.ts";
import { type AccessPath, streamPart } from "../lists/access_path.ts";
import type { ListCondition, Test } from "../lists/conditions.ts";
import type { Found, Values } from "./fields.ts";
import type { Condition } from "./parse.ts";
import { chooseSearch, estimateFraction, predicate, rangeWith } from "./predicates.ts";
import { composeRelatedRows, countDepth, upward } from "./relation_paths.ts";
import { composeOtherTests, findEmbedded, type RelatedConditions, testKind } from "./relations.ts";
import { planTrigramPath } from "./trigram_index.ts";

/** Returns the access path for the scope of a list; null: no path. */
export type PathIn = (scope: Scope) => AccessPath | null;

/**
 * Finds the filtered rows by the values of one of their own fields, such as a custom field. `covers`: the
 * list conditions that the path meets. Null: no index helps.
 */
export function planPathOfValues(
  condition: Condition,
  value: Values,
  trunk: RelatedConditions,
  now: string,
  covers: readonly ListCondition[],
): PathIn | null {
  const found = describeFound(condition, trunk, now);
  if (!found) return null;
  const embedded = findEmbedded(condition);
  if (!embedded) return findPath(condition, trunk, now, () => sql``, covers);
  const { field, key } = value.found!;
  return ({ streams }) => {
    const inStreams = streams === null || areTeams(streams);
    const seen = streams && inStreams
      ? sql` and (${joinSql(composeStreamTerms(streams, "v", "+"), " or ")})`
      : sql``;
    return {
      rowIds: sql`select ${identifier("v", key)} as row from ${value.from} where ${field}
        and ${found.term}${testKind(condition)}${seen}`,
      isDistinct: !embedded.several || condition.operator === "eq",
      isOrdered: condition.operator === "eq",
      covers,
      inScope: inStreams,
      read: found.fraction,
      found: found.fraction * (inStreams ? streamPart(streams) : 1),
    };
  };
}

/**
 * Finds the filtered rows in the trigram index, by all conditions on parts of their own texts. `covers`:
 * these conditions. Null: no index helps.
 */
export function planPathOfTrigrams(
  conditions: readonly Condition[],
  companyId: number,
  covers: readonly ListCondition[],
): PathIn | null {
  const path = planTrigramPath(conditions, companyId, true);
  if (!path) return null;
  return ({ streams }) => {
    const ofTeams = streams ? path.forTeams(streams) : path;
    return {
      rowIds: sql`select seq as row from (${(ofTeams ?? path).rowIds})`,
      isDistinct: true,
      covers,
      inScope: ofTeams !== null,
      isGuess: true,
      read: partsFraction,
      found: partsFraction * (ofTeams ? streamPart(streams) : 1),
    };
  };
}

/** The rows that any of the paths finds. */
export function unitePaths(paths: readonly AccessPath[]): AccessPath {
  const sum = (of: (path: AccessPath) => number) =>
    Math.min(1, paths.reduce((all, path) => all + of(path), 0));
  return {
    rowIds: joinSql(paths.map(({ rowIds }) => rowIds), " union "),
    isDistinct: paths.length > 1 || paths[0]!.isDistinct,
    covers: [],
    inScope: false,
    read: sum(({ read }) => read),
    found: sum(({ found }) => found),
  };
}

/** The estimated share of texts that contain the parts of a condition. */
const partsFraction = 0.01;

/** Returns a path for each condition on the related records of a branch, if an index helps. */
export function planPathsOfBranch(branch: RelatedConditions, companyId: number, now: string): PathIn[] {
  return [
    ...branch.conditions.flatMap((condition) => {
      const depth = countDepth(branch.relation);
      const rest = (own: string) => composeOtherTests(branch, own, depth, condition);
      return findPath(condition, branch, now, rest, [], companyId) ?? [];
    }),
    ...[...branch.below.values()].flatMap((inner) => planPathsOfBranch(inner, companyId, now)),
  ];
}

/**
 * Finds the filtered rows by a condition on a related record, or on values in rows of their own. `rest`: the
 * other conditions on the same record. Null: no index helps.
 */
function findPath(
  condition: Condition,
  branch: RelatedConditions,
  now: string,
  rest: Test,
  covers: readonly ListCondition[],
  companyId = 0,
): PathIn | null {
  const { relation } = branch;
  const { value } = condition.field;
  const own = `p${countDepth(relation)}`;
  const parts = relation.above === null ? null : planTrigramPath([condition], companyId, false);
  const found = parts ? null : describeFound(condition, branch, now);
  if (!parts && !found) return null;
  let from = composeRelatedRows(relation, own);
  let where: Sql;
  if (!found) where = sql`${identifier(own, "seq")} in (${parts!.rowIds})${rest(own)}`;
  else if (value.kind === "values") {
    const { field, owner, key }: Found = value.found!;
    from = sql`${value.from} cross join ${from} on ${identifier(own, owner)} = ${identifier("v", key)}`;
    where = sql`${field} and ${found.term}${rest(own)}`;
  } else {
    const company = found.inCompany ? sql`${identifier(own, "company_id")} = ${companyId} and ` : sql``;
    where = sql`${company}${found.of(own)}${rest(own)}`;
  }
  const { joins, party } = upward(relation);
  const root = findRoot(branch);
  const rowIds = party
    ? sql`select o.rowid as row from ${identifier(root)} o
      where o.id in (select ${party.column} from ${from}${party.joins} where ${where})`
    : sql`select p0.rowid as row from ${from}${joins} where ${where}`;
  const fraction = found?.fraction ?? partsFraction;
  const path = {
    rowIds,
    isDistinct: party !== null,
    covers,
    inScope: false,
    read: fraction * 5,
    found: fraction,
  };
  return () => path;
}

function findRoot({ relation }: RelatedConditions): string {
  let root = relation;
  while (root.above) root = root.above;
  return root.table;
}

interface FoundBy {
  readonly fraction: number;
  /**
   * The comparison that the index serves: `term` over the row of the value, `of` over the row `own` of the
   * relation.
   */
  readonly term: Sql;
  readonly of: Test;
  /** Whether the index begins with the company. */
  readonly inCompany: boolean;
}

/**
 * Returns how an index finds the condition, together with the other ranges of the same column. Null: it does
 * not.
 */
function describeFound(condition: Condition, branch: RelatedConditions, now: string): FoundBy | null {
  const { value } = condition.field;
  const search = chooseSearch(condition);
  if (search !== "equal" && search !== "range") return null;
  const index = value.kind === "column" ? findIndex(branch, value.sql("r")) : null;
  if (value.kind === "column" ? !index : !value.found) return null;
  const range = rangeWith(condition, branch.conditions);
  const over = (of: Sql) => joinSql(range.map((each) => predicate(each, of)), " and ");
  return {
    fraction: estimateFraction(condition, range, now),
    term: value.kind === "values" ? over(value.sql) : sql`1`,
    of: (own) => value.kind === "column" ? over(value.sql(own)) : sql`1`,
    inCompany: index?.columns[0] === "company_id",
  };
}

function findIndex({ relation }: RelatedConditions, { sql: text, args }: Sql) {
  const name = text.replaceAll("r.", "");
  if (args.length > 0) return null;
  return relation.indexes.find(({ columns: [first, second] }) =>
    first === name || (first === "company_id" && second === name)
  ) ?? null;
}
