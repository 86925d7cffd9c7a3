import { and, eq } from "drizzle-orm";
import { type FieldError, fieldError } from "../../core/errors.ts";
import { findRightEntry, isRight } from "../../core/rights.ts";
import { drizzle, inList, type Param, prepareQuery } from "../../db/prepared_statements.ts";
import { remove, type Sql, sql } from "../../db/statements.ts";
import type { Author } from "../../db/commit.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { type RoleRow, roles, userRoles } from "./record.ts";

export const nameTaken = fieldError("name", "unique", "The company already has a role of this name.");

/** Errors of names that are not rights, that roles cannot have, or whose dependencies are missing. */
export function findRightFaults(names: readonly string[]): FieldError[] {
  const named = new Set(names);
  return names.flatMap((name, index) => {
    const refused = findRefusal(name, named);
    return refused === null ? [] : fieldError(`rights[${index}]`, ...refused);
  });
}

function findRefusal(name: string, named: ReadonlySet<string>): ["enum" | "required", string] | null {
  if (!isRight(name)) return ["enum", "Must be the name of a right."];
  const { assignable, dependencies } = findRightEntry(name);
  if (!assignable) return ["enum", "Roles cannot have this right."];
  const lacking = dependencies.filter((needed) => !named.has(needed));
  return lacking.length === 0 ? null : ["required", `Depends on ${lacking.join(", ")}.`];
}

export function grant(roleId: Sql, rights: readonly string[]): Statement {
  return sql`insert into role_rights (role_id, right_name) select ${roleId}, value
    from json_each(${JSON.stringify(rights)})`;
}

/** Gives the user the roles. */
export function assignRoles(userId: Sql, roleIds: readonly number[]): Statement {
  return sql`insert into user_roles (user_id, role_id) select ${userId}, value
    from json_each(${JSON.stringify(roleIds)})`;
}

/** Takes all roles from the user. */
export function takeRoles(userId: number): Statement {
  return remove(userRoles, { user_id: userId });
}

/** Takes the role from the users. */
export const takeRole = prepareQuery((roleId: Param<number>, userIds: Param<readonly number[]>) =>
  drizzle.delete(userRoles).where(and(eq(userRoles.role_id, roleId), inList(userRoles.user_id, userIds)))
);

/** Deletes a role that no user has, unless it has changed since it was read. */
export function removeRole(
  { deps }: Pick<Author, "deps">,
  { id, company_id, version }: RoleRow,
): Statement[] {
  return [
    ...deps.deleteNaming("role", sql`${id}`),
    remove(roles, { id, company_id, version }),
    guardChanged("stale"),
  ];
}
