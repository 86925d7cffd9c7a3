/** Wire shapes of leads. */
import { z } from "zod";
import { orShownAs } from "../../http/as_shown.ts";
import { parseDate } from "../../core/time.ts";
import { Account, AccountBody } from "../../customers/accounts/record.ts";
import { ConsentInput, Contact, ContactBody } from "../../customers/contacts/record.ts";
import { FieldValue } from "../../fields/values.ts";
import {
  filledLine,
  filledText,
  integerId,
  lineText,
  makeBackdatedTime,
  optional,
  text,
  timestamp,
  uuid,
} from "../../http/zod.ts";
import { EmbeddedTeam } from "../../identity/teams/record.ts";
import { LeadType } from "../lead_types/record.ts";
import { LeadDataLine } from "../case_parts/schema.ts";
import { LeadDataInput } from "./lead_data.ts";
import { leadStatuses } from "./lifecycle.ts";

const longest = 65_535;

const AccountInput = AccountBody.pick({ fixed_fields: true, custom_fields: true })
  .meta({ id: "LeadAccountInput", example: { fixed_fields: [{ name: "name", value: "Ada Ltd" }] } });

const ContactInput = ContactBody.pick({ fixed_fields: true, custom_fields: true }).extend({
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

const momentOrDay = z.string()
  .transform((value) => parseDate(value) === null ? value : `${value} 00:00:00`)
  .pipe(timestamp);

const open = {
  account_id: optional(uuid).meta({ description: "An existing account; required without `account`." }),
  account: optional(AccountInput),
  contact_id: optional(uuid).meta({ description: "An existing contact; required without `contact`." }),
  contact: optional(ContactInput),
  agency_team_id: optional(integerId).meta({
    description: "The agency team that handles escalations and reassignment; required without a team.",
  }),
  expires_at: optional(momentOrDay).meta({
    description:
      "The lead is hidden from this moment on. A date means the start of that day. Must be after now.",
  }),
  interest: optional(text(longest)),
  product_ids: optional(z.array(uuid).max(100, "At most 100 products.")).meta({
    description: "Duplicates are removed.",
  }),
  lead_data: optional(z.array(LeadDataInput).max(1000, "At most 1000 lines.")),
  lead_user: optional(lineText(255)),
  external_weight: optional(z.int().min(1, "From 1 to 100.").max(100, "From 1 to 100.")),
};

const b2c = z.boolean();
const lead_source = filledLine(255).meta({ example: "website" });

/** Runs together with the other checks, so that one answer lists all missing fields. */
const everMissing = { when: ({ value }: { value: unknown }) => typeof value === "object" && value !== null };

export const LeadBody = z.object({
  b2c,
  lead_source,
  lead_type_id: uuid,
  team_id: optional(integerId).meta({ description: "Without a team the agency assigns the lead." }),
  created_at: makeBackdatedTime("record"),
  ...open,
}).superRefine((body, ctx) => {
  const missing = (path: string, message: string) =>
    ctx.addIssue({ code: "custom", message, params: { code: "required" }, path: [path] });
  if (!body.account && !body.account_id) missing("account", "Required without account_id.");
  if (!body.contact && !body.contact_id) missing("contact", "Required without contact_id.");
  if (!body.team_id && !body.agency_team_id) missing("agency_team_id", "Required without team_id.");
}, everMissing).meta({
  id: "LeadBody",
  example: {
    b2c: false,
    lead_source: "website",
    lead_type_id: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a010",
    team_id: 12,
    account: { fixed_fields: [{ name: "name", value: "Ada Ltd" }] },
    contact: { fixed_fields: [{ name: "email", value: "ada@example.org" }] },
  },
});
export type LeadBody = z.output<typeof LeadBody>;

export const LeadChange = orShownAs(
  z.object({
    b2c: b2c.optional(),
    lead_source: lead_source.optional(),
    lead_type_id: uuid.optional(),
    ...open,
  }),
  { lead_type_id: ["lead_type", uuid] },
).meta({
  id: "LeadChange",
  description: "Assigning the lead changes the team.",
  example: { interest: "Estate" },
});
export type LeadChange = z.output<typeof LeadChange>;

export const AssignBody = z.object({
  team_id: integerId,
  user_id: optional(integerId).meta({
    description: "A member of the team; without a user the lead belongs to the whole team.",
  }),
}).meta({ id: "LeadAssignment", example: { team_id: 12, user_id: 7 } });

/** The deprecated form names the team in its path. */
export const AssignUserBody = z.object({ user_id: optional(integerId) })
  .meta({ id: "LeadAssignmentToUser", example: { user_id: 7 } });

export const AcceptBody = z.object({
  user_id: optional(integerId).meta({
    description: "The responsible user of the case; default: the caller.",
  }),
  account_id: optional(uuid).meta({ description: "An account to merge into." }),
  contact_id: optional(uuid).meta({ description: "A contact to merge into, with its account." }),
  relations_path_id: optional(uuid).meta({
    description: "The relations path of the case; default: that of the lead type.",
  }),
}).meta({ id: "LeadAcceptance", example: { user_id: 7 } });
export type AcceptBody = z.output<typeof AcceptBody>;

export const RejectBody = z.object({
  rejection_reason: filledText(longest).meta({ example: "Bought elsewhere" }),
})
  .meta({ id: "LeadRejection", example: { rejection_reason: "Bought elsewhere" } });

const at = z.string().meta({ example: "2026-01-31 10:00:00" });
const team = { team_id: z.int().nullable() };
const teamAndUser = { ...team, user_id: z.int().nullable() };
const countdown = z.enum(["accept", "activity"]);
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

export const Lead = z.object({
  id: z.uuid(),
  company_id: z.int(),
  user_id: z.int().nullable().meta({ description: "The assigned user." }),
  team_id: z.int().nullable(),
  team: EmbeddedTeam.nullable(),
  agency_team_id: z.int().nullable(),
  lead_type_id: z.uuid(),
  lead_type: LeadType,
  b2c,
  interest: z.string().nullable(),
  lead_source: z.string().meta({ example: "website" }),
  lead_user: z.string().nullable(),
  product_ids: z.array(z.uuid()),
  lead_data: z.array(LeadDataLine),
  status: z.enum(leadStatuses),
  rejections: z.array(z.object({ ...teamAndUser, rejection_reason: z.string(), rejection_date: at })),
  acceptions: z.array(z.object({
    ...teamAndUser,
    case_id: z.uuid().nullable(),
    account_id: z.uuid().nullable(),
    contact_id: z.uuid().nullable(),
    accepted_date: at,
    first_activity_at: at.nullable(),
  })),
  assignments: z.array(z.object({ ...teamAndUser, assignment_date: at })),
  escalations: z.array(z.object({ ...team, escalation_type: countdown, escalation_date: at })),
  calls: z.array(z.object({ ...teamAndUser, call_date: at })),
  revocations: z.array(z.object({ ...team, escalation_type: countdown, revocation_date: at })),
  case_id: z.uuid().nullable(),
  original_account: Account.nullable(),
  original_contact: Contact.nullable(),
  account_id: z.uuid().nullable(),
  account: LeadAccount,
  contact_id: z.uuid().nullable(),
  contact: LeadContact,
  expires_at: at.nullable(),
  external_weight: z.int().nullable().meta({ description: "1 to 100." }),
  escalates_at: at.nullable().meta({ description: "The end of the running countdown." }),
  created_at: at,
  updated_at: at,
}).meta({ id: "Lead", description: "The interest of a customer that has no case yet." });
