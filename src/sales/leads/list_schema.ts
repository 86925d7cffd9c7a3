/** Wire shapes of the lists of leads. */
import { z } from "zod";
import { BriefAccount } from "../../customers/accounts/record.ts";
import { BriefContact } from "../../customers/contacts/record.ts";
import { Nodes } from "../../filters/schema.ts";
import { briefValues } from "../../fields/values.ts";
import { describePageOfRows, paging, search, sorting, view } from "../../http/lists.ts";
import { csv, csvIntegers, csvUuids, makeCsvEnum, requireOrder, timestamp } from "../../http/zod.ts";
import { TeamSummary } from "../../identity/teams/record.ts";
import { LeadType } from "../lead_types/record.ts";
import { type LeadStatus, leadStatuses } from "./lifecycle.ts";
import { LeadAccount, LeadContact } from "./member_shapes.ts";
import { Lead } from "./schema.ts";

const { lead_data: _, ...brief } = Lead.shape;
const BriefLead = z.object({
  ...brief,
  team: TeamSummary.nullable(),
  lead_type: LeadType.omit({ relations_paths: true }),
  original_account: BriefAccount.nullable(),
  original_contact: BriefContact.nullable(),
  account: LeadAccount.extend(briefValues),
  contact: LeadContact.extend(briefValues),
});

export const LeadPage = describePageOfRows(Lead, BriefLead, "LeadPage");

const LeadStatuses = z.object({
  all: z.int(),
  ...Object.fromEntries(leadStatuses.map((status) => [status, z.int()])) as Record<LeadStatus, z.ZodInt>,
}).meta({ id: "LeadStatuses", description: "The number of leads that match all filters except `status`." });

export const LeadListPage = LeadPage.extend({ statuses: LeadStatuses }).meta({ id: "LeadListPage" });

export const LeadSources = z.object({
  data: z.array(z.object({ lead_source: z.string().meta({ example: "website" }), count: z.int() })),
}).meta({ id: "LeadSources" });

/** The orders of the agency's lists. */
export const waitingSorts = {
  created_at: "created_at",
  updated_at: "updated_at",
  external_weight: "external_weight",
};

export const leadSorts = { ...waitingSorts, escalates_at: "countdown_key" };

export const LeadListQuery = requireOrder(
  z.object({
    ...paging,
    ...search,
    ...sorting(leadSorts),
    ...view,
    show: z.enum(["mine", "team"]).optional().meta({
      description: "`mine`: leads assigned to the caller; `team`: those of the caller's teams; " +
        "default: all visible.",
    }),
    status: makeCsvEnum(leadStatuses).optional().meta({ example: "assigned,called" }),
    lead_types: csvUuids.optional(),
    lead_sources: csv.optional(),
    users: csvIntegers.optional().meta({ description: "Only leads assigned to these users." }),
    teams: csvIntegers.optional(),
    groups: csvIntegers.optional(),
    start_at: timestamp.optional().meta({ description: "Created at this moment or later." }),
    end_at: timestamp.optional().meta({ description: "Created at this moment or earlier." }),
  }),
  "start_at",
  "end_at",
);
export type LeadListQuery = z.output<typeof LeadListQuery>;

/** The query of a filter. For another page, POST the same body to the URL of that page. */
export const LeadFilterQuery = z.object({ ...paging, ...sorting(leadSorts) });
export type LeadFilterQuery = z.output<typeof LeadFilterQuery>;

/** A filter over the fields `lead.*`. */
export const LeadFilterBody = z.object({ filter: Nodes }).meta({
  id: "LeadFilterBody",
  required: ["filter"],
  example: { filter: [{ field: "lead.status", operator: "in", value: ["assigned", "escalated"] }] },
});
