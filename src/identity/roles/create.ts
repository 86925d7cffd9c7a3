import { created } from "../../core/answer.ts";
import { invalid } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardNumber } from "../../db/numbers.ts";
import { insert, selectLastId } from "../../db/statements.ts";
import { requireReach } from "../permissions.ts";
import { presentRole } from "./present.ts";
import { roleByName } from "./queries.ts";
import { makeInitial } from "../../records/members.ts";
import { type RoleBody, roleMembers, roles } from "./record.ts";
import { findRightFaults, grant, nameTaken } from "./write.ts";

/**
 * Returns 201 with the role. Throws 422 for a name that another role of the company has, and for rights that
 * roles cannot have.
 */
export async function createRole(ctx: Context, body: RoleBody) {
  requireReach(ctx.caller, "roles.write");
  const company_id = ctx.caller.companyId;
  const [taken] = await ctx.deps.db.read([roleByName(company_id, body.name)]);
  const rights = [...new Set(body.rights ?? [])];
  const errors = findRightFaults(body.rights ?? []);
  if (taken!.rows.length > 0) errors.push(nameTaken);
  if (errors.length > 0) throw invalid(...errors);
  const row = { ...makeInitial(roleMembers, body), company_id, created_at: ctx.at, updated_at: ctx.at };
  return await commit(ctx, {
    statements: [
      guardNumber("roles", ctx.caller.companyId),
      insert(roles, row),
      grant(selectLastId(roles), rights),
    ],
    answer: created(presentRole({ ...row, id: null, rights })),
    idFrom: roles,
  });
}
