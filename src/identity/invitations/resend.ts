import { accepted } from "../../core/answer.ts";
import { invalid, notFound } from "../../core/errors.ts";
import { makeToken } from "../../core/ids.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardVersions, sql, updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { sha256 } from "../../platform/crypto.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { makeInvitationMailLimit, makeWrittenMailLimits } from "../attempts/limits.ts";
import { Attempts } from "../attempts/attempts.ts";
import { companyById, readOwn } from "../companies/queries.ts";
import { composeInvitationMail } from "../mails.ts";
import { requireReach } from "../permissions.ts";
import { readRoles, selectRolesByIds } from "../roles/queries.ts";
import { readTeams, selectTeamsByIds } from "../teams/queries.ts";
import { checkCompany } from "../users/check_company.ts";
import { checkMayGive, lifetime, listTakenFaults } from "./create.ts";
import { presentInvitation } from "./present.ts";
import { type InvitationPlace, readInvitation, selectInvitationById, selectInvited } from "./queries.ts";
import { invitations } from "./table.ts";

/**
 * Returns 202 and mails a new token, since the database stores only the hash of the old one. The new token
 * works for seven days. The same checks apply as for a new invitation: the caller must be able to give the
 * teams and roles. Throws 429 after five mails of the company to the address in an hour, and when the caller has written too many.
 */
export async function resendInvitation(ctx: Context, at: InvitationPlace) {
  checkCompany(ctx, at.company_id);
  requireReach(ctx.caller, "users.create");
  const [found, companyFound, taken, teamsFound, rolesFound] = await ctx.deps.db.read([
    selectInvitationById(ctx, at.invitation_id),
    companyById(at.company_id),
    selectInvited(at.invitation_id),
    selectTeamsByIds(at.company_id, sql`(select team_ids from invitations where id = ${at.invitation_id})`),
    selectRolesByIds(at.company_id, sql`(select role_ids from invitations where id = ${at.invitation_id})`),
  ]);
  const row = found!.rows[0];
  if (!row) throw notFound();
  const company = readOwn(companyFound);
  const invitation = readInvitation(row);
  checkMatch(ctx, () => presentInvitation(invitation));
  const [teams, roles] = [readTeams(teamsFound!), readRoles(rolesFound!)];
  checkMayGive(ctx, teams, roles);
  const errors = listTakenFaults(taken!);
  if (errors.length > 0) throw invalid(...errors);
  const token = makeToken();
  // The limit depends on the address, which was read just now. To check the limit before the commit would
  // cost every call another round trip.
  const mails = new Attempts(ctx, [
    makeInvitationMailLimit(at.company_id, invitation.email),
    ...makeWrittenMailLimits(ctx),
  ]);
  return await mails.within(() =>
    commit(ctx, {
      statements: [
        mails.guard,
        mails.count,
        guardVersions("teams", teams),
        guardVersions("roles", roles),
        updateVersioned(invitations, {
          token_hash: sha256(token),
          expires_at: ctx.now + lifetime,
          updated_at: ctx.at,
        }, invitation),
        guardChanged("stale"),
      ],
      answer: accepted(),
      mails: [{
        ...composeInvitationMail(ctx, invitation.email, company.name, token),
        lane: "correspondence",
      }],
    })
  );
}
