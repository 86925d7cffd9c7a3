import { z } from "zod";
import { orShownAs } from "../../http/as_shown.ts";
import { backdated, integerId, optional, uuid } from "../../http/zod.ts";
import { pageOfRows } from "../../http/lists.ts";
import { UserSummary } from "../accounts/schema.ts";
import { externalId } from "../external_id.ts";
import { briefValues, FieldValue, FieldValues } from "../../http/field_values.ts";

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

export const Contact = z.object({
  id: z.uuid().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a002" }),
  b2c: z.boolean(),
  external_id: z.string().nullable(),
  account: z.object({ id: z.uuid(), name: z.string().nullable() }).meta({ id: "AccountSummary" }),
  user: UserSummary.nullable(),
  status: z.enum(contactStatuses),
  fixed_fields: z.array(FieldValue),
  custom_fields: z.array(FieldValue),
  consent: Consent,
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
}).meta({ id: "Contact", description: "A person at an account; a consumer's account has at most one." });

export const BriefContact = Contact.extend(briefValues);

export const ContactPage = pageOfRows(Contact, BriefContact, "ContactPage");

const ConsentInput = z.object({ consent_given: z.boolean().nullish() }).nullish();

export const ConsentBody = z.object({
  call: ConsentInput,
  email: ConsentInput,
  letter: ConsentInput,
  sms: ConsentInput,
}).meta({ id: "ConsentBody", example: { email: { consent_given: true } } });

const changeable = {
  user_id: optional(integerId),
  external_id: optional(externalId),
  fixed_fields: optional(FieldValues),
  custom_fields: optional(FieldValues),
  consent: optional(ConsentBody),
};

/** What answers show in place of ids. */
const named = { user_id: ["user", integerId], account_id: ["account", uuid] } as const;

export const ContactBody = z.object({
  ...changeable,
  created_at: backdated("record"),
}).meta({
  id: "ContactBody",
  required: ["fixed_fields"],
  example: { fixed_fields: [{ name: "last_name", value: "Byron" }] },
});

const moving = {
  account_id: uuid.optional().meta({ description: "Moves the contact to that account." }),
  with_cases: optional(z.boolean()).meta({
    description: "Also moves all cases of the contact to its account.",
  }),
};

export const ContactChange = orShownAs(z.object({ ...changeable, ...moving }), named).meta({
  id: "ContactChange",
  example: { fixed_fields: [{ name: "title", value: "Countess" }] },
});

/**
 * The path contains the external id. An update ignores the properties that only a creation uses, and vice
 * versa.
 */
export const ContactPut = orShownAs(ContactBody.extend(moving).omit({ external_id: true }), named)
  .meta({ id: "ContactPut", example: { fixed_fields: [{ name: "last_name", value: "Byron" }] } });

export type ConsentBody = z.output<typeof ConsentBody>;
export type ContactBody = z.output<typeof ContactBody>;
export type ContactPut = z.output<typeof ContactPut>;
export type ContactChange = z.output<typeof ContactChange>;
