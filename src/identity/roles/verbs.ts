/** Reading and writing roles. What a role grants holds for its users at once. */
import { type Answer, created, ok } from "../../core/answer.ts";
import { type FieldError, fieldError, invalid, notFound } from "../../core/errors.ts";
import { isRight, rightEntry } from "../../core/rights.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { insert, lastId, remove, type Sql, sql, updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { requireReach } from "../permissions.ts";
import { presentDeleteImpact, presentRole } from "./present.ts";
import { readRole, roleById, roleByName, type RoleRecord, usersOfRole } from "./queries.ts";
import type { RoleBody, RoleChange } from "./schema.ts";
import { roleRights, roles } from "./table.ts";

export async function getRole(ctx: Context, id: number): Promise<Answer> {
  const [found] = await ctx.deps.db.read([roleById(ctx.caller.companyId, id)]);
  const row = found!.rows[0];
  if (!row) throw notFound();
  return ok(presentRole(readRole(row)));
}

/** How many users a deletion would take the role from. */
export async function getDeleteImpact(ctx: Context, id: number): Promise<Answer> {
  const [found, users] = await ctx.deps.db.read([roleById(ctx.caller.companyId, id), usersOfRole(id)]);
  if (!found!.rows[0]) throw notFound();
  return ok(presentDeleteImpact(users!.rows[0]!.n as number));
}

/** 201 with the role. 422 for a name that the company has, and for rights that a role cannot have. */
export async function createRole(ctx: Context, body: RoleBody): Promise<Answer> {
  requireReach(ctx.caller, "roles.write");
  const company_id = ctx.caller.companyId;
  const [taken] = await ctx.deps.db.read([roleByName(company_id, body.name)]);
  const rights = [...new Set(body.rights ?? [])];
  const errors = faultsOf(body.rights ?? []);
  if (taken!.rows.length > 0) errors.push(nameTaken);
  if (errors.length > 0) throw invalid(...errors);
  const row = { company_id, name: body.name, created_at: ctx.at, updated_at: ctx.at, version: 1 };
  return await commit(ctx, {
    statements: [insert(roles, row), grant(lastId(roles), rights)],
    answer: created(presentRole({ ...row, id: null, rights })),
    idFrom: roles,
  });
}

/** 200 with the role as it is now. */
export async function updateRole(ctx: Context, id: number, body: RoleChange): Promise<Answer> {
  requireReach(ctx.caller, "roles.write");
  const { companyId } = ctx.caller;
  const [found, holder] = await ctx.deps.db.read([
    roleById(companyId, id),
    roleByName(companyId, body.name ?? ""),
  ]);
  const row = found!.rows[0];
  if (!row) throw notFound();
  const before = readRole(row);
  checkMatch(ctx, () => presentRole(before));
  const errors = faultsOf(body.rights ?? []);
  if (holder!.rows.some((other) => other.id !== id)) errors.push(nameTaken);
  if (errors.length > 0) throw invalid(...errors);
  const after: RoleRecord = {
    ...before,
    name: body.name ?? before.name,
    rights: body.rights === undefined ? before.rights : [...new Set(body.rights ?? [])],
    updated_at: ctx.at,
  };
  return await commit(ctx, {
    statements: [
      updateVersioned(roles, { name: after.name, updated_at: ctx.at }, before),
      guardChanged("stale"),
      ...(body.rights === undefined
        ? []
        : [remove(roleRights, { role_id: id }), grant(sql`${id}`, after.rights)]),
    ],
    answer: ok(presentRole(after)),
  });
}

const nameTaken = fieldError("name", "unique", "The company has a role of this name.");

/** Rights that are none, that no role can have, or that lack one that they depend on. */
function faultsOf(names: readonly string[]): FieldError[] {
  const named = new Set(names);
  return names.flatMap((name, index) => {
    const refused = refusalOf(name, named);
    return refused === null ? [] : fieldError(`rights[${index}]`, ...refused);
  });
}

function refusalOf(name: string, named: ReadonlySet<string>): ["enum" | "required", string] | null {
  if (!isRight(name)) return ["enum", "There is no such right."];
  const { assignable, dependencies } = rightEntry(name);
  if (!assignable) return ["enum", "No role can have this right."];
  const lacking = dependencies.filter((needed) => !named.has(needed));
  return lacking.length === 0 ? null : ["required", `Depends on ${lacking.join(", ")}.`];
}

function grant(roleId: Sql, rights: readonly string[]): Statement {
  return sql`insert into role_rights (role_id, right_name) select ${roleId}, value from json_each(${
    JSON.stringify(rights)
  })`;
}
