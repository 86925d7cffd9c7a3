/** Opens a case for a contact. */
import { seesOwned, seesTeam } from "../../core/access.ts";
import { created } from "../../core/answer.ts";
import { type FieldError, invalid, missingReference } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import { asSeen } from "../../fields/field_sets.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { checkTimes } from "../../http/validate.ts";
import { isNotBeingDeleted } from "../../customers/accounts/being_deleted.ts";
import {
  choosePlacement,
  guardPlaced,
  readPlacement,
  selectPlacedTeam,
  selectPlacementFacts,
} from "../../identity/teams/placement.ts";
import { selectTeamJson } from "../../identity/teams/queries.ts";
import { readPathRow } from "../relations_paths/present.ts";
import { selectPathById } from "../relations_paths/queries.ts";
import { presentCase } from "./present.ts";
import { selectAccountWithTeam, selectContactWithTeam } from "./queries.ts";
import { parseTeamFacts, readCaseAccount, readCaseContact, selectFirstValue } from "./parts.ts";
import type { CreateCaseBody } from "./record.ts";
import { caseNumber, openCase } from "./open.ts";
import { changeContactStatus, draftOwnerNotifications } from "./write.ts";

/**
 * Returns 201 with the case. Its team is that of the body, else the caller's active team, else that of the
 * account.
 */
export async function createCase(ctx: Context, body: CreateCaseBody) {
  const { caller, deps } = ctx;
  const contactRows = sql`from contacts where id = ${body.contact_id} and company_id = ${caller.companyId}
    and ${isNotBeingDeleted(sql`account_id`)}`;
  const contactTeam = sql`(select team_id ${contactRows})`;
  const [team, user, teams, accounts, contacts, paths] = await deps.db.read([
    ...selectPlacementFacts(caller, body, contactTeam),
    sql`select ${selectTeamJson(selectPlacedTeam(caller, body, contactTeam))} as team,
      ${selectFirstValue(caller.companyId)} as value`,
    selectAccountWithTeam(sql`select account_id ${contactRows}`),
    selectContactWithTeam(sql`select id ${contactRows}`),
    selectPathById(body.relations_path_id, caller.companyId),
  ]);
  const placing = readPlacement([team!, user!]);
  const [accountRow, contactRow, pathRow] = [accounts, contacts, paths].map((result) => result!.rows[0]);
  const contact = contactRow ? readCaseContact(contactRow) : null;
  const path = pathRow ? readPathRow(pathRow) : null;
  const sees = contact !== null && seesTeam(caller, contact.team_id);
  const placement = choosePlacement(caller, body, placing, sees ? contact.team_id : null);
  const errors: FieldError[] = [];
  checkTimes(ctx, body, errors);
  if (!sees) errors.push(missingReference("contact_id", "contact"));
  const usable = path !== null && seesOwned(caller, path);
  if (!usable) errors.push(missingReference("relations_path_id", "relations path"));
  if (!accountRow || !sees || !usable || errors.length > 0) throw invalid(...errors);

  const moved = changeContactStatus(ctx, contact, "open");
  const opened = openCase(ctx, {
    company_id: caller.companyId,
    team_id: placement.team_id,
    team: placement.team_id === null ? null : parseTeamFacts(teams!.rows[0]!.team!),
    user_id: placement.user_id,
    user_name: placing.user?.name ?? null,
    account: readCaseAccount(accountRow),
    contact: moved.contact,
    path,
    value: teams!.rows[0]!.value as number | null,
    body,
  });
  return await commit(ctx, {
    statements: [guardPlaced(placing), ...moved.statements, ...opened.statements],
    events: [...moved.events, opened.event],
    notifications: body.notify_user ? draftOwnerNotifications(ctx, opened.of) : [],
    answer: created(asSeen(ctx.fields, opened.event.body, (fields) => presentCase(opened.of, ctx, fields))),
    late: caseNumber,
  });
}
