import { requireRight } from "../../core/access.ts";
import { type Answer, noContent, ok } from "../../core/answer.ts";
import { type FieldError, fieldError, invalid, missingReference } from "../../core/errors.ts";
import { type Change, commit, type UserAuthor } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { asSeen } from "../../fields/field_sets.ts";
import { guardVersions, type Sql, sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { mergeCustom, readFields, valueAt } from "../../fields/values.ts";
import { guardPlaced, readPlacement } from "../../identity/teams/placement.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";
import type { AccountFacts } from "../accounts/present.ts";
import { readVisibleAccount, requireAccount, selectAccountById } from "../accounts/queries.ts";
import { selectSharingTeam } from "../accounts/update.ts";
import { refuseExternalId } from "../external_id.ts";
import { makeSingleContactProblem, selectPlacement } from "./create.ts";
import { endMove, takeDirection } from "./direction.ts";
import { changeContactName } from "./display_name.ts";
import type { ContactMoveEffects, Move } from "./on_moved.ts";
import { composeContactName, type ContactFacts, presentContact } from "./present.ts";
import { requireContact, selectContactById, selectIdOfContact } from "./queries.ts";
import { type ContactChange, contactMembers } from "./record.ts";
import { changeContact, checkNamed } from "./write.ts";
import { makeChanges } from "../../records/members.ts";

type ContactValue = ReturnType<typeof presentContact>;

/**
 * 200 with the updated contact. `account_id` moves the contact. Properties that the body leaves out keep
 * their values. When too many records for one commit move with the contact, most move before it, in steps.
 */
export async function updateContact(
  ctx: Context,
  accountId: string,
  id: string,
  body: ContactChange,
  followers: ContactMoveEffects,
) {
  const { companyId } = ctx.caller;
  for (;;) {
    const [found, from, holder, ...results] = await ctx.deps.db.read([
      selectContactById(companyId, id),
      selectAccountById(companyId, accountId),
      selectIdOfContact(companyId, body.external_id),
      ...selectContactUpdateFacts(ctx, accountId, body, sql`${id}`, followers),
    ]);
    const before = requireContact(ctx, found!, accountId);
    const answer = await updateDecidedContact(
      ctx,
      requireAccount(ctx, from!),
      before,
      body,
      holder!,
      results,
      followers,
    );
    if (answer) return answer;
  }
}

/** The reads that `updateDecidedContact` needs besides contact and account. `contact`: an expression for its id. */
export function selectContactUpdateFacts(
  ctx: Pick<Context, "caller">,
  accountId: string,
  body: ContactChange,
  contact: Sql,
  followers: ContactMoveEffects,
): Statement[] {
  const accountAfter = body.account_id ?? accountId;
  const move = makeMove(accountId, body, contact);
  return [
    selectAccountById(ctx.caller.companyId, accountAfter),
    selectSharingAccount(ctx, accountAfter, body),
    ...selectPlacement(ctx, body),
    ...(move ? followers.reads(move) : []),
  ];
}

/** Returns the move of the contact or of its cases; null when nothing moves. */
function makeMove(from: string, { account_id = from, with_cases }: ContactChange, contact: Sql): Move | null {
  return account_id === from && !with_cases ? null : { contact, account_id, with_cases: with_cases === true };
}

function selectSharingAccount(
  { caller }: Pick<Context, "caller">,
  accountId: string,
  { user_id }: ContactChange,
): Statement {
  return selectSharingTeam(caller.companyId, sql`${accountId}`, { user_id });
}

/**
 * Like `decideContactUpdate`, for the version that the call names, and commits it. Returns null when it has committed only a
 * step of the move: read again and call again.
 */
export async function updateDecidedContact(
  ctx: Context,
  from: AccountFacts,
  before: ContactFacts,
  body: ContactChange,
  holder: Result | null,
  results: readonly Result[],
  followers: ContactMoveEffects,
): Promise<Answer<ContactValue> | null> {
  if (body.with_cases) requireRight(ctx.caller, "cases.update");
  checkMatch(ctx, () => presentContact(before, ctx.fields.seen));
  const { change, isAhead } = decideContactUpdate(ctx, from, before, body, holder, results, followers);
  if (!isAhead) return await commit(ctx, change);
  await commit({ ...ctx, idempotency: null }, { ...change, answer: noContent });
  return null;
}

/** A decided change of a contact. */
interface DecidedUpdate {
  /** The contact as it is afterwards, and its accounts: those that it leaves and comes to. */
  readonly contact: ContactFacts;
  readonly accounts: readonly AccountFacts[];
  /** Whether the change is only a step of the move, after which the contact is read and decided on again. */
  readonly isAhead: boolean;
  readonly change: Change<ContactValue>;
}

/**
 * Decides how the contact changes; throws what refuses it. `holder`: the contact that has the body's external id, if
 * any. The array contains the results of `selectContactUpdateFacts`.
 */
export function decideContactUpdate(
  ctx: UserAuthor,
  from: AccountFacts,
  before: ContactFacts,
  body: ContactChange,
  holder: Result | null,
  [to, sharing, team, placed, ...following]: readonly Result[],
  followers: ContactMoveEffects,
): DecidedUpdate {
  const errors: FieldError[] = [];
  const stored = { fixed: { ...before }, custom: JSON.parse(before.custom) };
  const input = readFields(body, ctx.fields.seen.contact, "", errors, stored);
  const values = input.fixed;
  const custom = mergeCustom(
    stored.custom,
    input.custom,
    ctx.fields.seen.contact,
    valueAt(body),
    errors,
  );
  checkNamed({ ...before, ...values }, "", errors);
  const target = readVisibleAccount(ctx, to!);
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
      const shares = selectSharingAccount(ctx, target!.id, body);
      guards.push(guardThat("shares", sql`exists (${shares})`));
    }
  }
  if (holder?.rows.some((row) => row.id !== before.id)) throw refuseExternalId();
  if (errors.length > 0 || !target) throw invalid(...errors);
  const moves = target.id !== from.id;
  if (moves && target.b2c === 1 && target.contact_count > 0) throw makeSingleContactProblem();
  const changes: Partial<ContactFacts> = makeChanges(contactMembers, body, before);
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
  const { contact, statements, event } = changeContact(ctx, before, values, changes, body.consent, custom);
  const named = changeContactName(ctx, target, composeContactName(contact));
  const names = moves ? [changeContactName(ctx, from, null), named] : [named];
  const move = makeMove(from.id, body, sql`${before.id}`);
  const followed = move && followers.apply(ctx, move, {
    before: { contact: before, account: target },
    after: { contact, account: named.account },
  }, following);
  const answer = ok(asSeen(ctx.fields, event.body, (fields) => presentContact(contact, fields)));
  if (followed?.ahead) {
    const { statements, events } = followed.ahead;
    const ahead = [...takeDirection(ctx.deps, before.id, target.id), ...guards, ...statements];
    return { contact: before, accounts: [], isAhead: true, change: { statements: ahead, events, answer } };
  }
  const change = {
    statements: [
      guardVersions("accounts", [target]),
      ...guards,
      ...followed?.guards ?? [],
      ...statements,
      ...names.flatMap((name) => name.statements),
      ...followed?.statements ?? [],
      ...(followed ? [endMove(before.id)] : []),
    ],
    events: [event, ...names.flatMap((name) => name.events), ...followed?.events ?? []],
    answer,
  };
  return { contact, accounts: names.map(({ account }) => account), isAhead: false, change };
}
