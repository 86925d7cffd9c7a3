/** Relations path → wire shape. */
import { checkRecordSize, countBytes, pathsBudget } from "../../core/budgets.ts";
import { toJson } from "../../core/json.ts";
import type { Row } from "../../platform/database/database.ts";
import type { ActivityTypeRow, RelationsPathRow } from "./table.ts";

export type { ActivityTypeRow, RelationsPathRow };

/** A path with its activity types that are not retired, in their order. */
export interface PathRecord extends RelationsPathRow {
  readonly activity_types: readonly ActivityTypeRow[];
}

/** Reads a row of `selectPathById`. */
export function readPathRow(row: Row): PathRecord {
  return { ...row, activity_types: JSON.parse(row.activity_types as string) } as PathRecord;
}

/**
 * The path with the size of its JSON in bytes. Throws 422 `max` for a path that grows beyond the budget of
 * the paths of a lead type.
 */
export function measurePath<Path extends PathRecord>(path: Path, before: PathRecord | null = null): Path {
  const shown = toJson(presentPath(path));
  checkRecordSize(shown, "activity_types", before && (() => presentPath(before)), pathsBudget);
  return { ...path, bytes: countBytes(shown.text) };
}

export function presentPath(path: PathRecord) {
  const kind = (milestone: 0 | 1) =>
    path.activity_types.filter((type) => type.is_milestone === milestone).map(presentActivityType);
  return {
    id: path.id,
    name: path.name,
    is_sales_type: path.is_sales_type === 1,
    team_id: path.team_id,
    group_id: path.group_id,
    activity_types: { milestones: kind(1), supportive: kind(0) },
    created_at: path.created_at,
    updated_at: path.updated_at,
  };
}

function presentActivityType(type: ActivityTypeRow) {
  return {
    id: type.id,
    name: type.name,
    description: type.description,
    type: type.type,
    sort_order: type.sort_order,
    set_status: type.set_status,
    suggest_task_after: type.suggest_task_after,
    template_id: type.template_id,
    content_suggestions: JSON.parse(type.content_suggestions),
    extra_step: type.extra_step_id === null
      ? null
      : { id: type.extra_step_id, name: type.extra_step_name ?? "" },
    additional_steps: JSON.parse(type.additional_steps),
    automated_communications: JSON.parse(type.automated_communications),
    chance_of_success: type.chance_of_success,
  };
}
