/** Lead types by the relations paths that they have. They show those, so they change with them. */
import { raw, type Sql, statement } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";

const named = "select named.value from json_each(relations_path_ids) named";

/** SQL: the lead types with the path, as what follows `from`. A company has few. */
export function typesWith(companyId: number, pathId: string): Sql {
  return raw(`lead_types where company_id = ? and ? in (${named})`, companyId, pathId);
}

/** Those with one of the paths (a select) have another version, though nothing of their own changes. */
export function touchTypes(companyId: number, paths: Sql): Statement {
  return statement(
    "update lead_types set version = version + 1 where company_id = ? and exists " +
      `(${named} where named.value in (${paths.text}))`,
    companyId,
    ...paths.args,
  );
}
