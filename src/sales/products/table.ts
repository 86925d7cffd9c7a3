import { index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { serialId, timestamps, version } from "../../db/columns.ts";
import { companies } from "../../identity/tables/companies.ts";

export const productCategories = sqliteTable("product_categories", {
  id: serialId(),
  company_id: integer().notNull().references(() => companies.id),
  name: text().notNull(),
  ...timestamps,
  ...version,
}, (table) => [index("product_categories_by_created").on(table.company_id, table.created_at, table.id)]);

export const products = sqliteTable("products", {
  /** The row id in the values of custom fields. */
  seq: integer().primaryKey(),
  id: text().notNull().unique(),
  company_id: integer().notNull().references(() => companies.id),
  name: text().notNull(),
  list_price: real(),
  purchase_price: real(),
  type: text(),
  tax: real(),
  /** Custom values as a JSON object by field id. */
  custom: text().notNull().default("{}"),
  created_by: integer(),
  ...timestamps,
  ...version,
}, (table) => [index("products_by_created").on(table.company_id, table.created_at, table.id)]);

export const productsInCategories = sqliteTable("products_in_categories", {
  product_id: text().notNull().references(() => products.id),
  category_id: integer().notNull().references(() => productCategories.id),
  /** The place of the category in the product. */
  place: integer().notNull(),
}, (table) => [
  primaryKey({ columns: [table.product_id, table.category_id] }),
  index("products_in_categories_by_category").on(table.category_id, table.product_id),
]);

/** The related products of a product. The relation is one-way. */
export const relatedProducts = sqliteTable("related_products", {
  product_id: text().notNull().references(() => products.id),
  related_id: text().notNull().references(() => products.id),
  place: integer().notNull(),
}, (table) => [
  primaryKey({ columns: [table.product_id, table.related_id] }),
  index("related_products_by_related").on(table.related_id, table.product_id),
]);

export type CategoryRow = typeof productCategories.$inferSelect;
export type ProductRow = typeof products.$inferSelect;
