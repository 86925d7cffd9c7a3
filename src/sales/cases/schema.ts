/** Wire shapes of cases; `record.ts` has the bodies that make and change one. */
import { z } from "zod";
import { date, filledText } from "../../http/zod.ts";
import { describeRows, Pagination } from "../../http/lists.ts";
import { Account } from "../../customers/accounts/record.ts";
import { UserSummary } from "../../identity/users/user_summary.ts";
import { forAnswer } from "../../records/members.ts";
import { Contact } from "../../customers/contacts/record.ts";
import { EmbeddedTeam, TeamSummary } from "../../identity/teams/record.ts";
import { Activity, LeadDataLine, ProductDetails } from "../case_parts/schema.ts";
import { CaseTask } from "../tasks/record.ts";
import { caseMembers } from "./record.ts";

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

const {
  id,
  case_number,
  status,
  team_id,
  latest_activity_at,
  chance_of_success,
  estimated_close_date,
  decline_reason,
  activity_count,
  lead_source,
  created_at,
  updated_at,
  ...others
} = forAnswer(caseMembers);

const head = { id, case_number, status };

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
  team_id,
  team: EmbeddedTeam.nullable(),
  value: z.number().nullable().meta({
    description: "What its products come to; null when the company does not calculate prices.",
    example: 24900,
  }),
  milestones: z.array(z.object({ id: z.uuid(), name: z.string(), done: z.boolean() })),
  latest_activity_at,
  latest_activity: z.object({
    type: z.enum(["milestone", "supportive"]),
    id: z.uuid(),
    name: z.string(),
    created_at: z.string(),
  }).nullable(),
  latest_milestone_name: z.string().nullable().meta({ deprecated: true }),
  recent_activity: Activity.nullable(),
  chance_of_success,
  estimated_close_date,
  decline_reason,
  activity_count,
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
  ...others,
  lead_source,
  escalates_at: z.string().nullable().meta({ deprecated: true }),
  created_at,
  updated_at,
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
