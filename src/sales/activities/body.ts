/** Reads and checks the body of a new activity. */
import { type FieldError, fieldError, invalid, missingReference } from "../../core/errors.ts";
import { sanitizeText } from "../../core/html.ts";
import type { Context } from "../../db/context.ts";
import { checkTimes } from "../../http/validate.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { selectPathOfCase } from "../cases/queries.ts";
import type { FullCase } from "../cases/parts.ts";
import type { ActivityTypeRow } from "../relations_paths/present.ts";
import { selectActivityTypesAmong } from "../relations_paths/queries.ts";
import { type Assignee, readAssignee } from "../tasks/assignee.ts";
import type { TaskRecord } from "../tasks/record.ts";
import { checkProducts } from "./product_details.ts";
import type { CreateActivityBody } from "./schema.ts";

export interface Checked {
  /** Milestones before supportive ones, the highest first. */
  readonly types: readonly ActivityTypeRow[];
  /** The name of the caller. */
  readonly author: string;
  /** The assignee of the planned task. */
  readonly user: Assignee | null;
  /** The open task that the activity completes. */
  readonly completed: TaskRecord | null;
  readonly extraSteps: readonly { readonly id: string; readonly name: string }[];
  readonly note: string | null;
}

/** Reads those of the given activity types that belong to the case's path. */
export function selectTypesOfCase(companyId: number, caseId: string, ids: readonly string[]): Statement {
  return selectActivityTypesAmong(selectPathOfCase(companyId, caseId), ids);
}

/**
 * Returns the checked body. Throws 422 with all references of the body that do not exist, and the errors in
 * `others`.
 */
export async function checkBody(
  ctx: Context,
  body: CreateActivityBody,
  before: FullCase,
  types: Result,
  users: Result,
  products: Result,
  others: readonly FieldError[],
): Promise<Checked> {
  const errors: FieldError[] = [];
  const found = types.rows.map((row) => row as ActivityTypeRow);
  checkTimes(ctx, body, errors);
  if (body.created_at !== undefined && body.created_at < before.created_at) {
    errors.push(
      fieldError(
        "created_at",
        "after",
        `Must not be before the case, which was created at ${before.created_at}.`,
      ),
    );
  }
  body.activity_type_ids.forEach((id, index) => {
    if (found.some((type) => type.id === id && (!body.isMove || type.is_milestone === 1))) return;
    if (body.isMove) return errors.push(missingReference("milestone_id", "milestone of the case's path"));
    errors.push(missingReference(`activity_type_ids[${index}]`, "activity type of the case's path"));
  });
  const steps = found.flatMap(({ extra_step_id: id, extra_step_name: name }) =>
    id === null ? [] : [{ id, name: name ?? "" }]
  );
  body.extra_step_ids?.forEach((id, index) => {
    if (steps.some((step) => step.id === id)) return;
    errors.push(
      fieldError(`extra_step_ids[${index}]`, "exists", "None of the activity types has this extra step."),
    );
  });
  const { author, user } = readAssignee(users);
  if (body.task && user === null) errors.push(missingReference("task.user_id", "user"));
  const completed = before.tasks.find((task) =>
    task.id === body.completed_task_id && task.completed_at === null
  );
  if (body.completed_task_id && !completed) {
    errors.push(missingReference("completed_task_id", "open task of the case"));
  }
  errors.push(...others);
  checkProducts(body.product_details, products, errors);
  if (errors.length > 0) throw invalid(...errors);
  return {
    types: found,
    author,
    user,
    completed: completed ?? null,
    extraSteps: steps.filter((step) => body.extra_step_ids?.includes(step.id)),
    note: body.note === undefined || body.note === null ? null : await sanitizeText(body.note),
  };
}
