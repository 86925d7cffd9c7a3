import { created } from "../../core/answer.ts";
import { conflict, type FieldError, fieldError, invalid, missingReference } from "../../core/errors.ts";
import { type Change, commit, type UserAuthor } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { asSeen } from "../../fields/field_sets.ts";
import { guardVersions } from "../../db/statements.ts";
import { mergeCustom, readFields, valueAt } from "../../fields/values.ts";
import { guardPlaced, readPlacement, selectPlacementFacts } from "../../identity/teams/placement.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { checkTimes } from "../../http/validate.ts";
import type { AccountFacts } from "../accounts/present.ts";
import { requireAccount, selectAccountById } from "../accounts/queries.ts";
import { refuseExternalId } from "../external_id.ts";
import { changeContactName } from "./display_name.ts";
import { composeContactName, type ContactFacts, presentContact } from "./present.ts";
import { selectIdOfContact } from "./queries.ts";
import type { ContactBody } from "./record.ts";
import { checkNamed, makeContact } from "./write.ts";

/** Returns 201 with the contact; throws 409 `b2c_single_contact` when a consumer's account already has a contact. */
export async function createContact(ctx: Context, accountId: string, body: ContactBody) {
  const { companyId } = ctx.caller;
  const [found, holder, ...facts] = await ctx.deps.db.read([
    selectAccountById(companyId, accountId),
    selectIdOfContact(companyId, body.external_id),
    ...selectPlacement(ctx, body),
  ]);
  return await createDecidedContact(ctx, requireAccount(ctx, found!), body, holder!, facts);
}

/** Like `decideNewContact`, and commits it. */
export async function createDecidedContact(
  ctx: Context,
  account: AccountFacts,
  body: ContactBody,
  holder: Result | null,
  facts: readonly Result[],
) {
  return await commit(ctx, decideNewContact(ctx, account, body, holder, facts).change);
}

/** A decided change of a contact, and its account as it is afterwards. */
export interface DecidedContact {
  readonly contact: ContactFacts;
  readonly account: AccountFacts;
  readonly change: Change<ReturnType<typeof presentContact>>;
}

/**
 * Decides how the contact is made; throws what refuses it. `holder`: the contact that has the body's external id, if
 * any; `facts`: results of `selectPlacement`.
 */
export function decideNewContact(
  ctx: UserAuthor,
  account: AccountFacts,
  body: ContactBody,
  holder: Result | null,
  facts: readonly Result[],
): DecidedContact {
  const errors: FieldError[] = [];
  const input = readFields(body, ctx.fields.seen.contact, "", errors);
  const values = input.fixed;
  const custom = mergeCustom({}, input.custom, ctx.fields.seen.contact, valueAt(body), errors);
  checkNamed(values, "", errors);
  checkTimes(ctx, body, errors);
  if (errors.length > 0) throw invalid(...errors);
  const { user } = readPlacement(facts);
  if (!user) throw invalid(missingReference("user_id", "user"));
  if (body.user_id && account.team_id !== null && !user.team_ids.includes(account.team_id)) {
    throw invalid(fieldError("user_id", "exists", "The user does not belong to the team of the account."));
  }
  if (holder && holder.rows.length > 0) throw refuseExternalId();
  if (account.b2c === 1 && account.contact_count > 0) throw makeSingleContactProblem();
  const { contact, statements, event } = makeContact(ctx, {
    ...body,
    account,
    user_id: user.id,
    user_name: user.name,
    values,
    custom,
  });
  const shown = changeContactName(ctx, account, composeContactName(contact));
  return {
    contact,
    account: { ...shown.account, contact_count: shown.account.contact_count + 1 },
    change: {
      statements: [
        guardVersions("accounts", [account]),
        guardPlaced({ team: null, user }),
        ...statements,
        ...shown.statements,
      ],
      events: [event, ...shown.events],
      answer: created(asSeen(ctx.fields, event.body, (fields) => presentContact(contact, fields))),
    },
  };
}

export function selectPlacement(
  { caller }: Pick<Context, "caller">,
  { user_id }: Pick<ContactBody, "user_id">,
): Statement[] {
  return selectPlacementFacts(caller, { team_id: null, user_id });
}

export function makeSingleContactProblem(): Error {
  return conflict(
    "b2c_single_contact",
    "A consumer's account has at most one contact, and this account already has one.",
  );
}
