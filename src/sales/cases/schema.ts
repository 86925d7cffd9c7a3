/** Wire shapes of cases. */
import { z } from "zod";
import { orShownAs } from "../../http/as_shown.ts";
import { date, filledText, integerId, makeBackdatedTime, optional, uuid } from "../../http/zod.ts";
import { describeRows, Pagination } from "../../http/lists.ts";
import { Account } from "../../customers/accounts/record.ts";
import { UserSummary } from "../../identity/users/user_summary.ts";
import { Contact } from "../../customers/contacts/record.ts";
import { EmbeddedTeam, TeamSummary } from "../../identity/teams/record.ts";
import { Activity, LeadDataLine, ProductDetails } from "../case_parts/schema.ts";
import { CaseTask } from "../tasks/record.ts";
import { storedCaseStatuses } from "./lifecycle.ts";

export const CreateCaseBody = z.object({
  user_id: optional(integerId).meta({ description: "The responsible user; default: the caller." }),
  team_id: optional(integerId).meta({
    description: "Default: the caller's active team, else the team of the contact's account.",
  }),
  contact_id: uuid,
  relations_path_id: uuid,
  notify_user: optional(z.boolean()).meta({
    description: "Notify the responsible user, unless that is the caller.",
  }),
  stock_vehicle_id: optional(uuid).meta({ description: "The id of a vehicle in another system." }),
  created_at: makeBackdatedTime("case"),
}).meta({
  id: "CaseCreate",
  example: {
    contact_id: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a002",
    relations_path_id: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001",
  },
});
export type CreateCaseBody = z.output<typeof CreateCaseBody>;

export const CaseChange = orShownAs(
  z.object({
    user_id: integerId.optional().meta({ description: "A member of the case's team." }),
    team_id: optional(integerId),
    contact_id: uuid.optional(),
    notify_user: optional(z.boolean()).meta({
      description: "Notify the new responsible user, unless that is the caller.",
    }),
    stock_vehicle_id: optional(uuid).meta({ description: "The id of a vehicle in another system." }),
  }),
  { user_id: ["user", integerId], team_id: ["team", integerId], contact_id: ["contact", uuid] },
).meta({ id: "CaseChange", description: "The relations path never changes.", example: { user_id: 7 } });
export type CaseChange = z.output<typeof CaseChange>;

export const DeclineBody = z.object({ reason: filledText(65_535).meta({ example: "Bought elsewhere" }) })
  .meta({ id: "CaseDecline", example: { reason: "Bought elsewhere" } });

export const ChanceBody = z.object({ chance_of_success: z.int().min(0).max(100).optional() })
  .meta({ id: "CaseChance", description: "In percent.", example: { chance_of_success: 60 } });
export type ChanceBody = z.output<typeof ChanceBody>;

export const CloseDateBody = z.object({ date: date.optional() })
  .meta({ id: "CaseCloseDate", example: { date: "2026-01-31" } });
export type CloseDateBody = z.output<typeof CloseDateBody>;

const LeadSummary = z.object({
  id: z.uuid(),
  lead_type_id: z.uuid(),
  interest: z.string().nullable(),
  lead_source: z.string(),
  lead_data: z.array(LeadDataLine),
  escalates_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
}).meta({ id: "CaseLead", description: "The lead that was last accepted into the case." });

const PathSummary = z.object({
  id: z.uuid(),
  name: z.string(),
  is_sales_type: z.boolean().meta({ deprecated: true }),
}).meta({ id: "RelationsPathSummary" });

const head = {
  id: z.uuid(),
  case_number: z.int().meta({ example: 17, description: "Counts from 1 in the company." }),
  status: z.enum(storedCaseStatuses),
};

const CaseAttachment = z.object({
  id: z.uuid(),
  name: z.string().meta({ example: "offer.pdf" }),
  type: z.string(),
  size: z.int(),
  public: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
  user_id: z.int(),
  company_id: z.int(),
  permissions: z.array(z.object({ type: z.enum(["company", "group", "team"]), value: z.int() })),
  folder_id: z.uuid().nullable(),
  belongs_to: z.enum(["company", "group", "team", "user"]).nullable(),
  belongs_to_id: z.int().nullable(),
  attached_by: z.int(),
  attached_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
}).meta({ id: "CaseAttachment", description: "A file of a case, without a download token." });

const rest = {
  user: UserSummary.nullable(),
  team_id: z.int().nullable(),
  team: EmbeddedTeam.nullable(),
  value: z.number().nullable().meta({
    description: "What its products come to; null when the company does not calculate prices.",
    example: 24900,
  }),
  milestones: z.array(z.object({ id: z.uuid(), name: z.string(), done: z.boolean() })),
  latest_activity_at: z.string().nullable(),
  latest_activity: z.object({
    type: z.enum(["milestone", "supportive"]),
    id: z.uuid(),
    name: z.string(),
    created_at: z.string(),
  }).nullable(),
  latest_milestone_name: z.string().nullable().meta({ deprecated: true }),
  recent_activity: Activity.nullable(),
  chance_of_success: z.int(),
  estimated_close_date: z.string().nullable(),
  decline_reason: z.string().nullable(),
  activity_count: z.int(),
  next_task: z.object({ type: z.string(), start_at: z.string(), end_at: z.string() }).nullable(),
  next_pending_automated_communication: z.object({
    id: z.uuid(),
    name: z.string(),
    subject: z.string(),
    send_at: z.string(),
  }).nullable().meta({ description: "The next one that waits." }),
  lead: LeadSummary.nullable(),
  product_details: ProductDetails,
  tasks: z.array(CaseTask),
  attachments: z.array(CaseAttachment).nullable().meta({
    description: "The 50 files attached last, the newest first; null in lists.",
  }),
  stock_vehicle_id: z.uuid().nullable(),
  lead_source: z.string().nullable().meta({ deprecated: true }),
  escalates_at: z.string().nullable().meta({ deprecated: true }),
  created_at: z.string(),
  updated_at: z.string(),
};

export const Case = z.object({
  ...head,
  account: Account.extend({ team: EmbeddedTeam.nullable() }).meta({ id: "CaseAccount", extends: Account }),
  contact: Contact.extend({ team_id: z.int().nullable(), team: EmbeddedTeam.nullable() })
    .meta({ id: "CaseContact", extends: Contact }),
  relations_path: PathSummary,
  ...rest,
}).meta({
  id: "Case",
  description:
    "A sale in progress with a contact, along a relations path. A user who sees the case sees its account and " +
    "contact as the case shows them, even those of another team.",
});

const Summary = z.object({ id: z.uuid(), name: z.string().nullable() });

export const CaseEntry = z.object({
  ...head,
  account: Summary,
  contact: Summary,
  relations_paths: PathSummary,
  ...rest,
}).meta({ id: "CaseEntry", description: "A case in a list." });

const BriefCase = CaseEntry.extend({
  team: TeamSummary.nullable(),
  lead: LeadSummary.omit({ lead_data: true }).nullable(),
});

export const CasePage = z.object({
  data: describeRows(CaseEntry, BriefCase),
  pagination: Pagination,
  statuses: z.object({ all: z.int(), open: z.int(), closed: z.int(), declined: z.int() })
    .meta({ id: "CaseStatuses", description: "The number of cases that match all filters except `status`." }),
}).meta({ id: "CasePage" });
