import { remove, type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { userRoles } from "./table.ts";

/** Gives the user the roles. */
export function assignRoles(userId: Sql, roleIds: readonly number[]): Statement {
  return sql`insert into user_roles (user_id, role_id) select ${userId}, value from json_each(${
    JSON.stringify(roleIds)
  })`;
}

/** Takes all roles from the user. */
export function takeRoles(userId: number): Statement {
  return remove(userRoles, { user_id: userId });
}
