import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { flag, timestamps, version } from "../../db/columns.ts";
import { caseFoldSql } from "../../db/case_fold.ts";
import { companies } from "../../identity/companies/table.ts";
import { block, referencesOf } from "../../db/references.ts";

export const accounts = sqliteTable("accounts", {
  /** The row id that the full-text index uses. */
  seq: integer().primaryKey(),
  id: text().notNull().unique(),
  company_id: integer().notNull().references(() => companies.id),
  team_id: integer(),
  user_id: integer(),
  b2c: flag(),
  external_id: text(),
  name: text(),
  address: text(),
  zip_code: text(),
  city: text(),
  state_region: text(),
  country: text(),
  vat: text(),
  website: text(),
  /** Custom values as a JSON object by field id. */
  custom: text().notNull().default("{}"),
  /** The display name without case and accents, for sorting. */
  name_key: text().notNull(),
  /** The words of the display name, in the form of the full-text index of cases. */
  name_words: text().notNull().default(""),
  /** JSON object by column: the folded text that filters compare, where it differs from SQLite's `lower`. */
  folded: text(),
  last_activity_at: text().notNull(),
  /** Updated by triggers. */
  contact_count: integer().notNull().default(0),
  /** Type and source of the lead whose acceptance created the account, for filters of the list. */
  created_with_lead_type_id: text(),
  created_with_lead_source: text(),
  /** 0: the account is being deleted, and counters already exclude it. */
  counts: integer().notNull().default(1),
  created_by: integer(),
  ...timestamps,
  ...version,
}, (table) => [
  uniqueIndex("accounts_external_id").on(table.company_id, table.external_id).where(
    sql`${table.external_id} is not null`,
  ),
  // Each sort has two indexes: by company for admins, by team for others.
  index("accounts_by_activity").on(table.company_id, table.last_activity_at, table.id),
  index("accounts_by_team_activity").on(table.company_id, table.team_id, table.last_activity_at, table.id),
  index("accounts_by_created").on(table.company_id, table.created_at, table.id),
  index("accounts_by_team_created").on(table.company_id, table.team_id, table.created_at, table.id),
  index("accounts_by_updated").on(table.company_id, table.updated_at, table.id),
  index("accounts_by_team_updated").on(table.company_id, table.team_id, table.updated_at, table.id),
  index("accounts_by_name").on(table.company_id, table.name_key, table.id),
  index("accounts_by_team_name").on(table.company_id, table.team_id, table.name_key, table.id),
  // Filters of the list: the responsible user, and where the account came from.
  index("accounts_by_user").on(table.company_id, table.user_id, table.last_activity_at, table.id),
  index("accounts_by_lead_type").on(table.company_id, table.created_with_lead_type_id).where(
    sql`${table.created_with_lead_type_id} is not null`,
  ),
  index("accounts_by_lead_source").on(table.company_id, table.created_with_lead_source).where(
    sql`${table.created_with_lead_source} is not null`,
  ),
  // Filters: fixed fields without regard to case.
  index("accounts_folded_name").on(
    table.company_id,
    lowerOf("name"),
    table.created_at,
    table.b2c,
    table.team_id,
  ).where(
    sql`${lowerOf("name")} is not null`,
  ),
  index("accounts_folded_address").on(table.company_id, lowerOf("address"), table.b2c).where(
    sql`${lowerOf("address")} is not null`,
  ),
  index("accounts_folded_zip_code").on(table.company_id, lowerOf("zip_code"), table.b2c).where(
    sql`${lowerOf("zip_code")} is not null`,
  ),
  index("accounts_folded_city").on(table.company_id, lowerOf("city"), table.b2c).where(
    sql`${lowerOf("city")} is not null`,
  ),
  index("accounts_folded_state_region").on(table.company_id, lowerOf("state_region"), table.b2c).where(
    sql`${lowerOf("state_region")} is not null`,
  ),
  index("accounts_folded_country").on(table.company_id, table.country, table.b2c).where(
    sql`${table.country} is not null`,
  ),
  index("accounts_folded_vat").on(table.company_id, lowerOf("vat"), table.b2c).where(
    sql`${lowerOf("vat")} is not null`,
  ),
  index("accounts_folded_website").on(table.company_id, lowerOf("website"), table.b2c).where(
    sql`${lowerOf("website")} is not null`,
  ),
]);

export type AccountRow = typeof accounts.$inferSelect;

function lowerOf(name: string) {
  return sql.raw(caseFoldSql(null, name).sql);
}

/** What its columns name, and what happens when that is removed. */
export const accountReferences = referencesOf(accounts, {
  team_id: { team: ["reassign", "keep"] },
  user_id: { user: "keep" },
  external_id: "an id of another system",
  custom: { field: "clear", option: "clear" },
  created_with_lead_type_id: {
    lead_type: block("account", { attribute: "created_with_lead_type", company: "company_id" }),
  },
  created_by: { user: "keep" },
});
