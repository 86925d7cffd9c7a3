/** Creating and changing contacts. */
import { requireRight } from "../../core/access.ts";
import { type Answer, created as answerCreated, ok } from "../../core/answer.ts";
import { conflict, type FieldError, fieldError, invalid, missingReference } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { asSeen } from "../../db/fields.ts";
import { guardVersions } from "../../db/guards.ts";
import { raw } from "../../db/statements.ts";
import { checkMatch, checkNoMatch } from "../../http/conditional.ts";
import { mergeCustom, valueAt } from "../../http/field_values.ts";
import { guardPlaced, placementFacts, readPlacement } from "../../identity/teams/placement.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";
import type { AccountFacts } from "../accounts/present.ts";
import { accountById, accountOf, visibleAccount } from "../accounts/queries.ts";
import { checkBackdating, sharingTeam } from "../accounts/verbs.ts";
import { requireEither, taken } from "../external_id.ts";
import type { Followers } from "./followers.ts";
import { type ContactFacts, contactName, presentContact } from "./present.ts";
import {
  contactByExternalId,
  contactById,
  contactOf,
  contactWithExternalId,
  visibleContact,
} from "./queries.ts";
import type { ContactBody, ContactChange, ContactPut } from "./schema.ts";
import { shownName } from "./shown_name.ts";
import { changedContact, checkNamed, newContact, readContactValues } from "./write.ts";

/** 201 with the contact; 409 `b2c_single_contact` when a consumer's account has one already. */
export async function createContact(ctx: Context, accountId: string, body: ContactBody): Promise<Answer> {
  const { companyId } = ctx.caller;
  const [found, holder, ...facts] = await ctx.deps.db.read([
    accountById(companyId, accountId),
    contactByExternalId(companyId, body.external_id),
    ...placementOf(ctx, body),
  ]);
  return await created(ctx, accountOf(ctx, found!), body, holder!, facts);
}

/** 200 with the contact as it is now. `account_id` moves it. What the body does not name keeps its value. */
export async function updateContact(
  ctx: Context,
  accountId: string,
  id: string,
  body: ContactChange,
  followers: Followers,
): Promise<Answer> {
  const { companyId } = ctx.caller;
  const [found, from, holder, ...results] = await ctx.deps.db.read([
    contactById(companyId, id),
    accountById(companyId, accountId),
    contactByExternalId(companyId, body.external_id),
    ...changeFacts(ctx, accountId, body, () => followers.reads(raw("?", id))),
  ]);
  const before = contactOf(ctx, found!, accountId);
  return await changed(ctx, accountOf(ctx, from!), before, body, holder!, results, followers);
}

/**
 * The contact of the account with the external id: 201 when this makes it, 200 when it changes it. 422 when
 * that id is of one of another account, or of one that the caller does not see.
 */
export async function putContact(
  ctx: Context,
  accountId: string,
  external_id: string,
  body: ContactPut,
  followers: Followers,
): Promise<Answer> {
  requireEither(ctx);
  const { companyId } = ctx.caller;
  const named = "(select id from contacts where company_id = ? and external_id = ?)";
  const [found, from, ...results] = await ctx.deps.db.read([
    contactWithExternalId(companyId, external_id),
    accountById(companyId, accountId),
    ...changeFacts(ctx, accountId, body, () => followers.reads(raw(named, companyId, external_id))),
  ]);
  const account = accountOf(ctx, from!);
  const before = visibleContact(ctx, found!);
  if (found!.rows.length > 0 && before?.account_id !== account.id) throw taken();
  if (before) {
    requireRight(ctx.caller, "customers.update");
    return await changed(ctx, account, before, body, null, results, followers);
  }
  requireRight(ctx.caller, "customers.create");
  checkNoMatch(ctx);
  return await created(ctx, account, { ...body, external_id }, null, results.slice(2));
}

/** `holder`: who has the external id of the body, where it may be another; `facts`: of `placementOf`. */
async function created(
  ctx: Context,
  account: AccountFacts,
  body: ContactBody,
  holder: Result | null,
  facts: readonly Result[],
): Promise<Answer> {
  const errors: FieldError[] = [];
  const input = readContactValues(body, ctx.fields.seen, "", errors);
  const values = input.fixed;
  const custom = mergeCustom({}, input.custom, ctx.fields.seen.contact, valueAt(body), errors);
  checkNamed(values, "", errors);
  checkBackdating(ctx, body.created_at, errors);
  if (errors.length > 0) throw invalid(...errors);
  const { user } = readPlacement(facts);
  if (!user) throw invalid(missingReference("user_id", "user"));
  if (body.user_id && account.team_id !== null && !user.team_ids.includes(account.team_id)) {
    throw invalid(fieldError("user_id", "exists", "The user does not belong to the team of the account."));
  }
  if (holder && holder.rows.length > 0) throw taken();
  if (account.b2c === 1 && account.contact_count > 0) throw singleContact();
  const { contact, statements, event } = newContact(ctx, {
    account,
    user_id: user.id,
    user_name: user.name,
    external_id: body.external_id ?? null,
    values,
    custom,
    consent: body.consent,
    created_at: body.created_at,
  });
  const shown = shownName(ctx, account, contactName(contact));
  return await commit(ctx, {
    statements: [
      guardVersions("accounts", [account]),
      guardPlaced({ team: null, user }),
      ...statements,
      ...shown.statements,
    ],
    events: [event, ...shown.events],
    answer: answerCreated(asSeen(ctx.fields, event.body, (fields) => presentContact(contact, fields))),
  });
}

