/** Changing a case by hand. What an activity does to it is in `activities/effects.ts`. */
import { mayPlaceInto, seesTeam } from "../../core/access.ts";
import { type Answer, ok } from "../../core/answer.ts";
import { type FieldError, fieldError, invalid, missingReference } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { asSeen } from "../../db/fields.ts";
import { rawSql, type Sql, sql, statement } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardPlaced, placementFacts, readPlacement } from "../../identity/teams/placement.ts";
import { teamJson } from "../../identity/teams/queries.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";
import { displayName } from "../../customers/accounts/display_name.ts";
import { notBeingDeleted } from "../../customers/removal/selection.ts";
import { checkCaseSize } from "./budget.ts";
import { activityAgain } from "./removal.ts";
import { type Status, transition } from "./lifecycle.ts";
import { presentCase } from "./present.ts";
import { accountWithTeam, caseById, contactWithTeam, visibleCase } from "./queries.ts";
import { caseAccountOf, caseContactOf, type FullCase, teamOf } from "./record.ts";
import type { CaseChange, ChanceBody, CloseDateBody } from "./schema.ts";
import { type CaseChanges, changedCase, ownerNotifications, withStatus } from "./write.ts";

/** 200 with the case as it is now. Its path never changes. */
export async function updateCase(ctx: Context, id: string, body: CaseChange): Promise<Answer> {
  const { caller, deps } = ctx;
  const { companyId } = caller;
  const contactId = sql`select id from contacts where id = ${
    body.contact_id ?? null
  } and company_id = ${companyId} and ${rawSql(notBeingDeleted("account_id"))}`;
  const member = membership(id, body);
  const results = await deps.db.read([
    ...caseById(companyId, id),
    ...placementFacts(caller, { team_id: body.team_id ?? null, user_id: body.user_id }),
    statement(
      `select ${teamJson("?")} as team, ${member.sql} as member`,
      body.team_id ?? null,
      ...member.args,
    ),
    accountWithTeam(sql`select account_id from contacts where id = (${contactId})`),
    contactWithTeam(contactId),
  ]);
  const before = visibleCase(ctx, results.slice(0, 3));
  checkMatch(ctx, () => presentCase(before, ctx, ctx.fields.seen));
  const errors: FieldError[] = [];
  const placing = placedAnew(ctx, before, body, results.slice(3, 6), member, errors);
  const customer = anotherContact(ctx, before, body, results.slice(6), errors);
  if (errors.length > 0) throw invalid(...errors);

  const { contact, ...status } = withStatus(
    ctx,
    customer?.contact ?? before.contact,
    before.status as Status,
  );
  const account = customer?.account ?? before.account;
  const changed = changedCase(ctx, before, {
    ...placing.changes,
    ...(body.stock_vehicle_id === undefined ? {} : { stock_vehicle_id: body.stock_vehicle_id }),
    account_id: account.id,
    contact_id: contact.id,
  }, {
    ...placing.shown,
    account,
    contact,
    account_name: displayName(account),
    first_name: contact.first_name,
    last_name: contact.last_name,
  });
  return await commit(ctx, {
    statements: [
      ...placing.guards,
      ...status.statements,
      ...changed.statements,
      ...(customer ? activityAgain(bothOf(before, changed.of)) : []),
    ],
    events: [...status.events, changed.event],
    notifications: body.notify_user && changed.of.user_id !== before.user_id
      ? ownerNotifications(ctx, changed.of)
      : [],
    answer: answered(ctx, changed.of),
  });
}

/** 200 with the case, which is declined; 409 when it is not open. The reason is kept beside the change. */
export async function declineCase(ctx: Context, id: string, reason: string): Promise<Answer> {
  const before = await readCase(ctx, id);
  const status = transition(before.status as Status, "decline");
  const declined = changedCase(ctx, before, { status, decline_reason: reason });
  checkCaseSize(ctx, before, declined, "reason");
  return await commit(ctx, {
    statements: declined.statements,
    events: [{ ...declined.event, name: "case_declined" }],
    answer: answered(ctx, declined.of),
  });
}

/** 200 with the case. The chance that is set last counts, by hand or by a milestone. */
export async function setChance(
  ctx: Context,
  id: string,
  { chance_of_success }: ChanceBody,
): Promise<Answer> {
  return await set(ctx, id, chance_of_success === undefined ? {} : { chance_of_success });
}

