import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { flag, timestamps, version } from "../../db/columns.ts";
import { caseFoldSql } from "../../db/case_fold.ts";
import { companies } from "../../identity/companies/table.ts";
import { accounts } from "../accounts/table.ts";
import { referencesOf } from "../../db/references.ts";

export const contacts = sqliteTable("contacts", {
  /** The row id that the full-text index uses. */
  seq: integer().primaryKey(),
  id: text().notNull().unique(),
  company_id: integer().notNull().references(() => companies.id),
  account_id: text().notNull().references(() => accounts.id),
  /** The account's team and kind, copied so that lists need no join. */
  team_id: integer(),
  b2c: flag(),
  user_id: integer(),
  external_id: text(),
  /** `lead` at creation, `opportunity` with a case, `customer` once a case closes. It never goes back. */
  status: text({ enum: ["lead", "opportunity", "customer"] }).notNull().default("lead"),
  salutation: text(),
  first_name: text(),
  last_name: text(),
  email: text(),
  phone_number: text(),
  title: text(),
  custom: text().notNull().default("{}"),
  /** Consent by channel: 0, 1 or null, and the time of that value. */
  consent_call: integer(),
  consent_call_at: text(),
  consent_email: integer(),
  consent_email_at: text(),
  consent_letter: integer(),
  consent_letter_at: text(),
  consent_sms: integer(),
  consent_sms_at: text(),
  last_name_key: text().notNull(),
  /** The words of the names, in the form of the full-text index of cases. */
  name_words: text().notNull().default(""),
  /** JSON object by column: the folded text that filters compare, where it differs from SQLite's `lower`. */
  folded: text(),
  /** The phone number as it is compared with others, however it is typed. */
  phone_key: text(),
  /** The phone number in international form, with the code of the company's country where it was typed without. */
  e164: text(),
  last_activity_at: text().notNull(),
  /** Type and source of the lead whose acceptance created the contact. */
  created_with_lead_type_id: text(),
  created_with_lead_source: text(),
  created_by: integer(),
  ...timestamps,
  ...version,
}, (table) => [
  uniqueIndex("contacts_external_id").on(table.company_id, table.external_id).where(
    sql`${table.external_id} is not null`,
  ),
  index("contacts_by_activity").on(table.company_id, table.last_activity_at, table.id),
  index("contacts_by_team_activity").on(table.company_id, table.team_id, table.last_activity_at, table.id),
  index("contacts_by_created").on(table.company_id, table.created_at, table.id),
  index("contacts_by_team_created").on(table.company_id, table.team_id, table.created_at, table.id),
  index("contacts_by_updated").on(table.company_id, table.updated_at, table.id),
  index("contacts_by_team_updated").on(table.company_id, table.team_id, table.updated_at, table.id),
  index("contacts_by_name").on(table.company_id, table.last_name_key, table.id),
  index("contacts_by_team_name").on(table.company_id, table.team_id, table.last_name_key, table.id),
  index("contacts_by_user").on(table.company_id, table.user_id, table.last_activity_at, table.id),
  // The contacts of an account, in the default order of the list.
  index("contacts_by_account").on(table.account_id, table.last_activity_at, table.id),
  // Filters: fixed fields without regard to case.
  index("contacts_folded_salutation").on(table.company_id, lowerOf("salutation"), table.b2c).where(
    sql`${lowerOf("salutation")} is not null`,
  ),
  index("contacts_folded_first_name").on(table.company_id, lowerOf("first_name"), table.b2c).where(
    sql`${lowerOf("first_name")} is not null`,
  ),
  index("contacts_folded_last_name").on(
    table.company_id,
    lowerOf("last_name"),
    table.created_at,
    table.b2c,
    table.team_id,
    table.status,
  ).where(
    sql`${lowerOf("last_name")} is not null`,
  ),
  index("contacts_folded_email").on(table.company_id, lowerOf("email"), table.b2c).where(
    sql`${lowerOf("email")} is not null`,
  ),
  index("contacts_folded_phone_number").on(table.company_id, lowerOf("phone_number"), table.b2c).where(
    sql`${lowerOf("phone_number")} is not null`,
  ),
  index("contacts_by_phone").on(table.company_id, table.phone_key, table.b2c).where(
    sql`${table.phone_key} is not null`,
  ),
  index("contacts_by_e164").on(table.company_id, table.e164).where(sql`${table.e164} is not null`),
  index("contacts_folded_title").on(table.company_id, lowerOf("title"), table.b2c).where(
    sql`${lowerOf("title")} is not null`,
  ),
  index("contacts_by_status").on(table.company_id, table.status, table.b2c),
  // One contact at most in a consumer's account.
  uniqueIndex("contacts_b2c_single").on(table.account_id).where(sql`${table.b2c} = 1`),
]);

export type ContactRow = typeof contacts.$inferSelect;

function lowerOf(name: string) {
  return sql.raw(caseFoldSql(null, name).sql);
}

/** What its columns name, and what happens when that is removed. */
export const contactReferences = referencesOf(contacts, {
  account_id: { account: "cascade" },
  team_id: { team: ["reassign", "keep"] },
  user_id: { user: "keep" },
  external_id: "an id of another system",
  custom: { field: "clear", option: "clear" },
  created_with_lead_type_id: { lead_type: "keep" },
  created_by: { user: "keep" },
});
