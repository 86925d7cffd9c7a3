/** Indicator set → wire shape. */
import { object } from "../../core/json.ts";
import { setScopeOf } from "./belonging.ts";
import type { IndicatorSetRow } from "./table.ts";

export function presentSet(set: IndicatorSetRow) {
  return object({
    id: set.id,
    name: set.name,
    indicators: JSON.parse(set.indicators) as string[],
    user_id: set.user_id,
    scope: setScopeOf(set),
    team_id: set.team_id,
    group_id: set.group_id,
    created_at: set.created_at,
    updated_at: set.updated_at,
  });
}
