import { ok } from "../../core/answer.ts";
import { invalid, notFound } from "../../core/errors.ts";
import { markShown } from "../../db/alters.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { remove, sql, updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { requireReach } from "../permissions.ts";
import { presentRole } from "./present.ts";
import { readRole, roleByName, type RoleRecord, selectRoleById } from "./queries.ts";
import { makeChanges } from "../../records/members.ts";
import { type RoleChange, roleMembers, roleRights, roles } from "./record.ts";
import { findRightFaults, grant, nameTaken } from "./write.ts";

/** Returns 200 with the updated role. */
export async function updateRole(ctx: Context, id: number, body: RoleChange) {
  requireReach(ctx.caller, "roles.write");
  const { companyId } = ctx.caller;
  const [found, holder] = await ctx.deps.db.read([
    selectRoleById(companyId, id),
    roleByName(companyId, body.name ?? ""),
  ]);
  const row = found!.rows[0];
  if (!row) throw notFound();
  const before = readRole(row);
  checkMatch(ctx, () => presentRole(before));
  const errors = findRightFaults(body.rights ?? []);
  if (holder!.rows.some((other) => other.id !== id)) errors.push(nameTaken);
  if (errors.length > 0) throw invalid(...errors);
  const set = { ...makeChanges(roleMembers, body, before), updated_at: ctx.at };
  const after: RoleRecord = {
    ...before,
    ...set,
    rights: body.rights === undefined ? before.rights : [...new Set(body.rights ?? [])],
  };
  return await commit(ctx, {
    statements: [
      updateVersioned(roles, set, before),
      guardChanged("stale"),
      ...(body.rights === undefined
        ? []
        : markShown([remove(roleRights, { role_id: id }), grant(sql`${id}`, after.rights)])),
    ],
    answer: ok(presentRole(after)),
  });
}
