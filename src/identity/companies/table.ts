import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { address, flag, serialId, timestamps, version } from "../../db/columns.ts";
import { block, declareReferences } from "../../db/references.ts";

export const companies = sqliteTable("companies", {
  id: serialId(),
  name: text().notNull(),
  invoice_email: text(),
  ...address,
  phone_number: text(),
  website: text(),
  vat: text(),
  /** Storage keys of the pictures. */
  logo_1: text(),
  logo_2: text(),
  timezone: text().notNull(),
  locale: text().notNull(),
  language: text().notNull(),
  currency: text().notNull(),
  b2c_allow: integer().notNull().default(1),
  b2c_default: flag(),
  theme: text({ enum: ["default", "neutral", "blue", "red"] }).notNull().default("default"),
  product_mode: text({ enum: ["advanced", "simple"] }).notNull().default("advanced"),
  default_account_id: text(),
  teams_can_create_relations_paths: flag(),
  groups_can_create_relations_paths: flag(),
  use_social_lookup: flag(),
  /** Whether e-mails report that they are opened. */
  email_tracking: flag(),
  support: flag(),
  plan_id: integer().notNull().default(1),
  ...timestamps,
  deleted_at: text(),
  ...version,
});

export type CompanyRow = typeof companies.$inferSelect;

/** What its columns name, and what happens when that is deleted. */
export const companyReferences = declareReferences(companies, {
  default_account_id: { account: block("company_settings", { company: "id" }) },
  plan_id: "a number of the provider",
});
