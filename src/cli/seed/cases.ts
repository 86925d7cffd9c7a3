/** Made-up cases with activities, milestones and tasks. */
import type { AccountFacts } from "../../customers/accounts/present.ts";
import type { ContactFacts } from "../../customers/contacts/present.ts";
import { dayMs, formatTimestamp } from "../../core/time.ts";
import { type CaseStatus, chooseContactStatus, sortKeys } from "../../sales/cases/lifecycle.ts";
import type { cases } from "../../sales/cases/record.ts";
import { computeTaskStatus } from "../../sales/tasks/record.ts";
import type { ActivityTypeRow } from "../../sales/relations_paths/table.ts";
import type { SalesProcess } from "./process.ts";
import { computeOfferValue, makeOffer, type Product } from "./products.ts";
import type { Random } from "./random.ts";
import type { Rows } from "./rows.ts";

export type CaseFacts = typeof cases.$inferInsert;

export interface CasePlan {
  readonly seq: number;
  readonly number: number;
  readonly account: AccountFacts;
  readonly contact: ContactFacts;
  /** Epoch milliseconds of its creation and of the present. */
  readonly at: number;
  readonly now: number;
}

const channels = ["email", "phone", "meeting", "chat"] as const;
const lostReasons = ["Bought elsewhere", "Too expensive", "No answer any more", "Keeps the old car"];
const notes = [
  "Wants an estate with a tow bar.",
  "Prefers to be called in the evening.",
  "Compares with a leasing offer, needs the monthly rate.",
  "Trade-in: eight years old, 92,000 km.",
  "Asked for delivery before the summer.",
];

/** Adds a case with its activities and tasks, and updates its contact and account. */
export function takeCase(rows: Rows, random: Random, process: SalesProcess, plan: CasePlan): CaseFacts {
  const { account, contact, now } = plan;
  const created_at = formatTimestamp(plan.at);
  const id = random.uuid(plan.at);
  const [steps, ending] = [process.milestones.slice(0, -2), process.milestones.slice(-2)];
  const row = {
    seq: plan.seq,
    id,
    company_id: account.company_id,
    case_number: plan.number,
    team_id: account.team_id,
    user_id: account.user_id,
    account_id: account.id,
    contact_id: contact.id,
    relations_path_id: process.pathId,
    status: "open" as CaseStatus,
    chance_of_success: 0,
    estimated_close_date: formatTimestamp(plan.at + (20 + random.below(100)) * dayMs).slice(0, 10),
    decline_reason: null as string | null,
    latest_activity_at: null as string | null,
    latest_activity_id: null as string | null,
    activity_count: 0,
    highest_milestone_id: null as string | null,
    highest_milestone_type: null as string | null,
    highest_milestone_at: null as string | null,
    lead_id: null as string | null,
    lead_type_id: null as string | null,
    lead_source: null as string | null,
    stock_vehicle_id: null,
    created_by: account.user_id,
    created_at,
    updated_at: created_at,
    version: 1,
    important_key: "",
    recent_key: "",
    offer_value: 0,
    product_ids: "[]",
    effective_at: created_at,
  };

  const done = route(random, steps, ending, process.supportive);
  if (random.chance(3)) done.splice(1, 0, process.rare);
  let at = plan.at;
  let planned: string | null = null;
  for (const [index, type] of done.entries()) {
    at += Math.floor((0.05 + random.fraction() * 9) * dayMs);
    if (at > now) break;
    const moment = formatTimestamp(at);
    const goesOn = index < done.length - 1 || type.set_status === null;
    const task = goesOn && random.chance(50) ? random.uuid(at) : null;
    const activity = takeActivity(rows, random, { type, row, at, task, planned, products: process.products });
    if (task !== null) takeTask(rows, random, { id: task, activity, row, at, now });
    planned = task;
    Object.assign(row, {
      latest_activity_at: moment,
      latest_activity_id: activity,
      activity_count: row.activity_count + 1,
      updated_at: moment,
    });
    if (type.is_milestone === 0) continue;
    rows.caseMilestones.push({
      case_id: id,
      activity_type_id: type.id,
      activity_id: activity,
      done_at: moment,
    });
    Object.assign(row, {
      chance_of_success: type.chance_of_success ?? row.chance_of_success,
      highest_milestone_id: type.id,
      highest_milestone_type: type.type,
      highest_milestone_at: moment,
    });
    if (type.set_status === null) continue;
    row.status = type.set_status as CaseStatus;
    row.effective_at = moment;
    if (row.status === "declined") row.decline_reason = random.pick(lostReasons);
    rows.caseStatusChanges.push({
      id: random.uuid(at),
      case_id: id,
      at: moment,
      from_status: "open",
      to_status: row.status,
      reason: row.decline_reason,
      user_id: row.user_id,
    });
  }

  contact.status = chooseContactStatus(contact.status, row.status);
  const latest = row.latest_activity_at;
  for (const customer of [account, contact]) {
    if (latest !== null && latest > customer.last_activity_at) customer.last_activity_at = latest;
  }
  Object.assign(row, sortKeys(row));
  rows.cases.push(row);
  return row;
}

