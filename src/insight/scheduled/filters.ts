/** The filters of a scheduled report: their stored form, the names of their records, and their checks. */
import { type Member, seesOwned } from "../../core/access.ts";
import { type FieldError, forbidden, missingReference } from "../../core/errors.ts";
import { joinSql, type Sql, sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { type Filters, noFilters } from "../reports/question.ts";
import type { GivenFilters } from "./filters_schema.ts";

/** The filters as a request body has them. An absent or empty list does not filter. */
export interface ReportFilters {
  readonly relation_path_ids?: readonly string[];
  readonly lead_type_ids?: readonly string[];
  readonly lead_sources?: readonly string[];
  readonly group_ids?: readonly number[];
  readonly team_ids?: readonly number[];
}

/**
 * The records that each filter refers to: the join of their rows `x`, the members of their owner, which
 * decides who sees them, and their noun.
 */
const filtered = {
  relation_path_ids: {
    rows: sql`left join relations_paths x`,
    owner: sql`'team_id', x.team_id, 'group_id', x.group_id, 'kept_for', x.kept_for`,
    noun: "relations path",
  },
  lead_type_ids: {
    rows: sql`left join lead_types x`,
    owner: sql`'team_id', x.team_id, 'group_id', null, 'kept_for', x.kept_for`,
    noun: "lead type",
  },
  // Groups and teams belong to the company, and all of its users see them.
  group_ids: { rows: sql`left join groups x`, owner: sql`'team_id', null, 'group_id', null`, noun: "group" },
  team_ids: { rows: sql`left join teams x`, owner: sql`'team_id', null, 'group_id', null`, noun: "team" },
} as const;
type Name = keyof typeof filtered;
const names = Object.keys(filtered) as Name[];

/** Keeps the lists that filter something. */
export function pickFilters(given: GivenFilters | null | undefined): ReportFilters {
  return Object.fromEntries(Object.entries(given ?? {}).filter(([, list]) => list && list.length > 0));
}

/** Throws 403 for filters that the type of the user may not use. */
export function checkMayFilter({ userType }: Member, { group_ids, team_ids }: ReportFilters): void {
  if (group_ids && userType !== "admin") {
    throw forbidden("Only an admin may filter a scheduled report by groups.");
  }
  if (team_ids && userType !== "admin" && userType !== "group_admin") {
    throw forbidden("Only admins and group admins may filter a scheduled report by teams.");
  }
}

/** Reads `names`: JSON for `readFilterNames` of the named records. Those that do not exist have no name. */
export function selectFilterNames(companyId: number, filters: ReportFilters): Statement {
  return sql`select ${composeFilterNames(sql`${companyId}`, sql`${JSON.stringify(filters)}`)} as names`;
}

/** SQL: JSON for `readFilterNames`. `filters`: SQL of the filters as JSON. */
export function composeFilterNames(companyId: Sql, filters: Sql): Sql {
  const parts = names.map((name) => {
    const { rows, owner } = filtered[name];
    return sql`${name}, json((select json_group_array(json_object('id', g.value, 'name', x.name, ${owner}))
      from json_each(${filters}, ${`$.${name}`}) g ${rows} on x.id = g.value
      and x.company_id = ${companyId}))`;
  });
  return sql`json_object(${joinSql(parts, ", ")})`;
}

export interface Named {
  readonly id: string | number;
  /** Null: the caller does not see the record, or it was deleted. */
  readonly name: string | null;
}
export type FilterNames = Readonly<Record<Name, readonly Named[]>>;

type Found = Named & {
  readonly team_id: number | null;
  readonly group_id: number | null;
  readonly kept_for?: number | null;
};

export function readFilterNames(caller: Member, text: string): FilterNames {
  const found = JSON.parse(text) as Readonly<Record<Name, readonly Found[]>>;
  const presentFound = (list: readonly Found[]) =>
    list.map(({ id, name, ...owner }) => ({ id, name: seesOwned(caller, owner) ? name : null }));
  return {
    relation_path_ids: presentFound(found.relation_path_ids),
    lead_type_ids: presentFound(found.lead_type_ids),
    group_ids: presentFound(found.group_ids),
    team_ids: presentFound(found.team_ids),
  };
}

/** Whether two filters are the same. */
export function sameFilters(one: ReportFilters, other: ReportFilters): boolean {
  const serializeSorted = (filters: ReportFilters) =>
    JSON.stringify(Object.entries(filters).sort(([a], [b]) => a < b ? -1 : 1));
  return serializeSorted(one) === serializeSorted(other);
}

/**
 * The filters that a report may keep though their records were deleted: figures still count a deleted team, lead type
 * or path. Without its teams a deleted group counts nothing, so it may stay only where nothing changes.
 */
export function keepDeletedFilters(before: ReportFilters, given: ReportFilters): ReportFilters {
  if (sameFilters(before, given)) return before;
  const { group_ids: _, ...kept } = before;
  return kept;
}

/**
 * Adds an error for each record in the filters that does not exist, or that the caller does not see. `kept` are
 * filters that may stay.
 */
export function checkFilters(
  caller: Member,
  filters: ReportFilters,
  found: Result,
  errors: FieldError[],
  kept: ReportFilters = {},
): void {
  const known = readFilterNames(caller, String(found.rows[0]!.names));
  for (const name of names) {
    const seen = new Set(known[name].filter((record) => record.name !== null).map(({ id }) => id));
    filters[name]?.forEach((id, index) => {
      const stays = kept[name]?.some((each) => each === id) ?? false;
      if (!stays && !seen.has(id)) {
        errors.push(missingReference(`filters.${name}[${index}]`, filtered[name].noun));
      }
    });
  }
}

/** Returns the filters of the question that the report asks. */
export function questionFilters(filters: ReportFilters): Filters {
  return {
    ...noFilters,
    relations_path_ids: filters.relation_path_ids ?? null,
    lead_type_ids: filters.lead_type_ids ?? null,
    lead_sources: filters.lead_sources ?? null,
    group_ids: filters.group_ids ?? null,
    team_ids: filters.team_ids ?? null,
  };
}
