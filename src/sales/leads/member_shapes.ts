/** Shapes of the members of a lead. */
import { z } from "zod";
import { parseDate } from "../../core/time.ts";
import { AccountBody } from "../../customers/accounts/record.ts";
import { ConsentInput, ContactBody } from "../../customers/contacts/record.ts";
import { FieldValue } from "../../fields/values.ts";
import { optional, timestamp } from "../../http/zod.ts";
import { computed } from "../../records/kinds.ts";

/** The most characters of a long text. */
export const longestText = 65_535;

/** A moment; a date means the start of that day. */
export const momentOrDay = z.string()
  .transform((value) => parseDate(value) === null ? value : `${value} 00:00:00`)
  .pipe(timestamp);

export const LeadAccountInput = AccountBody.pick({ fixed_fields: true, custom_fields: true })
  .meta({ id: "LeadAccountInput", example: { fixed_fields: [{ name: "name", value: "Ada Ltd" }] } });

export const LeadContactInput = ContactBody.pick({ fixed_fields: true, custom_fields: true }).extend({
  consent: optional(z.object({ email: ConsentInput, call: ConsentInput, letter: ConsentInput })),
}).meta({
  id: "LeadContactInput",
  description: "This consent replaces the contact's when the lead is accepted. In a change, a consent of " +
    "null is removed.",
  example: {
    fixed_fields: [{ name: "email", value: "ada@example.org" }],
    consent: { email: { consent_given: true } },
  },
});

const at = z.string().meta({ example: "2026-01-31 10:00:00" });
const ConsentState = z.object({ consent_given: z.boolean().nullable(), updated_at: at.nullable() });

export const LeadAccount = z.object({
  id: z.uuid().nullable(),
  fixed_fields: z.array(FieldValue),
  custom_fields: z.array(FieldValue),
}).meta({ id: "LeadAccount", description: "The account of the acceptance; before it, the embedded data." });

export const LeadContact = LeadAccount.extend({
  consent: z.object({ call: ConsentState, letter: ConsentState, email: ConsentState }),
}).meta({
  id: "LeadContact",
  extends: LeadAccount,
  description: "The contact of the acceptance; before it, the embedded data.",
});

const team = { team_id: z.int().nullable() };
const teamAndUser = { ...team, user_id: z.int().nullable() };
const countdown = z.enum(["accept", "activity"]);

/** The transitions, by kind. */
export const history = {
  rejections: computed(
    z.array(z.object({ ...teamAndUser, rejection_reason: z.string(), rejection_date: at })),
  ),
  acceptions: computed(z.array(z.object({
    ...teamAndUser,
    case_id: z.uuid().nullable(),
    account_id: z.uuid().nullable(),
    contact_id: z.uuid().nullable(),
    accepted_date: at,
    first_activity_at: at.nullable(),
  }))),
  assignments: computed(z.array(z.object({ ...teamAndUser, assignment_date: at }))),
  escalations: computed(z.array(z.object({ ...team, escalation_type: countdown, escalation_date: at }))),
  calls: computed(z.array(z.object({ ...teamAndUser, call_date: at }))),
  revocations: computed(z.array(z.object({ ...team, escalation_type: countdown, revocation_date: at }))),
};
