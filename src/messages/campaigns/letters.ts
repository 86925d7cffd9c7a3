/** The address of the ZIP of a campaign's letters. */
import { accepted, ok } from "../../core/answer.ts";
import { conflict } from "../../core/errors.ts";
import { object } from "../../core/json.ts";
import { lifetimes } from "../../core/lifetimes.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { signHex } from "../../platform/signed.ts";
import { checkMayWrite } from "../belonging.ts";
import { campaignById, seenCampaign } from "./queries.ts";

/** The purpose for which the addresses of ZIPs are signed. */
export const zipPurpose = "campaign letters";

/** Returns 200 with the address of the ZIP, which works for five minutes; 202 until all letters are made. */
export async function getLetters(ctx: Context, id: string) {
  const [found, counted] = await ctx.deps.db.read([
    campaignById(ctx.caller.companyId, id),
    sql`select count(*) as total, coalesce(sum(status <> 'pending'), 0) as done from campaign_messages
      where campaign_id = ${id}`,
  ]);
  const campaign = seenCampaign(ctx.caller, found!);
  // The letters may go to contacts that other readers of the campaign do not see.
  checkMayWrite(ctx.caller, campaign);
  if (campaign.type !== "letter" || campaign.status === "draft") {
    throw conflict("campaign_state", "Only an approved campaign by letter has letters.");
  }
  const { total, done } = counted!.rows[0] as { total: number; done: number };
  const progress = object({ done, total });
  if (campaign.status !== "sent") return accepted(object({ url: null, progress }));
  return ok(object({ url: addressOf(ctx, id), progress }));
}

function addressOf({ deps, origin, now }: Context, id: string): string {
  const until = Math.floor((now + lifetimes.fileLink) / 1000).toString(16).padStart(12, "0");
  return `${origin}/campaigns/letters/${
    signHex(deps.secretsKey, zipPurpose, until + id.replaceAll("-", ""))
  }`;
}
