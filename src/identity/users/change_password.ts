import { and, eq } from "drizzle-orm";
import { ok } from "../../core/answer.ts";
import { fieldError, forbidden, invalid, notFound } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { drizzle, type Param, prepareQuery } from "../../db/prepared_statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { makeOldPasswordLimits } from "../attempts/limits.ts";
import { Attempts } from "../attempts/attempts.ts";
import { endOtherTokens } from "../tokens/revoke.ts";
import { checkCompany } from "./check_company.ts";
import { presentUser } from "./present.ts";
import { readUser, selectUserById, type UserPlace } from "./queries.ts";
import type { ChangePassword } from "./schema.ts";
import { setPassword } from "./sign_in.ts";
import { users } from "./record.ts";
import { guardShown } from "./write.ts";

/** Changes the caller's own password, and ends all their tokens except that of this call. */
export async function changePassword(ctx: Context, at: UserPlace, body: ChangePassword) {
  checkCompany(ctx, at.company_id);
  const attempts = new Attempts(ctx, makeOldPasswordLimits(ctx.caller.userId, ctx.address()));
  const [found, kept, failed] = await ctx.deps.db.read([
    selectUserById(at.company_id, at.user_id),
    passwordOf(at.company_id, at.user_id),
    attempts.read,
  ]);
  const row = found!.rows[0];
  if (!row) throw notFound();
  if (at.user_id !== ctx.caller.userId) throw forbidden("You can change only your own password.");
  const user = readUser(row);
  const presented = presentUser(user, ctx);
  checkMatch(ctx, () => presented);
  attempts.check(failed!);
  const stored = passwordOf.row(kept)!.password_hash;
  if (!await ctx.deps.passwords.verify(body.old_password, stored, ctx.address())) {
    await attempts.countFailure();
    throw invalid(fieldError("old_password", "format", "Must be your current password."));
  }
  const password_hash = await ctx.deps.passwords.hash(body.new_password, ctx.address());
  return await commit(ctx, {
    statements: [
      attempts.guard,
      ...guardShown(user),
      ...setPassword({ ...user, id: at.user_id }, password_hash),
      ...endOtherTokens(at.user_id, ctx.caller.tokenId),
    ],
    answer: ok(presented),
  });
}

const passwordOf = prepareQuery((companyId: Param<number>, id: Param<number>) =>
  drizzle.select({ password_hash: users.password_hash }).from(users)
    .where(and(eq(users.id, id), eq(users.company_id, companyId)))
);
