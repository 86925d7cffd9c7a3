/** The account, described once. Its fixed and custom fields have their own descriptions. */
import { droppedValues } from "../fields/custom_references.ts";
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { foldInIndex } from "../../db/case_fold.ts";
import { block, declareReferences, leaveTo } from "../../db/references.ts";
import { orShownAs } from "../../http/as_shown.ts";
import { briefValues, FieldValue, FieldValues } from "../../fields/values.ts";
import { describePageOfRows } from "../../http/lists.ts";
import { flag, integerId, makeBackdatedTime, optional } from "../../http/zod.ts";
import { companies } from "../../identity/companies/table.ts";
import { UserSummary } from "../../identity/users/user_summary.ts";
import {
  computed,
  internal,
  optionalFlag,
  readOnly,
  stamps,
  versioned,
  writeOnly,
} from "../../records/kinds.ts";
import { columns, forAnswer, forChange, forCreate, type Members, presenter } from "../../records/members.ts";
import { externalId } from "../external_id.ts";

const { created_at, updated_at } = stamps();

export const accountMembers = {
  /** The row id that the full-text index uses. */
  seq: internal(integer().primaryKey()),
  id: readOnly(
    text().notNull().unique(),
    z.uuid().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001" }),
  ),
  company_id: internal(integer().notNull().references(() => companies.id)),
  b2c: {
    column: optionalFlag().column,
    shown: z.boolean(),
    create: flag(false),
    otherwise: 0,
    stored: "flag",
  },
  external_id: {
    column: text(),
    shown: z.string().nullable(),
    ...writeOnly(optional(externalId)),
  },
  team_id: {
    column: integer(),
    shown: z.int().nullable(),
    ...writeOnly(optional(integerId)),
    stored: "code",
  },
  user: computed(UserSummary.nullable()),
  user_id: { column: integer(), ...writeOnly(optional(integerId)), stored: "code" },
  fixed_fields: { ...computed(z.array(FieldValue)), ...writeOnly(optional(FieldValues)) },
  custom_fields: { ...computed(z.array(FieldValue)), ...writeOnly(optional(FieldValues)) },
  name: internal(text()),
  address: internal(text()),
  zip_code: internal(text()),
  city: internal(text()),
  state_region: internal(text()),
  country: internal(text()),
  vat: internal(text()),
  website: internal(text()),
  /** Custom values as a JSON object by field id. */
  custom: internal(text().notNull().default("{}")),
  /** The display name without case and accents, for sorting. */
  name_key: internal(text().notNull()),
  /** The words of the display name, in the form of the full-text index of cases. */
  name_words: internal(text().notNull().default("")),
  /** JSON object by column: the folded text that filters compare, where it differs from SQLite's `lower`. */
  folded: internal(text()),
  last_activity_at: internal(text().notNull()),
  /** Updated by triggers. */
  contact_count: internal(integer().notNull().default(0)),
  /** Type and source of the lead whose acceptance created the account, for filters of the list. */
  created_with_lead_type_id: internal(text()),
  created_with_lead_source: internal(text()),
  /** 0: the account is being deleted, and counters already exclude it. */
  counts: internal(integer().notNull().default(1)),
  created_by: internal(integer()),
  created_at: { ...created_at, create: makeBackdatedTime("record"), stored: "code" },
  updated_at,
  ...versioned,
} satisfies Members;

export const accounts = sqliteTable("accounts", columns(accountMembers), (table) => [
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
    foldInIndex("name"),
    table.created_at,
    table.b2c,
    table.team_id,
  ).where(
    sql`${foldInIndex("name")} is not null`,
  ),
  index("accounts_folded_address").on(table.company_id, foldInIndex("address"), table.b2c).where(
    sql`${foldInIndex("address")} is not null`,
  ),
  index("accounts_folded_zip_code").on(table.company_id, foldInIndex("zip_code"), table.b2c).where(
    sql`${foldInIndex("zip_code")} is not null`,
  ),
  index("accounts_folded_city").on(table.company_id, foldInIndex("city"), table.b2c).where(
    sql`${foldInIndex("city")} is not null`,
  ),
  index("accounts_folded_state_region").on(table.company_id, foldInIndex("state_region"), table.b2c).where(
    sql`${foldInIndex("state_region")} is not null`,
  ),
  index("accounts_folded_country").on(table.company_id, table.country, table.b2c).where(
    sql`${table.country} is not null`,
  ),
  index("accounts_folded_vat").on(table.company_id, foldInIndex("vat"), table.b2c).where(
    sql`${foldInIndex("vat")} is not null`,
  ),
  index("accounts_folded_website").on(table.company_id, foldInIndex("website"), table.b2c).where(
    sql`${foldInIndex("website")} is not null`,
  ),
]);

export type AccountRow = typeof accounts.$inferSelect;

/** What its columns name, and what happens when that is deleted. */
export const accountReferences = declareReferences(accounts, {
  team_id: { team: leaveTo("sales/deletion/teams.ts#salesTeamDeletion", "reassign", "keep") },
  user_id: { user: "keep" },
  external_id: "an id of another system",
  custom: droppedValues,
  created_with_lead_type_id: {
    lead_type: block("account", { attribute: "created_with_lead_type", company: "company_id" }),
  },
  created_by: { user: "keep" },
});

export const Account = z.object(forAnswer(accountMembers)).meta({
  id: "Account",
  description: "A customer organisation, or a consumer when `b2c` is true.",
});

/** Presents the plain members; fixed and custom fields are computed. */
export const presentAccountMembers = presenter(accountMembers, Account);

export const BriefAccount = Account.extend(briefValues);

export const AccountPage = describePageOfRows(Account, BriefAccount, "AccountPage");

/** What answers show in place of ids. */
const named = { user_id: ["user", integerId] } as const;

export const AccountBody = z.object(forCreate(accountMembers, "user_id", "team_id", "b2c", "external_id"))
  .meta({
    id: "AccountBody",
    required: ["fixed_fields"],
    example: { b2c: false, fixed_fields: [{ name: "name", value: "Ada Ltd" }] },
  });

export const AccountChange = orShownAs(
  z.object(forChange(accountMembers, "user_id", "team_id")),
  named,
).meta({ id: "AccountChange", example: { fixed_fields: [{ name: "city", value: "London" }] } });

/** The path contains the external id. An update ignores the properties that only a creation uses. */
export const AccountPut = orShownAs(AccountBody.omit({ external_id: true }), named).meta({
  id: "AccountPut",
  example: { fixed_fields: [{ name: "name", value: "Ada Ltd" }] },
});

export type AccountPut = z.output<typeof AccountPut>;
export type AccountBody = z.output<typeof AccountBody>;
export type AccountChange = z.output<typeof AccountChange>;
