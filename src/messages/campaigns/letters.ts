/** The address of the ZIP of a campaign's letters. */
import { isAdmin } from "../../core/access.ts";
import { accepted, ok } from "../../core/answer.ts";
import { conflict, forbidden } from "../../core/errors.ts";
import { seesField } from "../../fields/custom_fields.ts";
import { lifetimes } from "../../core/lifetimes.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { signHex } from "../../platform/signed_texts.ts";
import { checkMayWrite } from "../../identity/owners.ts";
import type { Scope } from "../placeholders/kept_values.ts";
import { requireCampaign, selectCampaignById } from "./queries.ts";

/** The purpose for which the addresses of ZIPs are signed. */
export const zipPurpose = "campaign letters";

/**
 * Returns 200 with the address of the ZIP, which works for five minutes; 202 until all letters are made. Throws
 * 403 when they show a value of a custom field that the caller does not see: a PDF stays as it was printed.
 */
export async function getLetters(ctx: Context, id: string) {
  const [found, counted, shown] = await ctx.deps.db.read([
    selectCampaignById(ctx.caller.companyId, id),
    sql`select count(*) as total, coalesce(sum(status <> 'pending'), 0) as done from campaign_messages
      where campaign_id = ${id}`,
    ...(isAdmin(ctx.caller) ? [] : [selectShownScopes(id)]),
  ]);
  const campaign = requireCampaign(ctx.caller, found!);
  // The letters may go to contacts that other readers of the campaign do not see.
  checkMayWrite(ctx.caller, campaign, campaign);
  if (campaign.type !== "letter" || campaign.status === "draft") {
    throw conflict("campaign_state", "Only an approved campaign by letter has letters.");
  }
  if (shown?.rows.some((scope) => !seesField(ctx.caller, scope as Row & Scope))) {
    throw forbidden("The letters show custom fields of a team or group that is not yours.");
  }
  const { total, done } = counted!.rows[0] as { total: number; done: number };
  const progress = { done, total };
  if (campaign.status !== "sent") return accepted({ url: null, progress });
  return ok({ url: signZipAddress(ctx, id), progress });
}

/** Reads the teams and groups whose custom fields the letters of a campaign show. */
function selectShownScopes(id: string): Statement {
  return sql`select distinct v.value ->> '$.scope.team_id' as team_id, v.value ->> '$.scope.group_id' as group_id
    from campaigns o join campaign_messages m on m.campaign_id = o.id, json_each(m."values") v
    where o.id = ${id} and o.snapshot like '%.custom.%' and m.object is not null and v.type = 'object'
      and v.value ->> '$.scope' is not null`;
}

function signZipAddress({ deps, origin, now }: Context, id: string): string {
  const until = Math.floor((now + lifetimes.fileLink) / 1000).toString(16).padStart(12, "0");
  const signature = signHex(deps.secretsKey, zipPurpose, until + id.replaceAll("-", ""));
  return `${origin}/campaigns/letters/${signature}`;
}
