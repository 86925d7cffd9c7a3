/** A new relations path with its activity types. */
import { type Answer, created } from "../../core/answer.ts";
import { type FieldError, invalid, missingReference } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { insert, insertAll } from "../../db/statements.ts";
import { checkOwner, ownerFacts, ownerGuards } from "./ownership.ts";
import { type ActivityTypeRow, type PathRecord, presentPath } from "./present.ts";
import type { ActivityTypeBody, CreatePathBody } from "./schema.ts";
import { activityTypes, relationsPaths } from "./table.ts";

export async function createPath(ctx: Context, body: CreatePathBody): Promise<Answer> {
  const { companyId } = ctx.caller;
  const owner = { team_id: body.team_id ?? null, group_id: body.group_id ?? null };
  const [found] = await ctx.deps.db.read([ownerFacts(companyId, owner)]);
  const facts = found!.rows[0]!;
  checkOwner(ctx.caller, owner, facts);
  checkReferences(body);

  const path = newPath(ctx, body);
  const { activity_types, ...row } = path;
  return await commit(ctx, {
    statements: [
      ...ownerGuards(companyId, owner, facts),
      insert(relationsPaths, row),
      insertAll(activityTypes, [...activity_types]),
    ],
    answer: created(presentPath(path)),
  });
}

function newPath(ctx: Context, body: CreatePathBody): PathRecord {
  const id = newId(ctx.now);
  const { milestones, supportive } = body.activity_types;
  const rows = (types: readonly ActivityTypeBody[], milestone: boolean) =>
    types.map((type, index) => newActivityType(ctx, id, type, index, milestone));
  return {
    id,
    company_id: ctx.caller.companyId,
    team_id: body.team_id ?? null,
    group_id: body.group_id ?? null,
    name: body.name,
    is_sales_type: body.is_sales_type ? 1 : 0,
    created_by: ctx.caller.userId,
    created_at: ctx.at,
    updated_at: ctx.at,
    version: 1,
    activity_types: [...rows(milestones, true), ...rows(supportive ?? [], false)]
      .sort((left, right) => left.sort_order - right.sort_order),
  };
}

function newActivityType(
  ctx: Context,
  pathId: string,
  body: ActivityTypeBody,
  index: number,
  milestone: boolean,
): ActivityTypeRow {
  return {
    id: newId(ctx.now),
    company_id: ctx.caller.companyId,
    relations_path_id: pathId,
    is_milestone: milestone ? 1 : 0,
    name: body.name,
    description: body.description ?? null,
    type: body.type ?? null,
    sort_order: body.sort_order ?? index + 1,
    set_status: body.set_status ?? null,
    suggest_task_after: body.suggest_task_after ?? null,
    template_id: null,
    content_suggestions: JSON.stringify(body.content_suggestions ?? []),
    extra_step_id: body.extra_step ? newId(ctx.now) : null,
    extra_step_name: body.extra_step?.name ?? null,
    additional_steps: JSON.stringify(body.additional_steps ?? []),
    automated_communications: "[]",
    chance_of_success: body.chance_of_success ?? null,
    retired_at: null,
  };
}

/** There are no templates and no automated communications that an id could name. */
function checkReferences(body: CreatePathBody): void {
  const errors = (["milestones", "supportive"] as const).flatMap((kind) =>
    (body.activity_types[kind] ?? []).flatMap((type, index): FieldError[] => {
      const at = `activity_types.${kind}[${index}]`;
      const communications = (type.automated_communications ?? []).map((_, position) =>
        missingReference(`${at}.automated_communications[${position}]`, "automated communication")
      );
      return type.template_id
        ? [missingReference(`${at}.template_id`, "template"), ...communications]
        : communications;
    })
  );
  if (errors.length > 0) throw invalid(...errors);
}
