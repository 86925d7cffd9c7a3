import { created } from "../../core/answer.ts";
import { type FieldError, invalid } from "../../core/errors.ts";
import { type Change, commit, type UserAuthor } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { asSeen } from "../../fields/field_sets.ts";
import { isRefused, mergeCustom, readFields, requireValues, valueAt } from "../../fields/values.ts";
import {
  choosePlacement,
  guardPlaced,
  readPlacement,
  selectPlacementFacts,
} from "../../identity/teams/placement.ts";
import type { Result } from "../../platform/database/database.ts";
import { refuseExternalId } from "../external_id.ts";
import { type AccountFacts, presentAccount } from "./present.ts";
import { selectIdOfAccount } from "./queries.ts";
import type { AccountBody } from "./record.ts";
import { checkTimes } from "../../http/validate.ts";
import { makeAccount } from "./write.ts";

/** Returns 201 with the account. */
export async function createAccount(ctx: Context, body: AccountBody) {
  const { companyId } = ctx.caller;
  const [holder, ...facts] = await ctx.deps.db.read([
    selectIdOfAccount(companyId, body.external_id),
    ...selectPlacementFacts(ctx.caller, body),
  ]);
  return await createDecidedAccount(ctx, body, holder!, facts);
}

/** Like `decideNewAccount`, and commits it. */
export async function createDecidedAccount(
  ctx: Context,
  body: AccountBody,
  holder: Result | null,
  facts: readonly Result[],
) {
  return await commit(ctx, decideNewAccount(ctx, body, holder, facts).change);
}

/** A decided change of an account. */
export interface DecidedAccount {
  readonly account: AccountFacts;
  readonly change: Change<ReturnType<typeof presentAccount>>;
}

/**
 * Decides how the account is made; throws what refuses it. `holder`: the account that has the body's external id, if
 * any; `facts`: results of `selectPlacementFacts`; `contact_name`: of the contact that is made with it.
 */
export function decideNewAccount(
  ctx: UserAuthor,
  body: AccountBody,
  holder: Result | null,
  facts: readonly Result[],
  contact_name: string | null = null,
): DecidedAccount {
  const errors: FieldError[] = [];
  const input = readFields(body, ctx.fields.seen.account, "", errors);
  const values = input.fixed;
  const custom = mergeCustom({}, input.custom, ctx.fields.seen.account, valueAt(body), errors);
  if (!body.b2c && !values.name && !isRefused(values, "name")) {
    requireValues("fixed_fields", "An account needs a name.", { name: "Ada Ltd" }, errors);
  }
  checkTimes(ctx, body, errors);
  if (errors.length > 0) throw invalid(...errors);
  const { caller } = ctx;
  const placing = readPlacement(facts);
  const placement = { ...choosePlacement(caller, body, placing), user_name: placing.user?.name ?? null };
  if (holder && holder.rows.length > 0) throw refuseExternalId();
  const { account, statements, event } = makeAccount(ctx, {
    ...body,
    ...placement,
    company_id: caller.companyId,
    values,
    custom,
    contact_name: body.b2c ? contact_name : null,
  });
  return {
    account,
    change: {
      statements: [guardPlaced(placing), ...statements],
      events: [event],
      answer: created(asSeen(ctx.fields, event.body, (fields) => presentAccount(account, fields))),
    },
  };
}
