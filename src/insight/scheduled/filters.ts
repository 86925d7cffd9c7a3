/** What a scheduled report counts: stored filters, their names, and the checks of those that a body gives. */
import { type Member, seesOwned } from "../../core/access.ts";
import { type FieldError, forbidden, missingReference } from "../../core/errors.ts";
import { identifier, joined, type Sql, sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { type Filters, noFilters } from "../reports/question.ts";
import type { ScheduledReportBody } from "./schema.ts";

/** As a body gives them; an absent or empty list filters nothing. */
export interface ReportFilters {
  readonly relation_path_ids?: readonly string[];
  readonly lead_type_ids?: readonly string[];
  readonly lead_sources?: readonly string[];
  readonly group_ids?: readonly number[];
  readonly team_ids?: readonly number[];
}

const tables = {
  relation_path_ids: "relations_paths",
  lead_type_ids: "lead_types",
  group_ids: "groups",
  team_ids: "teams",
} as const;
type Name = keyof typeof tables;
const names = Object.keys(tables) as Name[];
const nouns: Readonly<Record<Name, string>> = {
  relation_path_ids: "relations path",
  lead_type_ids: "lead type",
  group_ids: "group",
  team_ids: "team",
};

/** Keeps the lists that filter something. */
export function filtersOf(given: ScheduledReportBody["filters"]): ReportFilters {
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

/**
 * Reads `names`: JSON of the named records that exist, `{relation_path_ids: [{id, name}], …}`; and `owners`: JSON of
 * the owners of the paths and lead types among them.
 */
export function namesRead(companyId: number, filters: ReportFilters): Statement {
  const json = sql`${JSON.stringify(filters)}`;
  return sql`select ${namesSql(sql`${companyId}`, json)} as names, (select json_group_array(json_object(
      'id', x.id, 'team_id', x.team_id, 'group_id', x.group_id)) from (
        select p.id, p.team_id, p.group_id from relations_paths p
          where p.company_id = ${companyId} and p.id in (select value from json_each(${json}, '$.relation_path_ids'))
        union all select t.id, t.team_id, null from lead_types t
          where t.company_id = ${companyId} and t.id in (select value from json_each(${json}, '$.lead_type_ids'))) x) as owners`;
}

/** SQL: the same over filters as JSON (SQL). */
export function namesSql(companyId: Sql, filters: Sql): Sql {
  const parts = names.map((name) =>
    sql`${name}, json((select json_group_array(json_object('id', x.id, 'name', x.name))
      from json_each(${filters}, ${`$.${name}`}) g join ${identifier(tables[name])} x on x.id = g.value
      where x.company_id = ${companyId}))`
  );
  return sql`json_object(${joined(parts, ", ")})`;
}

export type FilterNames = Readonly<
  Record<Name, readonly { readonly id: string | number; readonly name: string }[]>
>;

export function namesOf(text: string): FilterNames {
  return JSON.parse(text) as FilterNames;
}

interface Owned {
  readonly id: string;
  readonly team_id: number | null;
  readonly group_id: number | null;
}

/** Adds an error for each filter that names what does not exist, or what the caller does not see. */
export function checkFilters(
  caller: Member,
  filters: ReportFilters,
  found: Result,
  errors: FieldError[],
): void {
  const { names: text, owners } = found.rows[0]!;
  const known = namesOf(String(text));
  const hidden = new Set<string | number>(
    (JSON.parse(String(owners)) as Owned[]).filter((owned) => !seesOwned(caller, owned)).map(({ id }) => id),
  );
  for (const name of names) {
    const there = new Set(known[name].map(({ id }) => id).filter((id) => !hidden.has(id)));
    filters[name]?.forEach((id, index) => {
      if (!there.has(id)) errors.push(missingReference(`filters.${name}[${index}]`, nouns[name]));
    });
  }
}

/** The filters of the question. */
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