/** 200 with the case. */
export async function setCloseDate(ctx: Context, id: string, { date }: CloseDateBody): Promise<Answer> {
  return await set(ctx, id, date === undefined ? {} : { estimated_close_date: date });
}

async function set(ctx: Context, id: string, changes: CaseChanges): Promise<Answer> {
  const changed = changedCase(ctx, await readCase(ctx, id), changes);
  return await commit(ctx, {
    statements: changed.statements,
    events: [changed.event],
    answer: answered(ctx, changed.of),
  });
}

/** The case that the caller sees, in the version that the request's `If-Match` names. */
async function readCase(ctx: Context, id: string): Promise<FullCase> {
  const before = visibleCase(ctx, await ctx.deps.db.read(caseById(ctx.caller.companyId, id)));
  checkMatch(ctx, () => presentCase(before, ctx, ctx.fields.seen));
  return before;
}

function answered(ctx: Context, of: FullCase): Answer {
  const shown = presentCase(of, ctx, ctx.fields.all);
  return ok(asSeen(ctx.fields, shown, (fields) => presentCase(of, ctx, fields)));
}

/** SQL: whether the user that the case will have belongs to the team that it will have. */
function membership(id: string, { user_id, team_id }: CaseChange): Sql {
  const its = (column: string, given: number | null | undefined) =>
    given === undefined ? sql`(select ${rawSql(column)} from cases where id = ${id})` : sql`${given}`;
  const [user, team] = [its("user_id", user_id), its("team_id", team_id)];
  return sql`exists (select 1 from team_members where user_id = ${user} and team_id = ${team})`;
}

/** Who has the case afterwards. Where that changes, the user must belong to the team. */
function placedAnew(
  { caller }: Context,
  before: FullCase,
  body: CaseChange,
  [teamFound, userFound, shown]: readonly Result[],
  member: Sql,
  errors: FieldError[],
) {
  const { team, user, own } = readPlacement([teamFound!, userFound!]);
  const changes: CaseChanges = {};
  const guards: Statement[] = [];
  const { team_id = before.team_id, user_id = before.user_id } = body;
  if (team_id !== before.team_id) {
    const allowed = team_id === null || (team !== null && mayPlaceInto({ ...caller, ...own }, team));
    if (!allowed) errors.push(missingReference("team_id", "team"));
    changes.team_id = team_id;
    guards.push(guardPlaced({ team, user: null }));
  }
  if (user_id !== before.user_id) {
    if (!user) errors.push(missingReference("user_id", "user"));
    changes.user_id = user_id;
    guards.push(guardPlaced({ team: null, user }));
  }
  const moves = guards.length > 0;
  if (moves && errors.length === 0 && team_id !== null && user_id !== null) {
    if (shown!.rows[0]!.member === 1) guards.push(guardThat("member", statement(member.sql, ...member.args)));
    else {
      const path = user_id === before.user_id ? "team_id" : "user_id";
      errors.push(fieldError(path, "exists", "The user does not belong to the team of the case."));
    }
  }
  return {
    changes,
    shown: {
      ...(changes.team_id === undefined ? {} : { team: teamOf(shown!.rows[0]!.team!) }),
      ...(changes.user_id === undefined ? {} : { user_name: user?.name ?? null }),
    },
    guards,
  };
}

/** The contact that the body names with its account; null where it is the case's already. */
function anotherContact(
  { caller }: Context,
  before: FullCase,
  { contact_id }: CaseChange,
  [accounts, contacts]: readonly Result[],
  errors: FieldError[],
) {
  if (contact_id === undefined || contact_id === before.contact_id) return null;
  const [account, contact] = [accounts, contacts].map((result) => result!.rows[0]);
  if (account && contact) {
    const named = { account: caseAccountOf(account), contact: caseContactOf(contact) };
    if (seesTeam(caller, named.contact.team_id)) return named;
  }
  errors.push(missingReference("contact_id", "contact"));
  return null;
}

/** The customers of a case before and after, who have both had something done for them at another time now. */
function bothOf(before: FullCase, after: FullCase) {
  return {
    accounts: [before.account_id, after.account_id],
    contacts: [before.contact_id, after.contact_id],
  };
}
