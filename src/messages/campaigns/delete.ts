/** Deletes a campaign that is not being sent. */
import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { remove } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { checkMayWrite, guardOwnerOfRecord } from "../../identity/owners.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { presentFullCampaign } from "./present.ts";
import { requireCampaign, selectCampaignById } from "./queries.ts";
import { checkNotSent } from "./update.ts";
import { campaigns } from "./record.ts";

/** Throws 409 `campaign_sent`. */
export async function deleteCampaign(ctx: Context, id: string) {
  const { companyId } = ctx.caller;
  const [found] = await ctx.deps.db.read([selectCampaignById(companyId, id)]);
  const campaign = requireCampaign(ctx.caller, found!);
  checkMayWrite(ctx.caller, campaign, campaign);
  checkMatch(ctx, () => presentFullCampaign(ctx.deps, campaign));
  checkNotSent(campaign);
  return await commit(ctx, {
    statements: [
      ...guardOwnerOfRecord(ctx.caller, campaign),
      remove(campaigns, {
        id,
        company_id: companyId,
        version: campaign.version,
      }),
      guardChanged("campaign"),
    ],
    answer: noContent,
  });
}
