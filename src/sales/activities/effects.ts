/** The effects of an activity on its case. Pure. */
import { type CaseStatus, chooseCaseTransition, moveCase } from "../cases/lifecycle.ts";
import type { CaseRecord, MilestoneState } from "../cases/parts.ts";
import type { ActivityTypeRow } from "../relations_paths/present.ts";

export interface Effects {
  /** Changed columns of the case. */
  readonly changes: {
    readonly status: CaseStatus;
    readonly decline_reason: string | null;
    readonly chance_of_success: number;
    readonly latest_activity_at: string;
    readonly latest_activity_id: string;
    readonly activity_count: number;
    readonly highest_milestone_id: string | null;
    readonly highest_milestone_type: string | null;
    readonly highest_milestone_at: string | null;
  };
  readonly milestones: readonly MilestoneState[];
  /** Milestones that this activity does first. */
  readonly newlyDone: readonly MilestoneState[];
  /** Whether the activity becomes the latest one of the case. A backdated activity may not. */
  readonly isLatest: boolean;
}

/**
 * Returns the effects. `types` are those of the activity: milestones before supportive ones, the highest
 * first. The first that sets a status changes the status of the case. Throws 409 `case_state` when the case
 * takes no such activity.
 */
export function effectsOn(
  before: CaseRecord,
  types: readonly ActivityTypeRow[],
  activity: { readonly id: string; readonly created_at: string },
): Effects {
  const { id, created_at } = activity;
  const status = moveCase(before.status as CaseStatus, chooseCaseTransition(statusSetBy(types)));
  const isLatest = before.latest_activity_at === null || created_at >= before.latest_activity_at;
  const done = new Set(types.map((type) => type.id));
  const milestones = before.milestones.map((milestone) =>
    done.has(milestone.id) && milestone.done_at === null ? { ...milestone, done_at: created_at } : milestone
  );
  return {
    changes: {
      status,
      decline_reason: status === "declined" ? before.decline_reason : null,
      latest_activity_at: isLatest ? created_at : before.latest_activity_at!,
      latest_activity_id: isLatest ? id : before.latest_activity_id!,
      activity_count: before.activity_count + 1,
      ...highestAfter(before, milestones, types),
    },
    milestones,
    newlyDone: milestones.filter((milestone, index) => milestone !== before.milestones[index]),
    isLatest,
  };
}

/** Only a milestone opens a case again: a supportive activity that sets `open` has no effect. */
function statusSetBy(types: readonly ActivityTypeRow[]): string | null {
  const setting = types.find((type) => type.set_status !== null);
  if (!setting || (setting.set_status === "open" && setting.is_milestone === 0)) return null;
  return setting.set_status;
}

/**
 * The chance of success follows the highest milestone done. A chance set by hand stays until a milestone of
 * at least the same rank is done.
 */
function highestAfter(
  before: CaseRecord,
  milestones: readonly MilestoneState[],
  types: readonly ActivityTypeRow[],
) {
  const done = new Set(types.map((type) => type.id));
  const rank = (id: string | null) => milestones.findIndex((milestone) => milestone.id === id);
  const top = milestones.findLast((milestone) => done.has(milestone.id));
  const { highest_milestone_id, highest_milestone_type, highest_milestone_at, chance_of_success } = before;
  if (!top || rank(top.id) < rank(highest_milestone_id)) {
    return { highest_milestone_id, highest_milestone_type, highest_milestone_at, chance_of_success };
  }
  return {
    highest_milestone_id: top.id,
    highest_milestone_type: top.type,
    highest_milestone_at: top.done_at,
    chance_of_success: keepsChance(before, types)
      ? Math.max(chance_of_success, top.chance_of_success ?? 0)
      : top.chance_of_success ?? chance_of_success,
  };
}

/** A milestone that opens a case which is open already does not lower its chance. */
function keepsChance(before: CaseRecord, types: readonly ActivityTypeRow[]): boolean {
  return before.status === "open" &&
    types.some((type) => type.is_milestone === 1 && type.set_status === "open");
}
