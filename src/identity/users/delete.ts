/** Deleting a user: the records stay, and what was open goes to somebody else. */
import { type Answer, noContent } from "../../core/answer.ts";
import { conflict, invalid, missingReference, notFound } from "../../core/errors.ts";
import { userTypes } from "../../core/rights.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardVersions } from "../../db/guards.ts";
import { dropObjects } from "../../db/objects.ts";
import { remove, sql, updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { endTokensOf } from "../auth/revoke.ts";
import { requireReach } from "../permissions.ts";
import { takeRoles } from "../roles/write.ts";
import { leaveTeams } from "../teams/write.ts";
import { beginReassignment, continueReassignments, redirectReassignments } from "./reassignment.ts";
import { guardShown, userEvent } from "./write.ts";
import { reassignAll, type UserReassignment } from "./deletion.ts";
import { presentUser } from "./present.ts";
import { guardOtherAdmin, otherAdmin, readUser, userById, type UserPlace } from "./queries.ts";
import { passwordResets, users } from "./table.ts";
import { checkCompany } from "./permitted.ts";

/** 204. `assignTo` is the id of the user who gets what was open; without one it stays. */
export async function deleteUser(
  ctx: Context,
  at: UserPlace,
  assignTo: number | undefined,
  legacies: readonly UserReassignment[],
): Promise<Answer> {
  checkCompany(ctx, at.company_id);
  requireReach(ctx.caller, "users.delete");
  const { company_id, user_id } = at;
  const passing = { company_id, user_id, heir_id: assignTo ?? null };
  const unseen = assignTo === undefined ? [] : legacies.flatMap((legacy) => legacy.unseen?.(passing) ?? []);
  const [found, heirFound, admins, ...results] = await ctx.deps.db.read([
    userById(company_id, user_id),
    userById(company_id, assignTo ?? null),
    otherAdmin(company_id, user_id),
    ...unseen,
    ...legacies.flatMap((legacy) => legacy.reads(passing)),
  ]);
  const row = found!.rows[0];
  if (!row) throw notFound();
  const user = readUser(row);
  const presented = presentUser(user, ctx);
  checkMatch(ctx, () => presented);
  const heir = heirOf(heirFound!.rows[0]);
  const lost = results.slice(0, unseen.length).some(({ rows }) => rows.length > 0);
  if (assignTo !== undefined && (!heir || heir.id === user_id || lost)) {
    throw invalid(missingReference("query.assign_to", "user who sees all that is open"));
  }
  const isAdmin = user.user_type === userTypes.admin;
  if (isAdmin && admins!.rows.length === 0) {
    throw conflict("last_admin", "This is the last admin of the company.");
  }

  const passed = reassignAll(legacies, ctx, passing, heir, results.slice(unseen.length));
  const answer = await commit(ctx, {
    statements: [
      ...guardShown(user),
      guardVersions("users", heir ? [heir] : []),
      ...(isAdmin ? [guardOtherAdmin(company_id, user_id)] : []),
      updateVersioned(
        users,
        { deleted_at: ctx.at, updated_at: ctx.at, profile_picture: null },
        { ...user, id: user_id },
      ),
      guardChanged("stale"),
      dropObjects(ctx.now, [user.profile_picture]),
      sql`delete from users_search where rowid = ${user_id}`,
      leaveTeams(user_id),
      takeRoles(user_id),
      ...endTokensOf(user_id),
      remove(passwordResets, { user_id }),
      redirectReassignments(passing),
      ...passed.statements,
      ...(passed.more ? [beginReassignment(ctx, passing)] : []),
    ],
    events: [userEvent("user_deleted", user, presented), ...passed.events],
    notifications: passed.notices,
    answer: noContent,
  });
  if (passed.more) ctx.deps.background.run(() => continueReassignments(ctx.deps, ctx.now, legacies));
  return answer;
}

function heirOf(row: Parameters<typeof readUser>[0] | undefined) {
  if (!row) return null;
  const { id, version, first_name, last_name } = readUser(row);
  return { id: id!, version, name: `${first_name} ${last_name}` };
}
