/** The row of a activity, also for cases, which show it. */
import type { activities } from "./table.ts";

export type ActivityRow = typeof activities.$inferSelect;
