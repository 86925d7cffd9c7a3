/** Wire shapes of badges, levels and the stream. */
import { z } from "zod";
import { UserSummary } from "../../identity/users/user_summary.ts";
import { describePage, paging, sorting } from "../../http/lists.ts";
import { csvIntegers } from "../../http/zod.ts";
import { eventTypes } from "./table.ts";

const Badge = z.object({
  id: z.int().meta({ example: 11 }),
  name: z.string().meta({ example: "the_fisherman" }),
  achieved: z.boolean().meta({ description: "Once achieved, it stays." }),
  achieved_at: z.string().nullable().meta({ example: "2026-01-31 10:00:00" }),
  progress: z.object({
    done: z.int().meta({ example: 25 }),
    of: z.int().meta({ example: 25 }),
  }),
}).meta({ id: "Badge" });

export const Badges = z.object({
  badges: z.array(Badge),
  special_badges: z.array(Badge),
}).meta({ id: "Badges", description: "The caller's." });

const levelName = z.string().meta({ example: "level_2" });
const threshold = z.int().meta({ description: "The points at which the level begins.", example: 100 });

export const Level = z.object({
  name: levelName,
  points: z.int().meta({ example: 150 }),
  progress_pct: z.int().meta({ description: "The way to the next level, rounded down.", example: 25 }),
  level_threshold: threshold,
  next_level: z.object({ name: levelName, level_threshold: threshold }),
}).meta({ id: "Level", description: "The caller's." });

export const streamSorts = { created_at: "created_at" };

export const StreamQuery = z.object({
  users: csvIntegers.optional().meta({ description: "Ids of users: only their events." }),
  ...paging,
  ...sorting(streamSorts),
});

const StreamEvent = z.object({
  id: z.int().meta({ example: 5 }),
  event_type: z.enum(eventTypes).meta({ example: "new_level" }),
  event_data: z.object({
    level: z.object({ name: levelName }).optional(),
    badge: z.object({ id: z.int(), name: z.string() }).optional(),
    rank: z.object({ id: z.string(), name: z.string() }).optional(),
    score: z.number().optional(),
  }).meta({
    description: "`level` of `new_level`, `badge` of `badge_achieved`, `rank` and `score` of `rank_won`.",
    example: { level: { name: "level_2" } },
  }),
  high_fived: z.boolean().meta({ description: "Whether the caller gave a high five." }),
  user: UserSummary,
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
}).meta({ id: "StreamEvent", description: "What a user achieved." });

export const StreamPage = describePage(StreamEvent, "StreamPage");

export const HighFiveUsers = z.object({ data: z.array(UserSummary) }).meta({ id: "HighFiveUsers" });

export type StreamQuery = z.output<typeof StreamQuery>;
