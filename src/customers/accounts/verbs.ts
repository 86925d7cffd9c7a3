/** Creating and changing accounts. */
import { mayPlaceInto } from "../../core/access.ts";
import { type Answer, created, ok } from "../../core/answer.ts";
import { type FieldError, fieldError, invalid, missingReference } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { asSeen } from "../../db/fields.ts";
import { visibleTeamIds } from "../../db/scope.ts";
import { statement } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { mergeCustom } from "../../http/field_values.ts";
import { guardPlaced, placed, placementFacts, readPlacement } from "../../identity/teams/placement.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import { accountByExternalId, accountById, accountOf } from "./queries.ts";
import { type AccountFacts, presentAccount } from "./present.ts";
import type { AccountBody, AccountChange } from "./schema.ts";
import { changedAccount, newAccount, readAccountValues } from "./write.ts";

/** 201 with the account. */
export async function createAccount(ctx: Context, body: AccountBody): Promise<Answer> {
  const errors: FieldError[] = [];
  const input = readAccountValues(body, ctx.fields.seen, "", errors);
  const values = input.fixed;
  const custom = mergeCustom({}, input.custom, ctx.fields.seen.account, "custom_fields", errors);
  if (!body.b2c && !values.name) {
    errors.push(fieldError("fixed_fields", "required", "An account needs a name."));
  }
  checkBackdating(ctx, body.created_at, errors);
  if (errors.length > 0) throw invalid(...errors);
  const { caller, deps } = ctx;
  const [holder, ...facts] = await deps.db.read([
    accountByExternalId(caller.companyId, body.external_id),
    ...placementFacts(caller, body),
  ]);
  const placing = readPlacement(facts);
  const placement = { ...placed(caller, body, placing), user_name: placing.user?.name ?? null };
  if (holder!.rows.length > 0) throw taken();
  const { account, statements, event } = newAccount(ctx, {
    ...placement,
    company_id: caller.companyId,
    b2c: body.b2c,
    external_id: body.external_id ?? null,
    values,
    custom,
    created_at: body.created_at,
  });
  return await commit(ctx, {
    statements: [guardPlaced(placing), ...statements],
    events: [event],
    answer: created(asSeen(ctx.fields, event.body, (fields) => presentAccount(account, fields))),
  });
}

/** 200 with the account as it is now. What the body does not name keeps its value. */
export async function updateAccount(ctx: Context, id: string, body: AccountChange): Promise<Answer> {
  const errors: FieldError[] = [];
  const input = readAccountValues(body, ctx.fields.seen, "", errors);
  const values = input.fixed;
  const { caller, deps } = ctx;
  const shares = sharingTeam(caller.companyId, id, body);
  const [found, holder, sharing, ...facts] = await deps.db.read([
    accountById(caller.companyId, id),
    accountByExternalId(caller.companyId, body.external_id),
    shares,
    ...placementFacts(caller, body),
  ]);
  const before = accountOf(ctx, found!);
  checkMatch(ctx, () => presentAccount(before, ctx.fields.seen));
  const custom = mergeCustom(
    JSON.parse(before.custom),
    input.custom,
    ctx.fields.seen.account,
    "custom_fields",
    errors,
  );
  if (values.name === null && before.b2c === 0) {
    errors.push(fieldError("fixed_fields", "required", "An account needs a name."));
  }
  if (holder!.rows.some((row) => row.id !== id)) throw taken();
  const { team, user, own } = readPlacement(facts);
  const guards: Statement[] = [];
  const moved: Partial<Pick<AccountFacts, "team_id" | "user_id" | "user_name" | "external_id">> = {};
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
      if (team_id !== null) guards.push(guardThat("shares", `exists (${shares.sql})`, shares.args));
    }
    moved.user_id = body.user_id;
    moved.user_name = body.user_id === null ? null : user?.name ?? null;
  }
  if (errors.length > 0) throw invalid(...errors);
  if (body.external_id !== undefined) moved.external_id = body.external_id;
  const { account, statements, event } = changedAccount(ctx, before, values, moved, custom);
  return await commit(ctx, {
    statements: [...guards, ...statements],
    events: [event],
    answer: ok(asSeen(ctx.fields, event.body, (fields) => presentAccount(account, fields))),
  });
}

/** A record may be dated back, not ahead. */
export function checkBackdating(ctx: Context, createdAt: string | undefined, errors: FieldError[]): void {
  if (createdAt !== undefined && createdAt > ctx.at) {
    errors.push(fieldError("created_at", "before", "Must not be in the future."));
  }
}

/** A row when the body's user belongs to the team that the account will have, or to one in a group with it. */
export function sharingTeam(
  companyId: number,
  id: string,
  { team_id, user_id = null }: Pick<AccountChange, "team_id" | "user_id">,
): Statement {
  const sees = `in (${visibleTeamIds("?")})`;
  if (team_id !== undefined) {
    return statement(`select 1 as shares where ? ${sees}`, team_id, user_id, user_id);
  }
  return statement(
    `select 1 as shares from accounts where id = ? and company_id = ? and team_id ${sees}`,
    id,
    companyId,
    user_id,
    user_id,
  );
}

function taken(): Error {
  return invalid(fieldError("external_id", "unique", "Another record of the company has this external id."));
}
