import { ok } from "../../core/answer.ts";
import { checkRecordSize } from "../../core/budgets.ts";
import { conflict, fieldError, invalid, notFound } from "../../core/errors.ts";
import { sanitizeText } from "../../core/html.ts";
import { userTypes } from "../../core/rights.ts";
import { markShown } from "../../db/alters.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardVersions, sql, updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { makeChanges } from "../../records/members.ts";
import { companyById, type CompanyFacts, readOwn } from "../companies/queries.ts";
import { type GivenRole, readRoles, selectRolesByIds } from "../roles/queries.ts";
import { assignRoles, takeRoles } from "../roles/write.ts";
import { readTeams, selectTeamsByIds, type TeamFacts } from "../teams/queries.ts";
import { joinTeams, leaveTeams } from "../teams/write.ts";
import { makeEmailKey } from "../email_key.ts";
import { AddressChanges } from "./address.ts";
import { checkCompany } from "./check_company.ts";
import { checkMayUpdate, listMissing } from "./permissions.ts";
import { presentUser } from "./present.ts";
import { checkMayPromote } from "./promotion.ts";
import {
  guardOtherAdmin,
  otherAdmin,
  readUser,
  selectUserByEmail,
  selectUserById,
  type UserFacts,
  type UserPlace,
} from "./queries.ts";
import { type UpdateUser, userMembers, users } from "./record.ts";
import { draftUserEvent, guardShown, indexUser } from "./write.ts";

/** Returns 200 with the user. Values that a PUT repeats need no permission. */
export async function updateUser(ctx: Context, at: UserPlace, body: UpdateUser) {
  checkCompany(ctx, at.company_id);
  const { company_id, user_id: id } = at;
  const address = new AddressChanges(ctx, id);
  const [found, companyFound, taken, teamsFound, rolesFound, admins, roleRights, sent, written] = await ctx
    .deps.db.read([
      selectUserById(company_id, id),
      companyById(company_id),
      selectUserByEmail(body.email ?? ""),
      selectTeamsByIds(company_id, body.team_ids ?? []),
      selectRolesByIds(company_id, body.role_ids ?? []),
      otherAdmin(company_id, id),
      ...address.reads,
    ]);
  const row = found!.rows[0];
  if (!row) throw notFound();
  const before = readUser(row);
  const company = readOwn(companyFound);
  checkMayUpdate(ctx.caller, before);
  checkMatch(ctx, () => presentUser(before, ctx));
  const moved = address.change(before, body.email, {
    roleRights: roleRights!,
    sent: sent!,
    written: written!,
  });

  const [teams, roles] = [readTeams(teamsFound!), readRoles(rolesFound!)];
  const errors = [
    ...listMissing("team_ids", "team", body.team_ids ?? [], teams),
    ...listMissing("role_ids", "role", body.role_ids ?? [], roles),
  ];
  if (taken!.rows.some((other) => other.id !== id)) {
    errors.push(fieldError("email", "unique", "A user already has this e-mail address."));
  }
  if (errors.length > 0) throw invalid(...errors);

  const { after, changes } = await changeUser(ctx, before, company, body, teams, roles);
  checkMayPromote(ctx.caller, {
    before,
    after,
    held: roleRights!.rows.map(({ right_name }) => right_name as string),
    named: body.role_ids === undefined ? null : roles,
  });
  const leaves = before.user_type === userTypes.admin && after.user_type !== userTypes.admin;
  if (leaves && admins!.rows.length === 0) {
    throw conflict("last_admin", "This is the last admin of the company.");
  }
  const presented = presentUser(after, ctx);
  checkRecordSize(presented, body.team_ids ? "team_ids" : "signature.email", () => presentUser(before, ctx));
  return await commit(ctx, {
    statements: [
      guardVersions("companies", [company]),
      ...guardShown(after),
      guardVersions("roles", before.roles),
      ...(leaves ? [guardOtherAdmin(company_id, id)] : []),
      updateVersioned(users, { ...changes, email_key: makeEmailKey(after.email) }, { ...before, id }),
      guardChanged("stale"),
      ...changeMemberships(id, before, body),
      ...moved.statements.map((statement) => ({ ...statement, alters: true })),
      ...markShown([indexUser(sql`${id}`, after)]),
    ],
    events: [draftUserEvent("user_updated", before, presented)],
    mails: moved.mails,
    answer: ok(presented),
  });
}

/** The user after the change, and the changed columns. */
async function changeUser(
  ctx: Context,
  before: UserFacts,
  company: CompanyFacts,
  body: UpdateUser,
  given: readonly TeamFacts[],
  roles: readonly GivenRole[],
) {
  const { timezone, locale, signature } = body;
  const teams = body.team_ids === undefined ? before.teams : given;
  const stays = teams.some((team) => team.id === before.active_team_id);
  const html = signature === null ? null : signature?.email;
  const changes = {
    ...makeChanges(userMembers, body, before),
    timezone: chooseValue(timezone === null ? null : timezone?.name, before.timezone, company.timezone),
    locale: chooseValue(locale === null ? null : locale?.code, before.locale, company.locale),
    user_type: body.user_type?.id ?? before.user_type,
    signature_email: html === undefined ? before.signature_email : html && await sanitizeText(html),
    active_team_id: stays ? before.active_team_id : body.team_ids?.[0] ?? null,
    updated_at: ctx.at,
  };
  const after: UserFacts = {
    ...before,
    ...changes,
    teams,
    roles: body.role_ids === undefined ? before.roles : roles,
  };
  return { after, changes };
}

/** Returns the value after an update: `before` for an absent value, the company's (`everybody`) for null. */
function chooseValue(given: string | null | undefined, before: string, everybody: string): string {
  return given === undefined ? before : given ?? everybody;
}

function changeMemberships(id: number, before: UserFacts, { team_ids, role_ids }: UpdateUser): Statement[] {
  const known = sql`${id}`;
  // The answer shows neither of them as a list of ids.
  const markAltered = (
    statement: Statement,
    were: readonly { id: number | null }[],
    are: readonly number[],
  ) => ({
    ...statement,
    alters: new Set(were.map((one) => one.id)).symmetricDifference(new Set<number | null>(are)).size > 0,
  });
  return [
    ...(team_ids === undefined ? [] : [
      ...markShown([leaveTeams(id)]),
      markAltered(joinTeams(known, team_ids ?? []), before.teams, team_ids ?? []),
    ]),
    ...(role_ids === undefined ? [] : [
      ...markShown([takeRoles(id)]),
      markAltered(assignRoles(known, role_ids ?? []), before.roles, role_ids ?? []),
    ]),
  ];
}