function placementOf({ caller }: Context, { user_id }: Pick<ContactBody, "user_id">): Statement[] {
  return placementFacts(caller, { team_id: null, user_id });
}

/** What `changed` decides by, beside the contact and the account that it is in; `following`: where it moves. */
function changeFacts(
  ctx: Context,
  accountId: string,
  body: ContactChange,
  following: () => Statement,
): Statement[] {
  const accountAfter = body.account_id ?? accountId;
  return [
    accountById(ctx.caller.companyId, accountAfter),
    sharingAccount(ctx, accountAfter, body),
    ...placementOf(ctx, body),
    ...(accountAfter === accountId ? [] : [following()]),
  ];
}

function sharingAccount({ caller }: Context, accountId: string, { user_id }: ContactChange): Statement {
  return sharingTeam(caller.companyId, raw("?", accountId), { user_id });
}

/** `holder`: who has the external id of the body, where it may be another; `results`: of `changeFacts`. */
async function changed(
  ctx: Context,
  from: AccountFacts,
  before: ContactFacts,
  body: ContactChange,
  holder: Result | null,
  [to, sharing, team, placed, following]: readonly Result[],
  followers: Followers,
): Promise<Answer> {
  checkMatch(ctx, () => presentContact(before, ctx.fields.seen));
  const errors: FieldError[] = [];
  const input = readContactValues(body, ctx.fields.seen, "", errors);
  const values = input.fixed;
  const custom = mergeCustom(
    JSON.parse(before.custom),
    input.custom,
    ctx.fields.seen.contact,
    valueAt(body),
    errors,
  );
  checkNamed({ ...before, ...values }, "", errors);
  const target = visibleAccount(ctx, to!);
  if (!target) errors.push(missingReference("account_id", "account"));
  const { user } = readPlacement([team!, placed!]);
  const guards: Statement[] = [];
  if (body.user_id && body.user_id !== before.user_id) {
    const team = target?.team_id ?? null;
    if (!user) errors.push(missingReference("user_id", "user"));
    else if (team !== null && sharing!.rows.length === 0) {
      errors.push(
        fieldError("user_id", "exists", "The user is neither in the team of the account nor in its group."),
      );
    }
    guards.push(guardPlaced({ team: null, user }));
    if (team !== null) {
      const shares = sharingAccount(ctx, target!.id, body);
      guards.push(guardThat("shares", `exists (${shares.sql})`, shares.args));
    }
  }
  if (holder?.rows.some((row) => row.id !== before.id)) throw taken();
  if (errors.length > 0 || !target) throw invalid(...errors);
  const moves = target.id !== from.id;
  if (moves && target.b2c === 1 && target.contact_count > 0) throw singleContact();
  const changes: Partial<ContactFacts> = {};
  if (moves) {
    changes.account_id = target.id;
    changes.account_name = target.name;
    changes.team_id = target.team_id;
    changes.b2c = target.b2c;
  }
  if (body.user_id !== undefined && body.user_id !== before.user_id) {
    changes.user_id = body.user_id;
    changes.user_name = body.user_id === null ? null : user?.name ?? null;
  }
  if (body.external_id !== undefined) changes.external_id = body.external_id;
  const { contact, statements, event } = changedContact(ctx, before, values, changes, body.consent, custom);
  const names = moves
    ? [shownName(ctx, from, null), shownName(ctx, target, contactName(contact))]
    : [shownName(ctx, target, contactName(contact))];
  const followed = moves ? followers.follow(contact, following!) : { guards: [], events: [] };
  return await commit(ctx, {
    statements: [
      guardVersions("accounts", [target]),
      ...guards,
      ...followed.guards,
      ...statements,
      ...names.flatMap((name) => name.statements),
    ],
    events: [event, ...names.flatMap((name) => name.events), ...followed.events],
    answer: ok(asSeen(ctx.fields, event.body, (fields) => presentContact(contact, fields))),
  });
}

function singleContact(): Error {
  return conflict("b2c_single_contact", "A consumer's account has one contact at most, and this one has it.");
}
