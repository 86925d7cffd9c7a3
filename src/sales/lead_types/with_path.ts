/** Lead types by relations path. They show their paths, so they change with them. */
import { type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";

const pathIds = sql`select path.value from json_each(relations_path_ids) path`;

/** SQL after `from`: the lead types with the path. A company has few. */
export function leadTypesWithPath(companyId: number, pathId: string): Sql {
  return sql`lead_types where company_id = ${companyId} and ${pathId} in (${pathIds})`;
}

/** Increments the version of the lead types with one of the paths (a select). */
export function touchLeadTypes(companyId: number, paths: Sql): Statement {
  return sql`update lead_types set version = version + 1 where company_id = ${companyId} and exists
    (${pathIds} where path.value in (${paths}))`;
}
