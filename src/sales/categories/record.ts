/** The category of products, described once. */
import { index, integer, sqliteTable } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { companies } from "../../identity/companies/table.ts";
import { internal, numberedId, requiredLine, stamps, versioned } from "../../records/kinds.ts";
import { columns, forAnswer, forChange, forCreate, type Members, presenter } from "../../records/members.ts";

export const categoryMembers = {
  id: numberedId(4),
  company_id: internal(integer().notNull().references(() => companies.id)),
  name: requiredLine(255, { example: "Vans" }),
  ...stamps(),
  ...versioned,
} satisfies Members;

export const productCategories = sqliteTable("product_categories", columns(categoryMembers), (table) => [
  // Serves the list, newest first.
  index("product_categories_by_created").on(table.company_id, table.created_at, table.id),
]);

export const Category = z.object(forAnswer(categoryMembers)).meta({ id: "Category" });
export const CategoryBody = z.object(forCreate(categoryMembers))
  .meta({ id: "CategoryBody", example: { name: "Vans" } });
export const CategoryChange = z.object(forChange(categoryMembers))
  .meta({ id: "CategoryChange", example: { name: "Cars" } });

export const presentCategory = presenter(categoryMembers, Category);

export type CategoryRow = typeof productCategories.$inferSelect;
export type CategoryBody = z.output<typeof CategoryBody>;
export type CategoryChange = z.output<typeof CategoryChange>;
