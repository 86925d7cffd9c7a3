import { mayPlaceInto } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { type FieldError, fieldError, invalid, missingReference } from "../../core/errors.ts";
import { commit, type UserAuthor } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { asSeen } from "../../fields/field_sets.ts";
import { selectVisibleTeamIds } from "../../db/scope.ts";
import { type Sql, sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { mergeCustom, readFields, valueAt } from "../../fields/values.ts";
import { guardPlaced, readPlacement, selectPlacementFacts } from "../../identity/teams/placement.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";
import { refuseExternalId } from "../external_id.ts";
import type { DecidedAccount } from "./create.ts";
import { displayName, selectContactName } from "./display_name.ts";
import { type AccountFacts, presentAccount } from "./present.ts";
import { requireAccount, selectAccountById, selectIdOfAccount } from "./queries.ts";
import { type AccountChange, accountMembers } from "./record.ts";
import { type AccountValues, changeAccount } from "./write.ts";
import { makeChanges } from "../../records/members.ts";

/** Returns 200 with the updated account. Properties that the body leaves out keep their values. */
export async function updateAccount(ctx: Context, id: string, body: AccountChange) {
  const { companyId } = ctx.caller;
  const [found, holder, ...results] = await ctx.deps.db.read([
    selectAccountById(companyId, id),
    selectIdOfAccount(companyId, body.external_id),
    ...selectAccountUpdateFacts(ctx, sql`${id}`, body),
  ]);
  return await updateDecidedAccount(ctx, requireAccount(ctx, found!), body, holder!, results);
}

/** The reads that `updateDecidedAccount` needs besides the account. `id` is an expression for the account's id. */
export function selectAccountUpdateFacts(
  ctx: Pick<Context, "caller">,
  id: Sql,
  body: AccountChange,
): Statement[] {
  return [selectSharingTeam(ctx.caller.companyId, id, body), ...selectPlacementFacts(ctx.caller, body)];
}

/** Like `decideAccountUpdate`, for the version that the call names, and commits it. */
export async function updateDecidedAccount(
  ctx: Context,
  before: AccountFacts,
  body: AccountChange,
  holder: Result | null,
  results: readonly Result[],
) {
  checkMatch(ctx, () => presentAccount(before, ctx.fields.seen));
  return await commit(ctx, decideAccountUpdate(ctx, before, body, holder, results).change);
}

/**
 * Decides how the account changes; throws what refuses it. `holder`: the account that has the body's external id, if
 * any; `results`: of `selectAccountUpdateFacts`.
 */
export function decideAccountUpdate(
  ctx: UserAuthor,
  before: AccountFacts,
  body: AccountChange,
  holder: Result | null,
  results: readonly Result[],
): DecidedAccount {
  const { caller } = ctx;
  const { id } = before;
  const errors: FieldError[] = [];
  const stored = { fixed: { ...before }, custom: JSON.parse(before.custom) };
  const input = readFields(body, ctx.fields.seen.account, "", errors, stored);
  const values = ownValues(before, input.fixed);
  const custom = mergeCustom(
    stored.custom,
    input.custom,
    ctx.fields.seen.account,
    valueAt(body),
    errors,
  );
  if (values.name === null && before.b2c === 0) {
    errors.push(fieldError("fixed_fields", "required", "An account needs a name."));
  }
  if (holder?.rows.some((row) => row.id !== id)) throw refuseExternalId();
  const unnamed = values.name === null && before.name !== null;
  const [sharing, ...facts] = results;
  const { team, user, own } = readPlacement(facts);
  const guards: Statement[] = unnamed ? [guardContactName(before)] : [];
  const moved: Partial<Pick<AccountFacts, "team_id" | "user_id" | "user_name">> = {};
  if (body.team_id !== undefined && body.team_id !== before.team_id) {
    if (body.team_id !== null && (!team || !mayPlaceInto({ ...caller, ...own }, team))) {
      errors.push(missingReference("team_id", "team"));
    }
    moved.team_id = body.team_id;
    guards.push(guardPlaced({ team, user: null }));
  }
  if (body.user_id !== undefined && body.user_id !== before.user_id) {
    const team_id = body.team_id === undefined ? before.team_id : body.team_id;
    if (body.user_id !== null && !user) errors.push(missingReference("user_id", "user"));
    else if (body.user_id !== null && team_id !== null && sharing!.rows.length === 0) {
      errors.push(
        fieldError("user_id", "exists", "The user is neither in the account's team nor in its group."),
      );
    }
    if (body.user_id !== null) {
      guards.push(guardPlaced({ team: null, user }));
      if (team_id !== null) {
        const shares = selectSharingTeam(caller.companyId, sql`${id}`, body);
        guards.push(guardThat("shares", sql`exists (${shares})`));
      }
    }
    moved.user_id = body.user_id;
    moved.user_name = body.user_id === null ? null : user?.name ?? null;
  }
  if (errors.length > 0) throw invalid(...errors);
  const changes = { ...makeChanges(accountMembers, body, before), ...moved };
  const { account, statements, event } = changeAccount(ctx, before, values, changes, custom);
  return {
    account,
    change: {
      statements: [...guards, ...statements],
      events: [event],
      answer: ok(asSeen(ctx.fields, event.body, (fields) => presentAccount(account, fields))),
    },
  };
}

/** Drops a given name that only repeats the contact's name. It must not become the account's own name. */
function ownValues(before: AccountFacts, values: AccountValues): AccountValues {
  if (before.name !== null || !values.name || values.name !== displayName(before)) return values;
  const { name: _shown, ...others } = values;
  return others;
}

/** Refuses the batch when the contact's name has changed since it was read: the account will show it. */
function guardContactName({ id, contact_name }: AccountFacts): Statement {
  return guardThat("contact_name", sql`${selectContactName(sql`${id}`)} is ${contact_name}`);
}

/** Selects a row when the body's user belongs to the account's new team, or to a team in a group with it. */
export function selectSharingTeam(
  companyId: number,
  id: Sql,
  { team_id, user_id = null }: Pick<AccountChange, "team_id" | "user_id">,
): Statement {
  const user = sql`(select ${user_id} as id) u`;
  const sees = sql`in (${selectVisibleTeamIds(sql`u.id`)})`;
  if (team_id !== undefined) return sql`select 1 as shares from ${user} where ${team_id} ${sees}`;
  return sql`select 1 as shares from accounts a cross join ${user}
    where a.id = ${id} and a.company_id = ${companyId} and a.team_id ${sees}`;
}
