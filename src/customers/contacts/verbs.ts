/** Creating and changing contacts. */
import { requireRight } from "../../core/access.ts";
import { type Answer, created as answerCreated } from "../../core/answer.ts";
import { type FieldError, fieldError, invalid, missingReference } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { asSeen } from "../../db/fields.ts";
import { guardVersions } from "../../db/guards.ts";
import { sql } from "../../db/statements.ts";
import { checkNoMatch } from "../../http/conditional.ts";
import { mergeCustom, valueAt } from "../../http/field_values.ts";
import { guardPlaced, readPlacement } from "../../identity/teams/placement.ts";
import type { Result } from "../../platform/database/database.ts";
import type { AccountFacts } from "../accounts/present.ts";
import { accountById, accountOf } from "../accounts/queries.ts";
import { checkBackdating } from "../accounts/verbs.ts";
import { requireEither, taken } from "../external_id.ts";
import { changed, changeFacts, placementOf, singleContact } from "./change.ts";
import { withContactName } from "./display_name.ts";
import type { ContactMoveEffects } from "./on_moved.ts";
import { contactName, presentContact } from "./present.ts";
import {
  contactByExternalId,
  contactById,
  contactOf,
  contactWithExternalId,
  visibleContact,
} from "./queries.ts";
import type { ContactBody, ContactChange, ContactPut } from "./schema.ts";
import { checkNamed, newContact, readContactValues } from "./write.ts";

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

/**
 * 200 with the contact as it is now. `account_id` moves it. What the body does not name keeps its value. Where more
 * goes along than one commit takes, that goes before, in steps.
 */
export async function updateContact(
  ctx: Context,
  accountId: string,
  id: string,
  body: ContactChange,
  followers: ContactMoveEffects,
): Promise<Answer> {
  const { companyId } = ctx.caller;
  for (;;) {
    const [found, from, holder, ...results] = await ctx.deps.db.read([
      contactById(companyId, id),
      accountById(companyId, accountId),
      contactByExternalId(companyId, body.external_id),
      ...changeFacts(ctx, accountId, body, sql`${id}`, followers),
    ]);
    const before = contactOf(ctx, found!, accountId);
    const answer = await changed(ctx, accountOf(ctx, from!), before, body, holder!, results, followers);
    if (answer) return answer;
  }
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
  followers: ContactMoveEffects,
): Promise<Answer> {
  requireEither(ctx);
  const { companyId } = ctx.caller;
  const named =
    sql`(select id from contacts where company_id = ${companyId} and external_id = ${external_id})`;
  for (;;) {
    const [found, from, ...results] = await ctx.deps.db.read([
      contactWithExternalId(companyId, external_id),
      accountById(companyId, accountId),
      ...changeFacts(ctx, accountId, body, named, followers),
    ]);
    const account = accountOf(ctx, from!);
    const before = visibleContact(ctx, found!);
    if (found!.rows.length > 0 && before?.account_id !== account.id) throw taken();
    if (!before) {
      requireRight(ctx.caller, "customers.create");
      checkNoMatch(ctx);
      return await created(ctx, account, { ...body, external_id }, null, results.slice(2));
    }
    requireRight(ctx.caller, "customers.update");
    const answer = await changed(ctx, account, before, body, null, results, followers);
    if (answer) return answer;
  }
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
  const shown = withContactName(ctx, account, contactName(contact));
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
