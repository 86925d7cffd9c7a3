/** Reads of roles. */
import { statement } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";

/** A role as its users show it. */
export interface RoleFacts {
  readonly id: number;
  readonly name: string;
  readonly created_at: string;
}

/** SQL: a user's roles as a JSON list of `RoleFacts`. */
export function rolesOfUserJson(userId: string): string {
  return "(select json_group_array(json_object('id', r.id, 'name', r.name, 'created_at', r.created_at) order by r.id) " +
    `from user_roles x join roles r on r.id = x.role_id where x.user_id = ${userId})`;
}

/** A role with what it grants, for whoever gives it to somebody. */
export interface GivenRole extends RoleFacts {
  readonly version: number;
  readonly rights: readonly string[];
}

/** The roles of the company among these ids; read with `readRoles`. */
export function rolesByIds(companyId: number, ids: readonly number[]): Statement {
  return statement(
    "select id, name, created_at, version, " +
      "(select json_group_array(right_name) from role_rights where role_id = roles.id) as rights from roles " +
      "where company_id = ? and id in (select value from json_each(?)) order by id",
    companyId,
    JSON.stringify(ids),
  );
}

export function readRoles(result: Result): GivenRole[] {
  return result.rows.map((row) => ({
    id: row.id as number,
    name: row.name as string,
    created_at: row.created_at as string,
    version: row.version as number,
    rights: JSON.parse(row.rights as string) as string[],
  }));
}
