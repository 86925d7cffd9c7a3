/** Deletes a user. The user's records remain, and open ones go to the successor. */
import { noContent } from "../../core/answer.ts";
import { conflict, invalid, missingReference, notFound } from "../../core/errors.ts";
import { userTypes } from "../../core/rights.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { dropObjects } from "../../db/objects.ts";
import { sql, updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { listStatements, readPayload, takeFirst, withFirstStep } from "../../staged/first_step.ts";
import { runStaged } from "../../staged/run.ts";
import { beginWork, redirectWork } from "../../staged/work.ts";
import { endManyTokens, readManyTokens } from "../tokens/end_many.ts";
import { requireReach } from "../permissions.ts";
import { describeUserReassignment, readSuccessor, reassignUser } from "./reassignment.ts";
import { draftUserEvent, guardShown } from "./write.ts";
import type { UserReassignment } from "./deletion.ts";
import { presentUser } from "./present.ts";
import { guardOtherAdmin, otherAdmin, readUser, selectUserById, type UserPlace } from "./queries.ts";
import { users } from "./record.ts";
import { checkCompany } from "./check_company.ts";

/** Returns 204. `assignTo` is the id of the successor, who gets the open records; see `DeleteUserQuery`. */
export async function deleteUser(
  ctx: Context,
  at: UserPlace,
  assignTo: number | undefined,
  reassignments: readonly UserReassignment[],
) {
  checkCompany(ctx, at.company_id);
  requireReach(ctx.caller, "users.delete");
  const { company_id, user_id } = at;
  const successor_id = assignTo ?? null;
  const deletion = { company_id, user_id, successor_id };
  const unseen = successor_id === null ? [] : reassignments.flatMap((part) => part.unseen?.(deletion) ?? []);
  const plan = reassignUser(reassignments, deletion, takeFirst);
  const [found, admins, accessTokens, refreshTokens, ...results] = await ctx.deps.db.read([
    selectUserById(company_id, user_id),
    otherAdmin(company_id, user_id),
    ...readManyTokens({ user_id }),
    ...unseen,
    ...plan.reads,
  ]);
  const row = found!.rows[0];
  if (!row) throw notFound();
  const user = readUser(row);
  const presented = presentUser(user, ctx);
  checkMatch(ctx, () => presented);
  const [hidden, planned] = [results.slice(0, unseen.length), results.slice(unseen.length)];
  const successor = readSuccessor(planned[0]!);
  const seesAll = hidden.every(({ rows }) => rows.length === 0);
  if (successor_id !== null && (!successor || successor.id === user_id || !seesAll)) {
    throw invalid(missingReference("query.assign_to", "user who sees all that is open"));
  }
  const isAdmin = user.user_type === userTypes.admin;
  if (isAdmin && admins!.rows.length === 0) {
    throw conflict("last_admin", "This is the last admin of the company.");
  }
  await endManyTokens(ctx, { user_id }, ctx.caller.tokenId, [accessTokens!, refreshTokens!]);

  const kind = describeUserReassignment(reassignments);
  return await withFirstStep(() => plan.apply(ctx, planned), async (step) => {
    const answer = await commit(ctx, {
      statements: [
        ...guardShown(user),
        ...(isAdmin ? [guardOtherAdmin(company_id, user_id)] : []),
        updateVersioned(
          users,
          { deleted_at: ctx.at, updated_at: ctx.at, ...makeClearedColumns(user_id) },
          { ...user, id: user_id },
        ),
        guardChanged("stale"),
        dropObjects(ctx.now, [user.profile_picture]),
        sql`delete from users_search where rowid = ${user_id}`,
        ...ctx.deps.deleteNaming("user", sql`${user_id}`),
        ...ctx.deps.clearNaming(ctx, "user", { company_id, id: user_id }),
        redirectWork(kind, company_id, { from: user_id, to: successor_id }),
        ...listStatements(step),
        ...(step.more
          ? [
            beginWork(ctx, kind, {
              company_id,
              subject: user_id,
              payload: readPayload(step, { successor_id }),
            }),
          ]
          : []),
      ],
      events: [draftUserEvent("user_deleted", user, presented), ...step.events],
      notifications: step.notifications,
      answer: noContent,
    });
    if (step.more) ctx.deps.background.run(() => runStaged(ctx.deps, ctx.now, [kind], user_id));
    return answer;
  });
}

/** What no record needs any more. The name stays, because records and figures show who they belong to. */
function makeClearedColumns(userId: number) {
  return {
    email: "",
    email_key: `deleted:${userId}`,
    phone_number: null,
    job_title: null,
    profile_picture: null,
    signature_email: null,
    password_hash: null,
    sso_user_id: null,
  };
}
