/** The cases that a deprecated report counts. */
import type { Member } from "../../core/access.ts";
import { makeTeamScope, testScope } from "../../db/scope.ts";
import { joinSql, type Sql, sql } from "../../db/statements.ts";
import type { PerformanceQuery } from "./schema.ts";

type Chosen = Partial<Omit<PerformanceQuery, "start_date" | "end_date">>;

/** SQL over `cases cs`: whether the case is open, visible and one that the parameters choose. */
export function isChosenOpenCase(caller: Member, chosen: Chosen): Sql {
  const { users, teams, relations_path_id, lead_type_id } = chosen;
  const among = (column: Sql, ids: readonly (string | number)[] | undefined) =>
    ids === undefined ? [] : [sql`${column} in (select value from json_each(${JSON.stringify(ids)}))`];
  return joinSql([
    sql`cs.status = 'open' and ${testScope(makeTeamScope(caller), "cs")}`,
    ...among(sql`cs.user_id`, users),
    ...among(sql`cs.team_id`, teams),
    ...among(sql`cs.relations_path_id`, relations_path_id),
    ...among(sql`cs.lead_type_id`, lead_type_id),
    ...limitToProducts(chosen),
  ], " and ");
}

/** SQL: whether one of the products of the case is one of these or in one of the categories. */
function limitToProducts({ products, categories }: Chosen): Sql[] {
  if (products === undefined && categories === undefined) return [];
  return [
    sql`exists (select 1 from json_each(cs.product_ids) p
      where p.value in (${selectChosenProducts({ products, categories })}))`,
  ];
}

/** SQL: the ids of the products and of those of the categories. */
export function selectChosenProducts({ products = [], categories = [] }: Chosen): Sql {
  return sql`select value from json_each(${JSON.stringify(products)}) union
    select i.product_id from products_in_categories i where i.category_id in (
      select value from json_each(${JSON.stringify(categories)}))`;
}
