/**
 * The game of one user, computed from the user's facts in the order of recording. It is pure: the same facts
 * always give the same points, badges and achievements.
 */
import {
  activityFlags,
  customerFlags,
  type FactKind,
  factKinds,
  inTime,
  mentionsOther,
} from "../../core/fact_kinds.ts";
import { computeZoneOffset } from "../../core/time.ts";
import { type BadgeName, badgeNames, badgeSizes } from "./badges.ts";
import { findLevel } from "./levels.ts";

/** A fact of a user. */
export interface Fact {
  readonly seq: number;
  readonly kind: number;
  /** Epoch seconds. */
  readonly at: number;
  readonly recorded_at: number;
  /** The user's IANA time zone then; null: UTC. */
  readonly zone: string | null;
  readonly flags: number;
  readonly value: number | null;
  /** 1: an earlier fact of this kind is about the same record. A record counts only once. */
  readonly repeats: number;
  /** 1: an acceptance of a lead that had escalated since its assignment. */
  readonly escalated: number;
}

export interface Player {
  /** The `seq` of the last fact that is counted. */
  seq: number;
  points: number;
  /**
   * The progress of each badge. For `clean_sheet` and `lead_commander` it is the length of the current row,
   * for `the_consistent` that of the longest.
   */
  done: Partial<Record<BadgeName, number>>;
  /** When a badge was achieved, epoch seconds. */
  achieved: Partial<Record<BadgeName, number>>;
  /** Activities by local day (days since 1970), until the badges that need them are achieved. */
  days: Record<string, number>;
  /** Local days with an activity before 08:00. */
  early: number[];
  /** The kinds of facts that count for `the_explorer` and have occurred. */
  explored: FactKind[];
}

/** An achievement, which the stream shows. `at`: epoch seconds. */
export type Achievement =
  | { readonly type: "new_level"; readonly level: number; readonly at: number }
  | { readonly type: "badge_achieved"; readonly badge: BadgeName; readonly at: number };

export function makePlayer(): Player {
  return { seq: 0, points: 0, done: {}, achieved: {}, days: {}, early: [], explored: [] };
}

/** The kinds of facts that count. */
export const countedKinds: readonly number[] = ([
  "account",
  "contact",
  "contact_complete",
  "activity",
  "lead_accepted",
  "lead_escalated",
  "case_closed",
  "task_completed",
  "note",
  "mention",
  "filter_saved",
  "notification_sent",
] as const).map((kind) => factKinds[kind]);

const badgePoints = 100;
const hour = 3_600;
const day = 24 * hour;
const earlyUntil = 8 * hour;
/** Seconds from the assignment of a lead to a fast acceptance. */
const fast = 300;

/**
 * Adds the fact to the player in place, and returns its achievements. A fact that is already counted changes
 * nothing.
 */
export function play(player: Player, fact: Fact): Achievement[] {
  if (fact.seq <= player.seq) return [];
  player.seq = fact.seq;
  const before = findLevel(player.points);
  player.points += countPoints(fact);
  progress(player, fact);
  const achievements: Achievement[] = [];
  for (const badge of badgeNames) {
    if (player.achieved[badge] !== undefined || (player.done[badge] ?? 0) < badgeSizes[badge]) continue;
    player.achieved[badge] = fact.recorded_at;
    player.points += badgePoints;
    achievements.push({ type: "badge_achieved", badge, at: fact.recorded_at });
  }
  forget(player);
  for (let level = before + 1; level <= findLevel(player.points); level++) {
    achievements.push({ type: "new_level", level, at: fact.recorded_at });
  }
  return achievements;
}

function countPoints({ kind, flags, repeats }: Fact): number {
  switch (kind) {
    case factKinds.account:
    case factKinds.contact:
      return flags & customerFlags.created ? 5 : 0;
    case factKinds.activity:
      return flags & activityFlags.milestone ? 15 : 5;
    case factKinds.lead_accepted:
      return 15;
    case factKinds.case_closed:
      return repeats ? 0 : 50;
    case factKinds.task_completed:
      return flags & inTime && !repeats ? 5 : 0;
    case factKinds.note:
      return 1;
    default:
      return 0;
  }
}

