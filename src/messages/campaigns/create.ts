/** Creates a campaign. */
import { requireRight } from "../../core/access.ts";
import { created } from "../../core/answer.ts";
import { conflict, type FieldError } from "../../core/errors.ts";
import { makeId } from "../../core/ids.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardNumber } from "../../db/numbers.ts";
import { makeInitial } from "../../records/members.ts";
import { insert } from "../../db/statements.ts";
import type { Filtering } from "../../customers/filter_catalogue.ts";
import { checkOwner, chooseOwner, guardOwner, selectOwnerFacts } from "../../identity/owners.ts";
import { checkApproved, checkFrame, checkMessage, checkSendAt, checkTask, readTaskBody } from "./checks.ts";
import { presentFullCampaign } from "./present.ts";
import { checkReferences, guardReferences, readReferences, selectReferences } from "./references.ts";
import { sendNow } from "./send_now.ts";
import { checkFilter, composeMessageAfter, indexName, selectCampaignSeq, throwErrors } from "./write.ts";
import { type CampaignBody, campaignMembers, campaigns } from "./record.ts";

/** Returns 201 with the campaign. Throws 409 `campaign_domain_missing` without a domain to send from. */
export async function createCampaign(
  ctx: Context,
  filtering: Filtering,
  body: CampaignBody,
) {
  if (body.approved) requireRight(ctx.caller, "campaigns.send");
  const { companyId, userId } = ctx.caller;
  const owner = chooseOwner(ctx.caller, body);
  const { task, relations_path_id } = readTaskBody(body.task ?? null);
  const named = {
    template_id: body.template_id ?? null,
    relations_path_id,
    users: JSON.stringify(task?.distribute_users ?? []),
    user_id: userId,
  };
  const [facts, ...results] = await ctx.deps.db.read([
    selectOwnerFacts(companyId, owner),
    ...selectReferences(companyId, named),
  ]);
  checkOwner(ctx.caller, owner, facts!.rows[0]!);
  const found = readReferences(results);
  const errors: FieldError[] = [];
  const headers: Record<string, string> = {};
  const isNow = body.approved && body.execute_now;
  const draft = {
    ...makeInitial(campaignMembers, body),
    type: body.type,
    approved: body.approved,
    ...await composeMessageAfter(
      { subject: null, content: null, sender: null },
      body.message,
      errors,
    ),
    filter: checkFilter(ctx, filtering, body.filter ?? null, errors, headers),
    ...(isNow ? { send_at: ctx.at } : {}),
    task,
    relations_path_id,
  };
  checkMessage(draft, () => true, errors);
  checkApproved(withFilter(draft, body.filter), "An approved campaign needs it, or execute_now.", errors);
  if (!isNow) checkSendAt(draft, true, ctx.at, errors);
  checkTask(draft, draft.send_at ?? ctx.at, errors);
  checkFrame(draft, errors);
  checkReferences(ctx.caller, draft, owner, found, errors);
  throwErrors(errors);
  if (!found.hasDomain) throw domainMissing();

  const { approved, ...columns } = draft;
  const row = {
    id: makeId(ctx.now),
    company_id: companyId,
    ...owner,
    user_id: userId,
    approved_by: approved ? userId : null,
    ...columns,
    status: approved ? "pending" as const : "draft" as const,
    task: task === null ? null : JSON.stringify(task),
    sent_at: null,
    created_at: ctx.at,
    updated_at: ctx.at,
  };
  const made = await commit(ctx, {
    statements: [
      guardNumber("campaigns", companyId),
      guardOwner(companyId, owner, facts!.rows[0]!),
      ...guardReferences(companyId, draft),
      insert(campaigns, { ...row, origin: ctx.origin }),
      indexName(selectCampaignSeq(row.id), companyId, row.name),
    ],
    answer: { ...created(presentFullCampaign(ctx.deps, { ...row, ...found })), headers },
  });
  if (isNow) sendNow(ctx.deps, filtering.contributions, row.id);
  return made;
}

export function domainMissing() {
  return conflict(
    "campaign_domain_missing",
    "The company has no domain to send campaigns from; set domain_slug by PUT /v1/campaigns/settings.",
  );
}

/**
 * Replaces a filter that was given but has faults by an empty one, so that it is not reported as missing too.
 */
export function withFilter<D extends { readonly filter: string | null }>(
  draft: D,
  given: unknown,
): D {
  return draft.filter === null && given !== undefined && given !== null ? { ...draft, filter: "[]" } : draft;
}
