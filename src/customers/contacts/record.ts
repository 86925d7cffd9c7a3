/** The contact, described once. Its fixed and custom fields have their own descriptions. */
import { droppedValues } from "../fields/custom_references.ts";
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { foldInIndex } from "../../db/case_fold.ts";
import { declareReferences, leaveTo } from "../../db/references.ts";
import { orShownAs } from "../../http/as_shown.ts";
import { briefValues, FieldValue, FieldValues } from "../../fields/values.ts";
import { describePageOfRows } from "../../http/lists.ts";
import { integerId, makeBackdatedTime, optional, uuid } from "../../http/zod.ts";
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
import { accounts } from "../accounts/record.ts";
import { externalId } from "../external_id.ts";

export const channels = ["call", "email", "letter", "sms"] as const;
export type Channel = (typeof channels)[number];

/** A contact has these statuses in this order. */
export const contactStatuses = ["lead", "opportunity", "customer"] as const;

const ConsentState = z.object({
  consent_given: z.boolean().nullable(),
  updated_at: z.string().nullable().meta({ example: "2026-01-31 10:00:00" }),
}).meta({ id: "ConsentState" });

export const Consent = z.object({
  call: ConsentState,
  email: ConsentState,
  letter: ConsentState,
  sms: ConsentState,
})
  .meta({ id: "Consent" });

export const ConsentInput = z.object({
  consent_given: z.boolean().nullish(),
  updated_at: z.string().nullish().meta({
    description:
      "As the answer shows it, or absent. A consent with the time of the present one, or of an earlier one, is " +
      "no new one: it changes the one that was given at this time, if its value differs.",
  }),
}).nullish();
export type ConsentInput = z.output<typeof ConsentInput>;

/**
 * Whether the consent repeats what an answer showed, now or before: it then changes nothing. A time that no answer
 * can have shown, such as one beside a first consent, is the caller's own.
 */
export function repeatsConsent(
  given: ConsentInput | undefined,
  shown: z.output<typeof ConsentState>,
): boolean {
  const { consent_given = null, updated_at } = given ?? {};
  if (updated_at === undefined) return false;
  if (updated_at === shown.updated_at) return consent_given === shown.consent_given;
  if (updated_at === null) return consent_given === null;
  return shown.updated_at !== null && updated_at < shown.updated_at;
}

export const ConsentBody = z.object({
  call: ConsentInput,
  email: ConsentInput,
  letter: ConsentInput,
  sms: ConsentInput,
}).meta({ id: "ConsentBody", example: { email: { consent_given: true } } });

const { created_at, updated_at } = stamps();

export const contactMembers = {
  /** The row id that the full-text index uses. */
  seq: internal(integer().primaryKey()),
  id: readOnly(
    text().notNull().unique(),
    z.uuid().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a002" }),
  ),
  company_id: internal(integer().notNull().references(() => companies.id)),
  /** The account's kind, copied so that lists need no join; so is `team_id`. */
  b2c: { column: optionalFlag().column, shown: z.boolean(), stored: "flag" },
  external_id: {
    column: text(),
    shown: z.string().nullable(),
    ...writeOnly(optional(externalId)),
  },
  account: computed(z.object({ id: z.uuid(), name: z.string().nullable() }).meta({ id: "AccountSummary" })),
  team_id: internal(integer()),
  user: computed(UserSummary.nullable()),
  user_id: { column: integer(), ...writeOnly(optional(integerId)), stored: "code" },
  /** `lead` at creation, `opportunity` with a case, `customer` once a case closes. It never goes back. */
  status: readOnly(text({ enum: contactStatuses }).notNull().default("lead"), z.enum(contactStatuses)),
  fixed_fields: { ...computed(z.array(FieldValue)), ...writeOnly(optional(FieldValues)) },
  custom_fields: { ...computed(z.array(FieldValue)), ...writeOnly(optional(FieldValues)) },
  consent: { ...computed(Consent), ...writeOnly(optional(ConsentBody)) },
  account_id: {
    column: text().notNull().references(() => accounts.id),
    change: uuid.optional().meta({ description: "Moves the contact to that account." }),
    stored: "code",
  },
  with_cases: {
    change: optional(z.boolean()).meta({
      description: "Also moves all cases of the contact to its account.",
    }),
  },
  salutation: internal(text()),
  first_name: internal(text()),
  last_name: internal(text()),
  email: internal(text()),
  phone_number: internal(text()),
  title: internal(text()),
  custom: internal(text().notNull().default("{}")),
  /** Consent by channel: 0, 1 or null, and the time of that value. */
  consent_call: internal(integer()),
  consent_call_at: internal(text()),
  consent_email: internal(integer()),
  consent_email_at: internal(text()),
  consent_letter: internal(integer()),
  consent_letter_at: internal(text()),
  consent_sms: internal(integer()),
  consent_sms_at: internal(text()),
  last_name_key: internal(text().notNull()),
  /** The words of the names, in the form of the full-text index of cases. */
  name_words: internal(text().notNull().default("")),
  /** JSON object by column: the folded text that filters compare, where it differs from SQLite's `lower`. */
  folded: internal(text()),
  /** The phone number as it is compared with others, however it is typed. */
  phone_key: internal(text()),
  /** The phone number in international form, with the code of the company's country where it was typed without. */
  e164: internal(text()),
  last_activity_at: internal(text().notNull()),
  /** Type and source of the lead whose acceptance created the contact. */
  created_with_lead_type_id: internal(text()),
  created_with_lead_source: internal(text()),
  created_by: internal(integer()),
  created_at: { ...created_at, create: makeBackdatedTime("record"), stored: "code" },
  updated_at,
  ...versioned,
} satisfies Members;