function progress(player: Player, fact: Fact): void {
  const { kind, flags, value, repeats, escalated } = fact;
  const add = (badge: BadgeName) => player.done[badge] = (player.done[badge] ?? 0) + 1;
  switch (kind) {
    case factKinds.contact:
      if (flags & customerFlags.created) explore(player, "contact");
      break;
    case factKinds.contact_complete:
      add("nice_and_tidy");
      break;
    case factKinds.activity:
      explore(player, "activity");
      act(player, fact, add);
      break;
    case factKinds.lead_accepted:
      add("the_fisherman");
      if (value !== null && value <= fast) add("the_fast_and_furious");
      if (escalated) player.done.lead_commander = 0;
      else add("lead_commander");
      break;
    case factKinds.lead_escalated:
      player.done.lead_commander = 0;
      break;
    case factKinds.case_closed:
      if (!repeats) add("the_seller");
      break;
    case factKinds.task_completed:
      if (repeats) break;
      explore(player, "task_completed");
      if (flags & inTime) add("clean_sheet");
      else player.done.clean_sheet = 0;
      break;
    case factKinds.note:
      explore(player, "note");
      break;
    case factKinds.mention:
      if (flags & mentionsOther) add("the_helper");
      break;
    case factKinds.filter_saved:
      explore(player, "filter_saved");
      break;
    case factKinds.notification_sent:
      explore(player, "notification_sent");
      add("the_notifier");
      break;
  }
}

const remote = activityFlags.email | activityFlags.letter | activityFlags.phone | activityFlags.chat;

function act(player: Player, { at, zone, flags }: Fact, add: (badge: BadgeName) => void): void {
  const { done, achieved, days, early } = player;
  const local = at + computeZoneOffset(zone ?? "UTC", at * 1000);
  const today = Math.floor(local / day);
  add("the_workaholic");
  if (flags & remote) add("the_communicator");
  if (!isWorkday(today)) add("the_off_duty_performer");
  if (achieved.the_early_bird === undefined && local - today * day < earlyUntil && !early.includes(today)) {
    early.push(today);
    done.the_early_bird = early.length;
  }
  if (achieved.the_hard_worker !== undefined && achieved.the_consistent !== undefined) return;
  const count = days[today] = (days[today] ?? 0) + 1;
  done.the_hard_worker = Math.max(done.the_hard_worker ?? 0, count);
  if (isWorkday(today)) done.the_consistent = Math.max(done.the_consistent ?? 0, rowAround(days, today));
}

/**
 * Returns the length of the row that includes this day: successive days from Monday to Friday with an
 * activity.
 */
function rowAround(days: Readonly<Record<string, number>>, today: number): number {
  let length = 1;
  for (const step of [-1, 1]) {
    for (
      let other = findNextWorkday(today, step);
      days[other] !== undefined;
      other = findNextWorkday(other, step)
    ) {
      length++;
    }
  }
  return length;
}

function findNextWorkday(today: number, step: number): number {
  let next = today + step;
  while (!isWorkday(next)) next += step;
  return next;
}

/** 1970 began on a Thursday. */
function isWorkday(today: number): boolean {
  return (((today + 3) % 7) + 7) % 7 < 5;
}

function explore(player: Player, kind: FactKind): void {
  if (!player.explored.includes(kind)) player.explored.push(kind);
  player.done.the_explorer = player.explored.length;
}

/** Drops what only badges needed that are achieved. */
function forget(player: Player): void {
  const { achieved } = player;
  if (achieved.the_early_bird !== undefined && player.early.length > 0) player.early = [];
  if (achieved.the_hard_worker !== undefined && achieved.the_consistent !== undefined) player.days = {};
}
