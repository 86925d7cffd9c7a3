/** The lead types with a relations path. They show their paths, so they change with them and share a budget. */
import { pathsBudget } from "../../core/budgets.ts";
import { fieldError, invalid } from "../../core/errors.ts";
import { type Sql, sql } from "../../db/statements.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";

const pathIds = sql`select path.value from json_each(relations_path_ids) path`;
const pathBytes =
  sql`(select sum(p.bytes) from json_each(relations_path_ids) e join relations_paths p on p.id = e.value)`;

/** SQL after `from`: the lead types with the path. A company has few. */
export function composeLeadTypeRows(pathId: Sql, companyId: number): Sql {
  return sql`lead_types where company_id = ${companyId} and ${pathId} in (${pathIds})`;
}

/** Increments the version of the lead types with one of the paths (a select). */
export function touchLeadTypes(companyId: number, paths: Sql): Statement {
  return sql`update lead_types set version = version + 1 where company_id = ${companyId} and exists
    (${pathIds} where path.value in (${paths}))`;
}

/** The read of `checkLeadTypesFit`: the largest lead type with the path. */
export function selectLargestLeadType(companyId: number, pathId: string): Statement {
  return sql`select name, ${pathBytes} as bytes from ${composeLeadTypeRows(sql`${pathId}`, companyId)}
    order by bytes desc limit 1`;
}

/** Throws 422 `max` when `more` bytes would let a lead type with the path grow beyond the budget. */
export function checkLeadTypesFit({ rows: [largest] }: Result, more: number): void {
  if (!largest) return;
  const size = Number(largest.bytes) + more;
  if (size <= pathsBudget) return;
  throw invalid(
    fieldError("activity_types", "max", `Lead type ${largest.name}: ${explainPathsTooLarge(size)}`),
  );
}

/** Rejects the batch when the paths of a lead type with this path exceed the budget together. */
export function guardLeadTypesFit(companyId: number, pathId: string): Statement {
  return guardThat(
    "lead_type_size",
    sql`not exists (select 1 from ${composeLeadTypeRows(sql`${pathId}`, companyId)}
      and ${pathBytes} > ${pathsBudget})`,
  );
}

export function explainPathsTooLarge(size: number): string {
  return `The relations paths of a lead type would take ${size} bytes together; at most ${pathsBudget}.`;
}
