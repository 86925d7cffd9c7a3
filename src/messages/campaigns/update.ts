/** Changes a campaign that is not being sent. */
import { changeOwner, selectOwnerFacts } from "../../identity/owners.ts";
import { type Caller, requireRight } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { conflict, type FieldError, fieldError } from "../../core/errors.ts";
import { differs } from "../../db/alters.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { sql, updateVersioned } from "../../db/statements.ts";
import type { Filtering } from "../../customers/filter_catalogue.ts";
import { checkMatch } from "../../http/conditional.ts";
import { makeChanges } from "../../records/members.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { checkApproved, checkFrame, checkMessage, checkSendAt, checkTask, readTaskBody } from "./checks.ts";
import { domainMissing, withFilter } from "./create.ts";
import { presentFullCampaign, type TaskPlan } from "./present.ts";
import { type CampaignRecord, requireCampaign, selectCampaignById } from "./queries.ts";
import {
  checkReferences,
  guardReferences,
  type Named,
  readReferences,
  selectReferences,
} from "./references.ts";
import { checkFilter, composeMessageAfter, indexName, throwErrors } from "./write.ts";
import { type CampaignChange, campaignMembers, campaigns } from "./record.ts";

/** Returns the changed campaign. An absent member keeps its value. Throws 409 `campaign_sent`. */
export async function updateCampaign(
  ctx: Context,
  filtering: Filtering,
  id: string,
  given: CampaignChange,
) {
  const { companyId } = ctx.caller;
  const [stored, facts, ...results] = await ctx.deps.db.read([
    selectCampaignById(companyId, id),
    selectOwnerFacts(companyId, given),
    ...selectReferences(companyId, pickReferences(ctx.caller, id, given)),
  ]);
  const before = requireCampaign(ctx.caller, stored!);
  const body = withoutRepeated(given, before);
  const { owner, guards } = changeOwner(
    ctx.caller,
    before,
    body,
    facts!.rows[0]!,
  );
  checkMatch(ctx, () => presentFullCampaign(ctx.deps, before));
  checkNotSent(before);
  const found = readReferences(results);
  const errors: FieldError[] = [];
  const headers: Record<string, string> = {};
  if (body.type !== undefined && body.type !== before.type) {
    errors.push(
      fieldError(
        "type",
        "not_editable",
        "The type of a campaign never changes.",
      ),
    );
  }
  const approved = body.approved ?? before.status !== "draft";
  if (approved) requireRight(ctx.caller, "campaigns.send");
  const plan = body.task === undefined ? readStoredTask(before) : readTaskBody(body.task);
  const draft = {
    ...makeChanges(campaignMembers, body, before),
    type: before.type,
    approved,
    ...await composeMessageAfter(before, body.message, errors),
    filter: body.filter === undefined
      ? before.filter
      : checkFilter(ctx, filtering, body.filter, errors, headers),
    ...plan,
  };
  checkMessage(draft, (part) => before[part] !== null, errors);
  checkApproved(
    withFilter(draft, body.filter),
    "An approved campaign needs it; only POST takes execute_now.",
    errors,
  );
  checkSendAt(draft, body.send_at !== undefined, ctx.at, errors);
  const isJudged = approved || body.task !== undefined ||
    body.send_at !== undefined;
  if (isJudged) checkTask(draft, draft.send_at ?? ctx.at, errors);
  checkFrame(draft, errors);
  const names = approved || body.task !== undefined ||
    body.template_id !== undefined;
  if (names) checkReferences(ctx.caller, draft, owner, found, errors);
  throwErrors(errors);
  if (approved && !found.hasDomain) throw domainMissing();

  const { approved: _, task, ...columns } = draft;
  const set = {
    ...owner,
    ...columns,
    // The campaign of a deleted user is sent by the rights of who approves it.
    user_id: approved ? found.user_id : before.user_id,
    status: approved ? "pending" as const : "draft" as const,
    ...(approved ? { stopped_reason: null } : {}),
    task: task === null ? null : JSON.stringify(task),
    updated_at: ctx.at,
  };
  return await commit(ctx, {
    statements: [
      ...guards,
      ...guardReferences(companyId, draft),
      updateVersioned(campaigns, {
        ...set,
        // What a body repeats stays as it was approved.
        approved_by: approved && differs(set, before) ? ctx.caller.userId : before.approved_by,
        origin: ctx.origin,
      }, before),
      guardChanged("campaign"),
      ...(set.name === before.name ? [] : [indexName(before.seq, companyId, set.name)]),
    ],
    answer: ok(
      presentFullCampaign(ctx.deps, {
        ...before,
        ...set,
        ...found,
        user_id: set.user_id,
        user_name: approved ? found.user_name : before.user_name,
      }),
      headers,
    ),
  });
}

/** Throws 409 for a campaign that is being sent or was sent. */
export function checkNotSent(
  { status, stage }: Pick<CampaignRecord, "status" | "stage">,
): void {
  if (status !== "sent" && stage === null) return;
  throw conflict("campaign_sent", "The campaign is being sent or was sent.");
}

/** A draft may keep what is stored, also when it has passed or names something that is gone. */
function withoutRepeated(body: CampaignChange, before: CampaignRecord): CampaignChange {
  const { template_id, send_at, task, ...others } = body;
  const isTask = task === undefined ||
    JSON.stringify(readTaskBody(task)) === JSON.stringify(readStoredTask(before));
  return {
    ...others,
    ...(template_id === before.template_id ? {} : { template_id }),
    ...(send_at === before.send_at ? {} : { send_at }),
    ...(isTask ? {} : { task }),
  };
}

function readStoredTask({ task, relations_path_id }: CampaignRecord) {
  return {
    task: task === null ? null : JSON.parse(task) as TaskPlan,
    relations_path_id,
  };
}

/** Returns the ids that the body names, and otherwise those that the stored campaign names. */
function pickReferences({ userId }: Caller, id: string, { template_id, task }: CampaignChange): Named {
  const stored = sql`from campaigns where id = ${id}`;
  const given = task === undefined ? null : readTaskBody(task);
  return {
    template_id: template_id === undefined ? sql`(select template_id ${stored})` : template_id,
    relations_path_id: given ? given.relations_path_id : sql`(select relations_path_id ${stored})`,
    users: given
      ? JSON.stringify(given.task?.distribute_users ?? [])
      : sql`(select coalesce(task -> '$.distribute_users', '[]') ${stored})`,
    user_id: sql`(select coalesce(u.id, ${userId}) from campaigns c
      left join users u on u.id = c.user_id and u.deleted_at is null where c.id = ${id})`,
  };
}
