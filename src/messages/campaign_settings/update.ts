/** Changes the settings of campaigns. */
import { ok } from "../../core/answer.ts";
import { conflict, fieldError, invalid } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { insert, sql, update } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged, guardThat } from "../../platform/database/database.ts";
import { presentCampaignSettings } from "./present.ts";
import { readSettings, selectCampaignSettings } from "./queries.ts";
import type { CampaignSettingsChange } from "./schema.ts";
import { campaignSettings } from "./table.ts";

/** Slugs that are reserved, because mail or its operator use these names. */
const reserved = new Set([
  "www",
  "mail",
  "smtp",
  "api",
  "admin",
  "app",
  "no-reply",
  "postmaster",
]);

/** Returns the changed settings. An absent member keeps its value. */
export async function updateCampaignSettings(
  ctx: Context,
  body: CampaignSettingsChange,
) {
  const { deps, caller: { companyId } } = ctx;
  const slug = body.domain_slug ?? null;
  const isWaiting =
    sql`exists (select 1 from campaigns where company_id = ${companyId} and status = 'pending')`;
  const isTaken = sql`exists (select 1 from campaign_settings where domain_slug = ${slug}
    and company_id <> ${companyId})`;
  const [found, facts] = await deps.db.read([
    selectCampaignSettings(companyId),
    sql`select ${isWaiting} as is_waiting, ${isTaken} as is_taken`,
  ]);
  const before = readSettings(companyId, ctx.at, found!);
  checkMatch(ctx, () => presentCampaignSettings(deps, before));
  const { is_waiting, is_taken } = facts!.rows[0]!;
  if (slug !== null && (is_taken === 1 || reserved.has(slug))) {
    throw invalid(
      fieldError(
        "domain_slug",
        "unique",
        "Another company has it, or it is reserved.",
      ),
    );
  }
  const given = body.consent ?? {};
  const chooseFlag = (value: boolean | null | undefined, stored: number) =>
    value === undefined ? stored : value ? 1 : 0;
  const set = {
    domain_slug: body.domain_slug === undefined ? before.domain_slug : slug,
    consent_enable: chooseFlag(given.enable, before.consent_enable),
    consent_custom: chooseFlag(given.custom, before.consent_custom),
    unsubscribe_url: given.unsubscribe_url === undefined ? before.unsubscribe_url : given.unsubscribe_url,
    updated_at: ctx.at,
  };
  if (set.consent_custom === 1 && set.unsubscribe_url === null) {
    const rule = "Must have a value when consent.custom is true.";
    throw invalid(fieldError("consent.unsubscribe_url", "required", rule));
  }
  const loses = before.domain === null && before.domain_slug !== null &&
    set.domain_slug === null;
  if (loses && is_waiting === 1) {
    throw conflict(
      "campaign_domain_missing",
      "Approved campaigns wait to be sent from the domain.",
    );
  }
  const after = { ...before, ...set, version: before.version + 1 };
  return await commit(ctx, {
    statements: [
      ...(loses ? [guardThat("campaigns", sql`not ${isWaiting}`)] : []),
      ...(before.version === 0 ? [insert(campaignSettings, after)] : [
        update(campaignSettings, { ...set, version: after.version }, {
          company_id: companyId,
          version: before.version,
        }, before),
        guardChanged("settings"),
      ]),
    ],
    answer: ok(presentCampaignSettings(deps, after)),
  });
}
