/** Changes a case. `activities/effects.ts` has the changes that an activity makes. */
import { mayPlaceInto, seesTeam } from "../../core/access.ts";
import { type FieldError, fieldError, invalid, missingReference } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { identifier, type Sql, sql } from "../../db/statements.ts";
import { isMember } from "../../identity/teams/fragments.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardPlaced, readPlacement, selectPlacementFacts } from "../../identity/teams/placement.ts";
import { selectTeamJson } from "../../identity/teams/queries.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";
import { makeChanges } from "../../records/members.ts";
import { displayName } from "../../customers/accounts/display_name.ts";
import { isNotBeingDeleted } from "../../customers/accounts/being_deleted.ts";
import { renewCaseActivity } from "./last_activity.ts";
import type { CaseStatus } from "./lifecycle.ts";
import { presentCase } from "./present.ts";
import {
  requireVisibleCase,
  selectAccountWithTeam,
  selectCaseById,
  selectContactWithTeam,
} from "./queries.ts";
import { type FullCase, parseTeamFacts, readCaseAccount, readCaseContact } from "./parts.ts";
import { type CaseChange, caseMembers } from "./record.ts";
import {
  type CaseChanges,
  changeCase,
  changeContactStatus,
  commitCase,
  draftOwnerNotifications,
} from "./write.ts";

/** Returns the changed case. Its relations path never changes. */
export async function updateCase(ctx: Context, id: string, body: CaseChange) {
  const { caller, deps } = ctx;
  const { companyId } = caller;
  const contactId = sql`select id from contacts where id = ${body.contact_id ?? null}
    and company_id = ${companyId} and ${isNotBeingDeleted(sql`account_id`)}`;
  const member = isMemberAfter(id, body);
  const results = await deps.db.read([
    ...selectCaseById(companyId, id),
    ...selectPlacementFacts(caller, { team_id: body.team_id ?? null, user_id: body.user_id }),
    sql`select ${selectTeamJson(sql`${body.team_id ?? null}`)} as team, ${member} as member`,
    selectAccountWithTeam(sql`select account_id from contacts where id = (${contactId})`),
    selectContactWithTeam(contactId),
  ]);
  const before = requireVisibleCase(ctx, results.slice(0, 3));
  checkMatch(ctx, () => presentCase(before, ctx, ctx.fields.seen));
  const errors: FieldError[] = [];
  const placing = newPlacement(ctx, before, body, results.slice(3, 6), member, errors);
  const customer = newCustomer(ctx, before, body, results.slice(6), errors);
  if (errors.length > 0) throw invalid(...errors);

  const { contact, ...status } = changeContactStatus(
    ctx,
    customer?.contact ?? before.contact,
    before.status as CaseStatus,
  );
  const account = customer?.account ?? before.account;
  const changed = changeCase(ctx, before, {
    ...makeChanges(caseMembers, body, before),
    ...placing.changes,
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
  return await commitCase(ctx, changed, {
    before: [...placing.guards, ...status.statements],
    after: customer ? renewCaseActivity(listCustomers(before, changed.of)) : [],
    events: status.events,
    notifications: body.notify_user && changed.of.user_id !== before.user_id
      ? draftOwnerNotifications(ctx, changed.of)
      : [],
  });
}

/** SQL: whether the user of the case belongs to its team, after the change. */
function isMemberAfter(id: string, { user_id, team_id }: CaseChange): Sql {
  const chooseValue = (column: string, given: number | null | undefined) =>
    given === undefined ? sql`(select ${identifier(column)} from cases where id = ${id})` : sql`${given}`;
  const [user, team] = [chooseValue("user_id", user_id), chooseValue("team_id", team_id)];
  return isMember(user, team);
}

/** Returns the changes of team and user. If one of them changes, the user must belong to the team. */
function newPlacement(
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
  if (guards.length > 0 && errors.length === 0 && team_id !== null && user_id !== null) {
    if (shown!.rows[0]!.member === 1) guards.push(guardThat("member", member));
    else {
      const path = user_id === before.user_id ? "team_id" : "user_id";
      errors.push(fieldError(path, "exists", "The user does not belong to the team of the case."));
    }
  }
  return {
    changes,
    shown: {
      ...(changes.team_id === undefined ? {} : { team: parseTeamFacts(shown!.rows[0]!.team!) }),
      ...(changes.user_id === undefined ? {} : { user_name: user?.name ?? null }),
    },
    guards,
  };
}

/**
 * Returns the new contact with its account; null if the contact does not change, or is not visible to the
 * caller (an error).
 */
function newCustomer(
  { caller }: Context,
  before: FullCase,
  { contact_id }: CaseChange,
  [accounts, contacts]: readonly Result[],
  errors: FieldError[],
) {
  if (contact_id === undefined || contact_id === before.contact_id) return null;
  const [account, contact] = [accounts, contacts].map((result) => result!.rows[0]);
  if (account && contact) {
    const customer = { account: readCaseAccount(account), contact: readCaseContact(contact) };
    if (seesTeam(caller, customer.contact.team_id)) return customer;
  }
  errors.push(missingReference("contact_id", "contact"));
  return null;
}

/** Returns the customers of a case before and after the change: the latest activity of both may change. */
function listCustomers(before: FullCase, after: FullCase) {
  return {
    accounts: [before.account_id, after.account_id],
    contacts: [before.contact_id, after.contact_id],
  };
}
