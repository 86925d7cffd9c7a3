import { ok } from "../../core/answer.ts";
import { type FieldError, fieldError, invalid, missingReference } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import { requireReach } from "../permissions.ts";
import { defaultSettings } from "./defaults.ts";
import { premiumPlan } from "./plans.ts";
import { presentSettings } from "./present.ts";
import { checkOwn, companyById, readOwn } from "./queries.ts";
import type { UpdateSettings } from "./schema.ts";
import { applyGiven, changeCompany, getMember } from "./write.ts";

/** Selects a row when the account belongs to the company. The accounts feature provides the function. */
export type AccountOfCompany = (companyId: number, accountId: string) => Statement;

/** Returns 200 with the updated settings. */
export async function updateSettings(
  ctx: Context,
  id: number,
  body: UpdateSettings,
  accountOf: AccountOfCompany,
) {
  checkOwn(ctx, id);
  requireReach(ctx.caller, "company.write");
  const account = body.default_account_id ? accountOf(id, body.default_account_id) : null;
  const [found, accounts] = await ctx.deps.db.read([companyById(id), ...(account ? [account] : [])]);
  const before = readOwn(found);
  checkMatch(ctx, () => presentSettings(before));
  const errors: FieldError[] = [];
  if (account && accounts!.rows.length === 0) errors.push(missingReference("default_account_id", "account"));
  if (body.use_social_lookup && before.plan_id !== premiumPlan) {
    errors.push(fieldError("use_social_lookup", "excluded", "Requires the premium plan."));
  }
  if (errors.length > 0) throw invalid(...errors);
  const flag = (value: boolean | null | undefined, now: number) => value === undefined ? now : value ? 1 : 0;
  const changed = {
    theme: applyGiven(body.theme, before.theme, defaultSettings.theme),
    product_mode: applyGiven(
      getMember(body.product, "mode"),
      before.product_mode,
      defaultSettings.product_mode,
    ),
    default_account_id: applyGiven(body.default_account_id, before.default_account_id, null),
    teams_can_create_relations_paths: flag(
      body.teams_can_create_relations_paths,
      before.teams_can_create_relations_paths,
    ),
    groups_can_create_relations_paths: flag(
      body.groups_can_create_relations_paths,
      before.groups_can_create_relations_paths,
    ),
    use_social_lookup: flag(body.use_social_lookup, before.use_social_lookup),
    email_tracking: flag(body.email_tracking, before.email_tracking),
    updated_at: ctx.at,
  };
  return await commit(ctx, {
    statements: [
      ...(account ? [guardThat("account", sql`exists (${account})`)] : []),
      ...changeCompany(before, changed),
    ],
    answer: ok(presentSettings({ ...before, ...changed })),
  });
}
