import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { serialId, timestamps } from "../../db/columns.ts";
import { companies } from "../../identity/companies/table.ts";
import { declareReferences } from "../../db/references.ts";

export const eventTypes = ["new_level", "badge_achieved", "rank_won"] as const;
export type EventType = (typeof eventTypes)[number];

/** The game of each user, up to the fact that the job has reached. */
export const gamePlayers = sqliteTable("game_players", {
  company_id: integer().notNull().references(() => companies.id),
  user_id: integer().notNull(),
  /** JSON of a `Player`. */
  state: text().notNull(),
}, (table) => [primaryKey({ columns: [table.company_id, table.user_id] })]);

/** The last fact that is processed for all players. The table has one row. */
export const gameReach = sqliteTable("game_reach", {
  id: integer().primaryKey(),
  seq: integer().notNull(),
});

/** What users achieved. */
export const streamEvents = sqliteTable("stream_events", {
  id: serialId(),
  company_id: integer().notNull().references(() => companies.id),
  user_id: integer().notNull(),
  type: text({ enum: eventTypes }).notNull(),
  /** The level, the badge, or the rank with its month: each is achieved once. */
  key: text().notNull(),
  /** JSON as clients read it. */
  data: text().notNull(),
  ...timestamps,
}, (table) => [
  uniqueIndex("stream_events_once").on(table.user_id, table.type, table.key),
  index("stream_events_by_created").on(table.company_id, table.created_at, table.id),
  index("stream_events_by_user").on(table.company_id, table.user_id, table.created_at, table.id),
]);

/** Congratulations: each user gives one to an event. */
export const highFives = sqliteTable("high_fives", {
  event_id: integer().notNull().references(() => streamEvents.id),
  user_id: integer().notNull(),
  created_at: text().notNull(),
}, (table) => [primaryKey({ columns: [table.event_id, table.user_id] })]);

export type StreamEventRow = typeof streamEvents.$inferSelect;

/** What its columns name, and what happens when that is deleted. */
export const playerReferences = declareReferences(gamePlayers, { user_id: { user: "keep" } });
export const streamEventReferences = declareReferences(streamEvents, {
  user_id: { user: "keep" },
  data: { rank: "keep" },
});
export const highFiveReferences = declareReferences(highFives, {
  event_id: "an event of the stream, which nobody deletes",
  user_id: { user: "keep" },
});
