/** The row of a task, also for cases, which show it. */
import type { tasks } from "./table.ts";

export type TaskRow = Omit<typeof tasks.$inferSelect, "stage_ends_at" | "span">;
