import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { flag, serialId, timestamps, version } from "../../db/columns.ts";
import { companies } from "../../identity/companies/table.ts";
import { declareReferences, leaveTo, reassignAtOnce } from "../../db/references.ts";

/**
 * Custom fields. A job removes the values of a deleted one. The row stays, empty, so that no other field gets
 * its name.
 */
export const fields = sqliteTable("fields", {
  seq: serialId(),
  id: text().notNull().unique(),
  company_id: integer().notNull().references(() => companies.id),
  owner_type: text().notNull(),
  name: text().notNull(),
  label: text().notNull(),
  type: text().notNull(),
  validation: text(),
  is_hidden: flag(),
  is_read_only: flag(),
  team_id: integer(),
  group_id: integer(),
  /** JSON: a list of {id, value, sort} in their order. */
  options: text().notNull().default("[]"),
  /** JSON: a list of {field_id, option_id, options_shown, default_option}. */
  links: text().notNull().default("[]"),
  created_by: integer(),
  deleted_at: text(),
  ...timestamps,
  ...version,
}, (table) => [
  uniqueIndex("fields_name").on(table.company_id, table.owner_type, table.name).where(
    sql`${table.deleted_at} is null`,
  ),
  index("fields_by_company").on(table.company_id, table.seq),
]);

/** The order of the fields of a kind of record: of a team, of a group, or of the company. */
export const fieldOrders = sqliteTable("field_orders", {
  seq: serialId(),
  company_id: integer().notNull().references(() => companies.id),
  owner_type: text().notNull(),
  /** The owner: `company`, or a team or group such as `team 7`. */
  scope: text().notNull(),
  team_id: integer(),
  group_id: integer(),
  /** JSON: a list of {type, value}. */
  items: text().notNull(),
}, (table) => [
  uniqueIndex("field_orders_one").on(table.company_id, table.owner_type, table.scope),
]);

/**
 * Values of custom fields for filters, one row each; a multiple choice has a row for each option. The record
 * itself stores them as JSON for reading.
 */
export const customValues = sqliteTable("custom_values", {
  field: integer().notNull().references(() => fields.seq),
  /** The record's row id. */
  owner: integer().notNull(),
  /** Numbers the options of a multiple choice. */
  place: integer().notNull().default(0),
  /** Text in lower case, a date, or the id of an option. */
  text: text(),
  /** A number, or 0 and 1. */
  number: real(),
  /** Copied from the account or contact, so that filters count within one index. Triggers update the team. */
  b2c: integer(),
  team_id: integer(),
}, (table) => [
  primaryKey({ columns: [table.field, table.owner, table.place] }),
  index("custom_values_by_text").on(table.field, table.text, table.owner, table.b2c, table.team_id).where(
    sql`${table.text} is not null`,
  ),
  index("custom_values_by_number").on(table.field, table.number, table.owner, table.b2c, table.team_id).where(
    sql`${table.number} is not null`,
  ),
]);

/** What its columns name, and what happens when that is deleted. */
export const fieldReferences = declareReferences(fields, {
  // Without a successor only admins see it.
  team_id: { team: [reassignAtOnce(), "keep"] },
  group_id: { group: "keep" },
  links: {
    field: leaveTo("customers/fields/delete.ts#deleteField", "clear"),
    option: leaveTo("customers/fields/options.ts#deleteOption", "clear"),
  },
  created_by: { user: "keep" },
});
export const fieldOrderReferences = declareReferences(fieldOrders, {
  team_id: { team: leaveTo("customers/fields/deletion.ts#fieldsOfTeam", "cascade") },
  group_id: { group: leaveTo("customers/fields/deletion.ts#deleteFieldOrder", "cascade") },
  // Those who read it skip what is no field any more.
  items: { field: "keep" },
});
const removed = leaveTo("db/custom_values.ts#removeValues", "cascade");
export const customValueReferences = declareReferences(customValues, {
  field: { field: leaveTo("customers/fields/deleted_fields.ts#describeFieldValueDeletion", "cascade") },
  owner: { account: removed, contact: removed, product: removed, team: removed },
  text: { option: leaveTo("customers/fields/deleted_fields.ts#describeFieldValueDeletion", "cascade") },
  team_id: "a copy of the record's, kept by triggers",
});