export const contacts = sqliteTable("contacts", columns(contactMembers), (table) => [
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
  index("contacts_folded_salutation").on(table.company_id, foldInIndex("salutation"), table.b2c).where(
    sql`${foldInIndex("salutation")} is not null`,
  ),
  index("contacts_folded_first_name").on(table.company_id, foldInIndex("first_name"), table.b2c).where(
    sql`${foldInIndex("first_name")} is not null`,
  ),
  index("contacts_folded_last_name").on(
    table.company_id,
    foldInIndex("last_name"),
    table.created_at,
    table.b2c,
    table.team_id,
    table.status,
  ).where(
    sql`${foldInIndex("last_name")} is not null`,
  ),
  index("contacts_folded_email").on(table.company_id, foldInIndex("email"), table.b2c).where(
    sql`${foldInIndex("email")} is not null`,
  ),
  index("contacts_folded_phone_number").on(table.company_id, foldInIndex("phone_number"), table.b2c).where(
    sql`${foldInIndex("phone_number")} is not null`,
  ),
  index("contacts_by_phone").on(table.company_id, table.phone_key, table.b2c).where(
    sql`${table.phone_key} is not null`,
  ),
  index("contacts_by_e164").on(table.company_id, table.e164).where(sql`${table.e164} is not null`),
  index("contacts_folded_title").on(table.company_id, foldInIndex("title"), table.b2c).where(
    sql`${foldInIndex("title")} is not null`,
  ),
  index("contacts_by_status").on(table.company_id, table.status, table.b2c),
  // One contact at most in a consumer's account.
  uniqueIndex("contacts_b2c_single").on(table.account_id).where(sql`${table.b2c} = 1`),
]);

export type ContactRow = typeof contacts.$inferSelect;

/** What its columns name, and what happens when that is deleted. */
export const contactReferences = declareReferences(contacts, {
  account_id: { account: leaveTo("customers/deletion/rows.ts#removeAccountRows", "cascade") },
  team_id: { team: leaveTo("sales/deletion/teams.ts#salesTeamDeletion", "reassign", "keep") },
  user_id: { user: "keep" },
  external_id: "an id of another system",
  custom: droppedValues,
  created_with_lead_type_id: { lead_type: "keep" },
  created_by: { user: "keep" },
});

export const Contact = z.object(forAnswer(contactMembers)).meta({
  id: "Contact",
  description: "A person at an account; a consumer's account has at most one.",
});

/** Presents the plain members; fixed and custom fields, consents and the account are computed. */
export const presentContactMembers = presenter(contactMembers, Contact);

export const BriefContact = Contact.extend(briefValues);

export const ContactPage = describePageOfRows(Contact, BriefContact, "ContactPage");

/** What answers show in place of ids. */
const named = { user_id: ["user", integerId], account_id: ["account", uuid] } as const;

export const ContactBody = z.object(forCreate(contactMembers, "user_id")).meta({
  id: "ContactBody",
  required: ["fixed_fields"],
  example: { fixed_fields: [{ name: "last_name", value: "Byron" }] },
});

const changed = z.object(forChange(contactMembers, "user_id"));

export const ContactChange = orShownAs(changed, named).meta({
  id: "ContactChange",
  example: { fixed_fields: [{ name: "title", value: "Countess" }] },
});

/**
 * The path contains the external id. An update ignores the properties that only a creation uses, and vice
 * versa.
 */
export const ContactPut = orShownAs(
  ContactBody.extend(changed.pick({ account_id: true, with_cases: true }).shape).omit({ external_id: true }),
  named,
)
  .meta({ id: "ContactPut", example: { fixed_fields: [{ name: "last_name", value: "Byron" }] } });

export type ConsentBody = z.output<typeof ConsentBody>;
export type ContactBody = z.output<typeof ContactBody>;
export type ContactPut = z.output<typeof ContactPut>;
export type ContactChange = z.output<typeof ContactChange>;
