/** Creates an activity on a case, with all its effects in one commit. */
import { created } from "../../core/answer.ts";
import { checkRecordSize } from "../../core/budgets.ts";
import type { FieldError } from "../../core/errors.ts";
import { makeId } from "../../core/ids.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { insert, sql } from "../../db/statements.ts";
import { noteActivity } from "../../customers/contacts/last_activity.ts";
import { selectStarts, startSends } from "../automated_sends/start.ts";
import { findFirstAutomated } from "../case_parts/automated.ts";
import { caseByIdCount, requireVisibleCase, selectCaseById, selectPathOfCase } from "../cases/queries.ts";
import type { FullCase } from "../cases/parts.ts";
import { changeCase, changeContactStatus, checkCaseSize, insertMilestones } from "../cases/write.ts";
import { applyFirstActivity, selectWaitingLeads } from "../leads/first_activity.ts";
import { guardAssignee, selectAssignee } from "../tasks/assignee.ts";
import type { TaskRecord } from "../tasks/record.ts";
import { addTask, completeTask, draftTaskNotifications, planTask } from "../tasks/write.ts";
import { checkBody, type Checked, selectTypesOfCase } from "./body.ts";
import { effectsOn } from "./effects.ts";
import type { Correspondence, WrittenCorrespondence } from "./correspondence.ts";
import { type ActivityRecord, presentActivity } from "../case_parts/activities.ts";
import type { CreateActivityBody } from "./schema.ts";
import { orderDetails, type ProductDetail } from "../case_parts/product_details.ts";
import { computeWorth, makeProductDetails, selectProducts } from "./product_details.ts";
import { activities } from "./table.ts";

/** Returns 201 with the activity. */
export async function createActivity(
  ctx: Context,
  caseId: string,
  body: CreateActivityBody,
  correspondence: Correspondence,
) {
  const { companyId, userId } = ctx.caller;
  const of = sql`${caseId}`;
  const texts = correspondence.reads(ctx, caseId, body.correspondence);
  const [types, users, products, leads, starts, ...found] = await ctx.deps.db.read([
    selectTypesOfCase(companyId, caseId, body.activity_type_ids),
    selectAssignee(ctx, of, body.task?.user_id ?? userId),
    selectProducts(ctx, body.product_details),
    selectWaitingLeads(caseId, companyId),
    selectStarts(companyId, selectPathOfCase(companyId, caseId), caseId, body.activity_type_ids),
    ...selectCaseById(companyId, caseId),
    ...texts,
  ]);
  const before = requireVisibleCase(ctx, found.slice(0, caseByIdCount));
  const errors: FieldError[] = [];
  const writeTexts = await correspondence.check(ctx, body, before, found.slice(caseByIdCount), errors);
  const checked = await checkBody(ctx, body, before, types!, users!, products!, errors);

  const id = makeId(ctx.now);
  const created_at = body.created_at ?? ctx.at;
  const effects = effectsOn(before, checked.types, { id, created_at });
  const contact = changeContactStatus(ctx, before.contact, effects.changes.status);
  const lead = applyFirstActivity(ctx, leads!.rows, contact.contact);
  const shownCase = { ...before, status: effects.changes.status };
  const planned = body.task ? await planTask(ctx, shownCase, id, body.task, checked.user!) : null;
  const { details, guards } = makeProductDetails(ctx, body.product_details, created_at, products!);
  const completed = checked.completed ? completeTask(ctx, checked.completed, shownCase) : null;
  const written = await writeTexts({ activityId: id, of: before, details });
  const started = startSends(ctx, starts!, {
    id,
    case_id: caseId,
    created_at,
    types: checked.types.map((type) => type.id),
    status: effects.changes.status,
    timezone: before.team?.timezone ?? null,
  });
  const activity = makeActivity(
    ctx,
    { id, case_id: caseId, created_at },
    body,
    checked,
    written,
    details,
    planned?.task ?? null,
  );
  const changed = changeCase(ctx, before, { ...effects.changes, effective_at: created_at }, {
    contact: contact.contact,
    milestones: effects.milestones,
    recent_activity: effects.isLatest ? activity : recentAfter(before, completed?.task ?? null),
    tasks: tasksAfter(before, planned?.task ?? null, completed?.task ?? null),
    next_automated: findFirstAutomated([before.next_automated, started.next]),
    lead: chooseLeadAfter(ctx, before, lead.events),
    product_details: orderDetails([...before.product_details, ...details]),
    value: valueAfter(before, details, created_at),
  });

  const shown = presentActivity(activity, ctx.at);
  const largest = body.product_details ? "product_details" : body.task?.note ? "task.note" : "note";
  if (planned) checkRecordSize(planned.event.body, "task.note");
  checkRecordSize(shown, largest);
  checkCaseSize(ctx, before, changed, largest);
  const { task: _task, user_name: _user, ...row } = activity;
  const activityEvent: EventDraft = {
    name: "activity_created",
    entity: { type: "activity", id, team_id: before.team_id, created_by: activity.created_by },
    body: shown,
  };
  const tasks = [planned, completed].filter((write) => write !== null);
  return await commit(ctx, {
    statements: [
      ...guards,
      ...(planned ? [guardAssignee(ctx, of, checked.user!)] : []),
      ...contact.statements,
      // Before the case: the offer of the activity is the value of a case that the activity closes.
      insert(activities, row),
      ...changed.statements,
      ...written.statements,
      ...started.statements,
      ...insertMilestones(caseId, id, effects.newlyDone),
      ...tasks.flatMap(({ statements }) => statements),
      ...lead.statements,
      ...noteActivity(before.contact, created_at),
    ],
    events: [
      activityEvent,
      ...tasks.map(({ event }) => event),
      changed.event,
      ...contact.events,
      ...lead.events,
    ],
    notifications: planned ? draftTaskNotifications(userId, [planned.task]) : [],
    mails: written.mails,
    answer: created(shown),
  });
}

