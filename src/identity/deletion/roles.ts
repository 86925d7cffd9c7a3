/** Deletes a role. Each user who loses it is updated, with an event. */
import { noContent } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { guardVersions, sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import { requireReach } from "../permissions.ts";
import { guardAllShown } from "../users/guard_all_shown.ts";
import { draftUserEvent, touchUsers } from "../users/write.ts";
import { presentUser } from "../users/present.ts";
import { readUser, selectUsersWithRole, type UserFacts } from "../users/queries.ts";
import { presentRole } from "../roles/present.ts";
import { readRole, selectRoleById } from "../roles/queries.ts";
import { removeRole, takeRole } from "../roles/write.ts";

/** The most users who lose the role in one batch, so that it holds the write lock for well under 100 ms. */
const mostUsers = 200;

/**
 * Returns 204, and sends `user_updated` for each user of the role. If the role has very many users, most lose
 * it in separate batches before the deletion.
 */
export async function deleteRole(ctx: Context, id: number) {
  requireReach(ctx.caller, "roles.write");
  for (;;) {
    const [found, holders] = await ctx.deps.db.read([
      selectRoleById(ctx.caller.companyId, id),
      selectUsersWithRole(id, mostUsers + 1),
    ]);
    const row = found!.rows[0];
    if (!row) throw notFound();
    const role = readRole(row);
    checkMatch(ctx, () => presentRole(role));
    const users = holders!.rows.map(readUser);
    const { statements, events } = removeRoleFromUsers(ctx, id, users.slice(0, mostUsers));
    if (users.length > mostUsers) {
      await commit({ ...ctx, idempotency: null }, { statements, events, answer: noContent });
      continue;
    }
    return await commit(ctx, {
      statements: [
        ...statements,
        guardThat(
          "users",
          sql`not exists (select 1 from user_roles x join users u on u.id = x.user_id
            where x.role_id = ${id} and u.deleted_at is null)`,
        ),
        ...ctx.deps.clearNaming(ctx, "role", role),
        ...removeRole(ctx, role),
      ],
      events,
      answer: noContent,
    });
  }
}

function removeRoleFromUsers(
  ctx: Context,
  roleId: number,
  users: readonly UserFacts[],
): { statements: Statement[]; events: EventDraft[] } {
  const after = users.map((user): UserFacts => ({
    ...user,
    roles: user.roles.filter(({ id }) => id !== roleId),
    updated_at: ctx.at,
  }));
  const ids = users.map(({ id }) => id!);
  return {
    statements: [
      guardVersions("users", users),
      ...guardAllShown(after),
      takeRole(roleId, ids),
      touchUsers(ctx.at, ids),
    ],
    events: after.map((user) => draftUserEvent("user_updated", user, presentUser(user, ctx))),
  };
}
