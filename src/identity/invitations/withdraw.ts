import { noContent } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { remove } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { requireReach } from "../permissions.ts";
import { checkCompany } from "../users/check_company.ts";
import { presentInvitation } from "./present.ts";
import { type InvitationPlace, readInvitation, selectInvitationById } from "./queries.ts";
import { invitations } from "./table.ts";

/** Returns 204. The link no longer works. */
export async function withdrawInvitation(ctx: Context, at: InvitationPlace) {
  checkCompany(ctx, at.company_id);
  requireReach(ctx.caller, "users.create");
  const [found] = await ctx.deps.db.read([selectInvitationById(ctx, at.invitation_id)]);
  const row = found!.rows[0];
  if (!row) throw notFound();
  const invitation = readInvitation(row);
  checkMatch(ctx, () => presentInvitation(invitation));
  return await commit(ctx, {
    statements: [
      remove(invitations, { id: invitation.id, version: invitation.version }),
      guardChanged("stale"),
    ],
    answer: noContent,
  });
}