/** Chooses the activities of a case: some cases stop half-way, some are won, some lost. */
function route(
  random: Random,
  steps: readonly ActivityTypeRow[],
  [won, lost]: readonly ActivityTypeRow[],
  supportive: readonly ActivityTypeRow[],
): ActivityTypeRow[] {
  const fate = random.below(100);
  const stages = fate < 40 ? steps.length : 1 + random.below(steps.length);
  const done = steps.slice(0, stages).flatMap((step) =>
    random.chance(25) ? [random.pick(supportive), step] : [step]
  );
  if (fate < 40) return [...done, won!];
  return fate < 70 ? [...done, lost!] : done;
}

function takeActivity(
  rows: Rows,
  random: Random,
  { type, row, at, task, planned, products }: {
    type: ActivityTypeRow;
    row: CaseFacts;
    at: number;
    task: string | null;
    /** The task that this activity completes. */
    planned: string | null;
    products: readonly Product[];
  },
): string {
  const id = random.uuid(at);
  const moment = formatTimestamp(at);
  const { name, description } = type;
  const done = { id: type.id, name, description, is_milestone: type.is_milestone === 1 };
  const details = type.type === "offer" ? [makeOffer(random, products, at)] : [];
  for (const detail of details) {
    row.offer_value = computeOfferValue(detail);
    row.product_ids = JSON.stringify(detail.products.map(({ id }) => id));
  }
  rows.activities.push({
    id,
    company_id: row.company_id,
    case_id: row.id,
    user_id: row.user_id,
    activity_types: JSON.stringify([done]),
    communication_channel: random.pick(channels),
    extra_steps: "[]",
    note: random.chance(40) ? random.pick(notes) : null,
    correspondence: null,
    product_details: JSON.stringify(details),
    task_id: task,
    completed_task_id: planned,
    created_by: row.user_id,
    created_at: moment,
    updated_at: moment,
  });
  const before = planned === null ? undefined : rows.tasks.at(-1);
  if (before) Object.assign(before, { completed_at: moment, stage: "completed", updated_at: moment });
  return id;
}

function takeTask(
  rows: Rows,
  random: Random,
  { id, activity, row, at, now }: {
    id: string;
    activity: string;
    row: CaseFacts;
    at: number;
    now: number;
  },
): void {
  const start = at + (1 + random.below(12)) * dayMs;
  const moment = formatTimestamp(at);
  const times = {
    start_at: formatTimestamp(start),
    end_at: formatTimestamp(start + 30 * 60_000),
    completed_at: null,
  };
  rows.tasks.push({
    id,
    company_id: row.company_id,
    case_id: row.id,
    team_id: row.team_id,
    activity_id: activity,
    type: random.pick(["call", "email", "meeting"]),
    user_id: row.user_id,
    ...times,
    stage: computeTaskStatus(times, formatTimestamp(now)),
    note: null,
    created_by: row.user_id,
    created_at: moment,
    updated_at: moment,
    version: 1,
  });
}
