import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamps } from "../../db/columns.ts";
import { cases } from "../cases/record.ts";
import { declareReferences, leaveTo } from "../../db/references.ts";

export const activities = sqliteTable("activities", {
  id: text().primaryKey(),
  company_id: integer().notNull(),
  case_id: text().notNull().references(() => cases.id),
  user_id: integer(),
  /** JSON list of {id, name, description, is_milestone}, as they were when the activity was created. */
  activity_types: text().notNull(),
  communication_channel: text({ enum: ["email", "phone", "letter", "meeting", "chat", "other"] }),
  /** JSON list of {id, name}. */
  extra_steps: text().notNull().default("[]"),
  note: text(),
  /** JSON {email, letter} or null. */
  correspondence: text(),
  /** JSON list of `ProductDetail`. */
  product_details: text().notNull().default("[]"),
  task_id: text(),
  completed_task_id: text(),
  created_by: integer(),
  ...timestamps,
}, (table) => [
  index("activities_by_case").on(table.case_id, table.created_at, table.id),
  // The product details of a case.
  index("activities_with_products").on(table.case_id).where(sql`${table.product_details} <> '[]'`),
]);

/** What its columns name, and what happens when that is deleted. */
export const activityReferences = declareReferences(activities, {
  case_id: { case: leaveTo("sales/deletion/remove_cases.ts#deleteCaseRows", "cascade") },
  user_id: { user: "keep" },
  activity_types: { activity_type: "keep" },
  extra_steps: { activity_type: "keep" },
  correspondence: "its own e-mail and letter",
  product_details: { product: "keep" },
  task_id: { task: "keep" },
  completed_task_id: { task: "keep" },
  created_by: { user: "keep" },
});
