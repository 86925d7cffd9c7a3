/** Accepts an invitation: creates the invited person's user. */
import { type FieldError, fieldError, invalid, type Problem } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import { guardVersions, remove, sql } from "../../db/statements.ts";
import { sha256 } from "../../platform/crypto.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { inviteTokenLimit } from "../attempts/limits.ts";
import { Attempts, type Counting } from "../attempts/attempts.ts";
import { companyById } from "../companies/queries.ts";
import { wrongToken } from "../mailed_tokens.ts";
import type { Look } from "../pictures/address.ts";
import { readRoles, selectRolesByIds } from "../roles/queries.ts";
import { readTeams, selectTeamsByIds } from "../teams/queries.ts";
import { checkSso, makeSsoCredentials, selectSsoFacts } from "../sso/user_sso.ts";
import { makeUser, userChange } from "../users/write.ts";
import { presentUser } from "../users/present.ts";
import { makeEmailKey } from "../email_key.ts";
import { selectUserByEmail } from "../users/queries.ts";
import { type InvitationFacts, readInvitation, selectInvitationByHash } from "./queries.ts";
import type { AcceptInvitation } from "./schema.ts";
import { invitations } from "./table.ts";

/**
 * Returns the open invitation of a token, and the name of its company. Throws 404 for a wrong token, and 429
 * after ten wrong tokens in ten minutes.
 */
export async function findInvitation(
  author: Counting,
  token: string,
): Promise<InvitationFacts & { readonly company_name: string }> {
  const attempts = makeAttempts(author);
  const [found, failed] = await author.deps.db.read([
    selectInvitationByHash(sha256(token), author.now),
    attempts.read,
  ]);
  attempts.check(failed!);
  const row = found!.rows[0];
  if (!row) throw await countRefusal(attempts);
  return { ...readInvitation(row), company_name: row.company_name as string };
}

/**
 * Returns 201 with the user; throws 404 when the token does not work. The user gets the teams and roles of
 * the invitation that still exist. An invitation stays open when its creator is deleted; the company can
 * withdraw it. `more` adds statements to the batch, after those that create the user.
 */
export async function acceptInvitation(
  author: Counting & Look,
  at: { readonly company_id: number; readonly invite_token: string },
  body: AcceptInvitation,
  more: readonly Statement[] = [],
) {
  const hash = sha256(at.invite_token);
  const attempts = makeAttempts(author);
  const [failed, found, companyFound, taken, teamsFound, rolesFound, ssoFound] = await author.deps.db.read([
    attempts.read,
    selectInvitationByHash(hash, author.now),
    companyById(at.company_id),
    selectUserByEmail(body.email),
    selectTeamsByIds(at.company_id, sql`(select team_ids from invitations where token_hash = ${hash})`),
    selectRolesByIds(at.company_id, sql`(select role_ids from invitations where token_hash = ${hash})`),
    selectSsoFacts(at.company_id, body.sso),
  ]);
  attempts.check(failed!);
  const [row, company] = [found!.rows[0], companyById.row(companyFound)];
  if (!row || row.company_id !== at.company_id || !company) throw await countRefusal(attempts);
  const invitation = readInvitation(row);
  const errors: FieldError[] = [];
  if (makeEmailKey(body.email) !== makeEmailKey(invitation.email)) {
    errors.push(fieldError("email", "excluded", "Must be the invited address."));
  } else if (taken!.rows.length > 0) {
    errors.push(fieldError("email", "unique", "A user already has this e-mail address."));
  }
  errors.push(...checkSso(ssoFound!, body.sso));
  if (errors.length > 0) throw invalid(...errors);

  const teams = readTeams(teamsFound!);
  const user = makeUser(body, {
    company_id: at.company_id,
    locale: body.locale?.code ?? company.locale,
    timezone: body.timezone?.name ?? company.timezone,
    active_team_id: invitation.team_ids.find((id) => teams.some((team) => team.id === id)) ?? null,
    created_by: invitation.created_by,
    teams,
    roles: readRoles(rolesFound!),
  }, author.at);
  const password_hash = body.password == null
    ? null
    : await author.deps.passwords.hash(body.password, author.address());
  const presented = presentUser(user, author);
  const change = userChange(user, presented, { password_hash, ...makeSsoCredentials(body.sso) }, [
    remove(invitations, { id: invitation.id, version: invitation.version }),
    guardChanged("stale"),
    guardVersions("companies", [company]),
  ]);
  return await commit(author, { ...change, statements: [attempts.guard, ...change.statements, ...more] });
}

function makeAttempts(author: Counting): Attempts {
  return new Attempts(author, [inviteTokenLimit(author.client?.clientId ?? null, author.address())]);
}

async function countRefusal(attempts: Attempts): Promise<Problem> {
  await attempts.countFailure();
  return wrongToken("invitation");
}
