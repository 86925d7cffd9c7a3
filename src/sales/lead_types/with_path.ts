/** Lead types by relations path. They show their paths, so they change with them. */
import { rawSql, type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";

const named = "select named.value from json_each(relations_path_ids) named";

/** SQL after `from`: the lead types with the path. A company has few. */
export function leadTypesWithPath(companyId: number, pathId: string): Sql {
  return sql`lead_types where company_id = ${companyId} and ${pathId} in (${rawSql(named)})`;
}

/** Increments the version of the lead types with one of the paths (a select). */
export function touchLeadTypes(companyId: number, paths: Sql): Statement {
  return sql`update lead_types set version = version + 1 where company_id = ${companyId} and exists
    (${rawSql(named)} where named.value in (${paths}))`;
}
