/** Milestones that a case has done. */
import { insertAll } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import type { MilestoneState } from "./record.ts";
import { caseMilestones } from "./table.ts";

/** Keeps the milestones as done by the activity. */
export function milestonesDone(
  caseId: string,
  activityId: string,
  milestones: readonly MilestoneState[],
): Statement[] {
  if (milestones.length === 0) return [];
  return [insertAll(
    caseMilestones,
    milestones.map(({ id, done_at }) => ({
      case_id: caseId,
      activity_type_id: id,
      activity_id: activityId,
      done_at: done_at!,
    })),
  )];
}
