/** The filters that the lists of accounts and of contacts have in common. */
import type { Context } from "../db/context.ts";
import { createdWithin, type Sort } from "../lists/pages.ts";
import { searched } from "../lists/search.ts";
import { indexed, raw, rawSql, type Sql, sql } from "../db/statements.ts";

export interface ListConditions {
  readonly search?: string | undefined;
  readonly groups?: readonly number[] | undefined;
  readonly teams?: readonly number[] | undefined;
  readonly start_at?: string | undefined;
  readonly end_at?: string | undefined;
}

/** Rows whose column has one of the values; they are found by its index in the company. */
export function whereIn(column: string, values: readonly (string | number)[] | undefined): Sql[] {
  if (values === undefined) return [];
  return [
    indexed("in company", sql`${rawSql(column)} in (select value from json_each(${JSON.stringify(values)}))`),
  ];
}

/** By team, group, time of making and words, over rows of the alias; `index` is their full-text index. */
export function listConditions(
  ctx: Context,
  alias: string,
  index: string,
  query: ListConditions,
  sort: Sort,
): Sql[] {
  const conditions: Sql[] = [];
  if (query.teams) {
    conditions.push(
      sql`${rawSql(alias)}.team_id in (select value from json_each(${JSON.stringify(query.teams)}))`,
    );
  }
  if (query.groups) {
    const ofGroups =
      `${alias}.team_id in (select t.id from teams t where t.group_id in (select value from json_each(?)))`;
    conditions.push(raw(ofGroups, JSON.stringify(query.groups)));
  }
  conditions.push(...createdWithin(alias, query, sort));
  conditions.push(...searched(`${alias}.seq`, index, `c${ctx.caller.companyId}z`, query.search));
  return conditions;
}
