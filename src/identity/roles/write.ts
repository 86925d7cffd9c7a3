import { type FieldError, fieldError } from "../../core/errors.ts";
import { isRight, rightEntry } from "../../core/rights.ts";
import { remove, type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { userRoles } from "./table.ts";

export const nameTaken = fieldError("name", "unique", "The company already has a role of this name.");

/** Errors of names that are not rights, that roles cannot have, or whose dependencies are missing. */
export function faultsOf(names: readonly string[]): FieldError[] {
  const named = new Set(names);
  return names.flatMap((name, index) => {
    const refused = refusalOf(name, named);
    return refused === null ? [] : fieldError(`rights[${index}]`, ...refused);
  });
}

function refusalOf(name: string, named: ReadonlySet<string>): ["enum" | "required", string] | null {
  if (!isRight(name)) return ["enum", "Must be the name of a right."];
  const { assignable, dependencies } = rightEntry(name);
  if (!assignable) return ["enum", "Roles cannot have this right."];
  const lacking = dependencies.filter((needed) => !named.has(needed));
  return lacking.length === 0 ? null : ["required", `Depends on ${lacking.join(", ")}.`];
}

export function grant(roleId: Sql, rights: readonly string[]): Statement {
  return sql`insert into role_rights (role_id, right_name) select ${roleId}, value from json_each(${
    JSON.stringify(rights)
  })`;
}

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
