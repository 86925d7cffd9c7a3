/** The made-up company's sales process: a relations path and a lead type. */
import { formatTimestamp } from "../../core/time.ts";
import { insert, insertAll } from "../../db/statements.ts";
import type { Database } from "../../platform/database/database.ts";
import { leadTypes } from "../../sales/lead_types/record.ts";
import { type ActivityTypeRow, activityTypes, relationsPaths } from "../../sales/relations_paths/table.ts";
import type { Organisation } from "./organisation.ts";
import type { Product } from "./products.ts";
import type { Random } from "./random.ts";

export interface SalesProcess {
  readonly pathId: string;
  /** In order. The last two end the case: won, lost. */
  readonly milestones: readonly ActivityTypeRow[];
  /** A milestone that few cases reach. */
  readonly rare: ActivityTypeRow;
  readonly supportive: readonly ActivityTypeRow[];
  /** The products that its cases offer. */
  readonly products: readonly Product[];
  readonly leadType: typeof leadTypes.$inferInsert & CountdownMinutes;
}

interface CountdownMinutes {
  readonly escalation_accept: number;
  readonly escalation_activity: number;
  readonly escalation_ignore_weekends: number;
}

type Step = Pick<ActivityTypeRow, "name"> & Partial<ActivityTypeRow>;

const milestones: readonly Step[] = [
  { name: "First contact", chance_of_success: 10, suggest_task_after: 2 },
  { name: "Needs analysis", chance_of_success: 25, type: "need_analysis", suggest_task_after: 3 },
  { name: "Test drive", chance_of_success: 50, type: "test_drive", suggest_task_after: 2 },
  { name: "Offer", chance_of_success: 70, type: "offer", suggest_task_after: 5 },
  { name: "Contract signed", chance_of_success: 100, set_status: "closed" },
  { name: "Lost", chance_of_success: 0, set_status: "declined" },
];

const rare: Step = { name: "Fleet agreement", chance_of_success: 80 };

const supportive: readonly Step[] = [{ name: "Call back" }, { name: "Send brochure" }, { name: "Visit" }];

export async function makeSalesProcess(
  db: Database,
  random: Random,
  { companyId, adminId }: Organisation,
  products: readonly Product[],
  begin: number,
): Promise<SalesProcess> {
  const at = formatTimestamp(begin);
  const stamps = { created_by: adminId, created_at: at, updated_at: at, version: 1 };
  const pathId = random.uuid(begin);
  const path = { id: pathId, company_id: companyId, name: "New car", is_sales_type: 1, ...stamps };
  const types = (steps: readonly Step[], is_milestone: number) =>
    steps.map((step, index): ActivityTypeRow => ({
      id: random.uuid(begin),
      company_id: companyId,
      relations_path_id: pathId,
      is_milestone,
      description: null,
      type: null,
      sort_order: index + 1,
      set_status: null,
      suggest_task_after: null,
      template_id: null,
      content_suggestions: "[]",
      extra_step_id: null,
      extra_step_name: null,
      additional_steps: "[]",
      automated_communications: "[]",
      chance_of_success: null,
      retired_at: null,
      ...step,
    }));
  const process: SalesProcess = {
    pathId,
    milestones: types(milestones, 1),
    rare: { ...types([rare], 1)[0]!, sort_order: milestones.length + 1 },
    supportive: types(supportive, 0),
    products,
    leadType: {
      id: random.uuid(begin),
      company_id: companyId,
      name: "Website enquiry",
      icon: "globe",
      entity_type: "account",
      relations_path_ids: JSON.stringify([pathId]),
      escalation_accept: 24 * 60,
      escalation_activity: 3 * 24 * 60,
      escalation_ignore_weekends: 1,
      highlighted: 1,
      ...stamps,
    },
  };
  const all = [...process.milestones, process.rare, ...process.supportive];
  await db.write([
    insert(relationsPaths, { ...path, bytes: JSON.stringify(all).length }),
    insertAll(activityTypes, all),
    insert(leadTypes, process.leadType),
  ]);
  return process;
}