function makeActivity(
  ctx: Context,
  of: { readonly id: string; readonly case_id: string; readonly created_at: string },
  body: CreateActivityBody,
  checked: Checked,
  { shown }: WrittenCorrespondence,
  details: readonly ProductDetail[],
  task: TaskRecord | null,
): ActivityRecord {
  return {
    ...of,
    company_id: ctx.caller.companyId,
    user_id: ctx.caller.userId,
    activity_types: JSON.stringify(checked.types.map(({ id, name, description, is_milestone }) => ({
      id,
      name,
      description,
      is_milestone: is_milestone === 1,
    }))),
    communication_channel: body.communication_channel ?? null,
    extra_steps: JSON.stringify(checked.extraSteps),
    note: checked.note,
    correspondence: shown && JSON.stringify(shown),
    product_details: JSON.stringify(details),
    task_id: task?.id ?? null,
    completed_task_id: body.completed_task_id ?? null,
    created_by: ctx.caller.userId,
    updated_at: ctx.at,
    user_name: checked.author,
    task,
  };
}

/** Returns the value of the case after the activity: that of the latest offer, as its trigger computes it. */
function valueAfter(
  { value, product_details }: FullCase,
  details: readonly ProductDetail[],
  created_at: string,
): number | null {
  const isLatest = product_details.every((earlier) => earlier.created_at <= created_at);
  return value === null || details.length === 0 || !isLatest ? value : computeWorth(details);
}

/** Returns the tasks of the case after the activity, by start. */
function tasksAfter(
  before: FullCase,
  planned: TaskRecord | null,
  completed: TaskRecord | null,
): TaskRecord[] {
  const kept = before.tasks.map((task) => (task.id === completed?.id ? completed : task));
  return planned ? addTask(kept, planned) : kept;
}

/**
 * Returns the latest activity when the new one is backdated. The new activity may complete the task that the
 * latest one planned.
 */
function recentAfter(before: FullCase, completed: TaskRecord | null): ActivityRecord | null {
  const recent = before.recent_activity;
  return recent && completed && recent.task?.id === completed.id ? { ...recent, task: completed } : recent;
}

/** Ends the countdown of a lead that waited for the activity. */
function chooseLeadAfter(ctx: Context, before: FullCase, events: readonly EventDraft[]): FullCase["lead"] {
  const { lead } = before;
  const waited = lead !== null && events.some(({ entity }) => entity.id === lead.id);
  return waited ? { ...lead, escalates_at: null, updated_at: ctx.at } : lead;
}
