/** Players and events → wire shapes. */
import type { Plain } from "../../core/json.ts";
import { formatTimestamp } from "../../core/time.ts";
import { type BadgeName, badgeNames, badgeSizes, findBadgeId, isSpecial } from "./badges.ts";
import { computeThreshold, describeLevel, findLevel } from "./levels.ts";
import type { Player } from "./player.ts";
import type { StreamEventRow } from "./table.ts";

export function presentBadges(player: Player) {
  const present = (name: BadgeName) => {
    const at = player.achieved[name];
    const of = badgeSizes[name];
    return {
      id: findBadgeId(name),
      name,
      achieved: at !== undefined,
      achieved_at: at === undefined ? null : formatTimestamp(at * 1000),
      progress: { done: at === undefined ? Math.min(player.done[name] ?? 0, of) : of, of },
    };
  };
  const of = (special: boolean) => badgeNames.filter((name) => isSpecial(name) === special).map(present);
  return { badges: of(false), special_badges: of(true) };
}

export function presentLevel({ points }: Player) {
  const level = findLevel(points);
  const [from, to] = [computeThreshold(level), computeThreshold(level + 1)];
  const { name, level_threshold } = describeLevel(level);
  return {
    name,
    points,
    progress_pct: Math.floor((points - from) * 100 / (to - from)),
    level_threshold,
    next_level: { ...describeLevel(level + 1) },
  };
}

/** An event with the name of its user, and whether the caller gave a high five. */
export type StreamFacts =
  & Omit<StreamEventRow, "company_id" | "key">
  & { readonly user_name: string; readonly high_fived: number };

interface EventData {
  readonly level?: { readonly name: string };
  readonly badge?: { readonly id: number; readonly name: string };
  readonly rank?: { readonly id: string; readonly name: string };
  readonly score?: number;
}

export function presentEvent(event: StreamFacts) {
  return {
    id: event.id,
    event_type: event.type,
    event_data: JSON.parse(event.data) as EventData & { readonly [key: string]: Plain },
    high_fived: event.high_fived === 1,
    user: { id: event.user_id, name: event.user_name },
    created_at: event.created_at,
    updated_at: event.updated_at,
  };
}
