/** Reads the settings of campaigns. */
import { ok } from "../../core/answer.ts";
import type { Context } from "../../db/context.ts";
import { selectColumns, type Sql, sql } from "../../db/statements.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { presentCampaignSettings } from "./present.ts";
import { campaignSettings, type CampaignSettingsRow } from "./table.ts";

/** Reads the row for `readSettings`. */
export function selectCampaignSettings(companyId: number): Statement {
  return sql`select ${selectColumns(campaignSettings, "s")} from campaign_settings s
    where s.company_id = ${companyId}`;
}

/** Returns the settings of the company. Without a row, these are the defaults with version 0. */
export function readSettings(
  companyId: number,
  at: string,
  found: Result,
): CampaignSettingsRow {
  return (found.rows[0] as CampaignSettingsRow & Row | undefined) ?? {
    company_id: companyId,
    domain: null,
    domain_slug: null,
    consent_enable: 0,
    consent_custom: 0,
    unsubscribe_url: null,
    created_at: at,
    updated_at: at,
    version: 0,
  };
}

/** SQL: 1 when the company has a domain to send campaigns from, else 0. */
export function hasDomain(companyId: number): Sql {
  return sql`exists (select 1 from campaign_settings s where s.company_id = ${companyId}
    and (s.domain is not null or s.domain_slug is not null))`;
}

export async function getCampaignSettings(ctx: Context) {
  const { deps, caller: { companyId } } = ctx;
  const [found] = await deps.db.read([selectCampaignSettings(companyId)]);
  return ok(
    presentCampaignSettings(deps, readSettings(companyId, ctx.at, found!)),
  );
}
