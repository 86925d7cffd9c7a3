import { lifetimes } from "../../core/lifetimes.ts";
import { created } from "../../core/answer.ts";
import { type FieldError, fieldError, invalid } from "../../core/errors.ts";
import { makeToken } from "../../core/ids.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardVersions, insert } from "../../db/statements.ts";
import { sha256 } from "../../platform/crypto.ts";
import type { Result } from "../../platform/database/database.ts";
import { makeInvitationMailLimit, makeWrittenMailLimits } from "../attempts/limits.ts";
import { Attempts } from "../attempts/attempts.ts";
import { makeEmailKey } from "../email_key.ts";
import { companyById, readOwn } from "../companies/queries.ts";
import { composeInvitationMail } from "../mails.ts";
import { requireReach } from "../permissions.ts";
import { type GivenRole, readRoles, selectRolesByIds } from "../roles/queries.ts";
import { readTeams, selectTeamsByIds, type TeamFacts } from "../teams/queries.ts";
import { checkCompany } from "../users/check_company.ts";
import { checkMayCreate, checkRoles, checkTeams, listMissing } from "../users/permissions.ts";
import { selectUserByEmail } from "../users/queries.ts";
import { guardNoneOpen, openFor } from "./queries.ts";
import type { CreateInvitation } from "./schema.ts";
import { invitations } from "./table.ts";

/** Milliseconds. */
export const lifetime = lifetimes.invitation;

/**
 * Returns 201 with the token, and mails it. Checks teams and roles now, not when the invitation is accepted.
 * Throws 429 after five mails of the company to the address in an hour, and when the caller has written too many.
 */
export async function createInvitation(
  ctx: Context,
  companyId: number,
  body: CreateInvitation,
) {
  checkCompany(ctx, companyId);
  checkMayCreate(ctx.caller, body);
  const { email } = body;
  const teamIds = body.team_ids ?? [];
  const roleIds = body.role_ids ?? [];
  const mails = new Attempts(ctx, [makeInvitationMailLimit(companyId, email), ...makeWrittenMailLimits(ctx)]);
  const [sent, companyFound, taken, open, teamsFound, rolesFound] = await ctx.deps.db.read([
    mails.read,
    companyById(companyId),
    selectUserByEmail(email),
    openFor(companyId, email, ctx.now),
    selectTeamsByIds(companyId, teamIds),
    selectRolesByIds(companyId, roleIds),
  ]);
  const company = readOwn(companyFound);
  const [teams, roles] = [readTeams(teamsFound!), readRoles(rolesFound!)];
  const errors = [
    ...listMissing("team_ids", "team", teamIds, teams),
    ...listMissing("role_ids", "role", roleIds, roles),
    ...listTakenFaults(taken!),
  ];
  if (open!.rows.length > 0) {
    errors.push(
      fieldError("email", "unique", "This address has an open invitation: resend that one instead."),
    );
  }
  if (errors.length > 0) throw invalid(...errors);
  checkMayGive(ctx, teams, roles);
  mails.check(sent!);

  const token = makeToken();
  const expires_at = ctx.now + lifetime;
  return await commit(ctx, {
    statements: [
      mails.guard,
      mails.count,
      guardVersions("companies", [company]),
      guardVersions("teams", teams),
      guardVersions("roles", roles),
      guardNoneOpen(companyId, email, ctx.now),
      insert(invitations, {
        company_id: companyId,
        email,
        email_key: makeEmailKey(email),
        token_hash: sha256(token),
        role_ids: JSON.stringify(roleIds),
        team_ids: JSON.stringify(teamIds),
        created_by: ctx.caller.userId,
        expires_at,
        created_at: ctx.at,
        updated_at: ctx.at,
      }),
    ],
    answer: {
      ...created(
        { id: 0, email, invite_token: token, expires_at: formatTimestamp(expires_at) },
      ),
      secrets: ["invite_token"],
    },
    idFrom: invitations,
    mails: [{ ...composeInvitationMail(ctx, email, company.name, token), lane: "correspondence" }],
  });
}

export function listTakenFaults({ rows }: Result): FieldError[] {
  if (rows.length === 0) return [];
  return [fieldError("email", "unique", "A user already has this e-mail address.")];
}

/**
 * Checks teams and roles as for a new user: teams within reach, roles without a right that the caller lacks.
 */
export function checkMayGive(
  { caller }: Context,
  teams: readonly TeamFacts[],
  roles: readonly GivenRole[],
): void {
  checkMayCreate(caller, { team_ids: teams.map(({ id }) => id!), role_ids: roles.map(({ id }) => id) });
  checkTeams(caller, requireReach(caller, "users.create"), teams);
  checkRoles(caller, roles);
}
