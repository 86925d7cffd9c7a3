/** Wire shapes of leads. */
import { z } from "zod";
import { orShownAs } from "../../http/as_shown.ts";
import { filledText, integerId, optional, uuid } from "../../http/zod.ts";
import { forAnswer, forChange, forCreate } from "../../records/members.ts";
import { longestText } from "./member_shapes.ts";
import { leadMembers } from "./record.ts";

/** Runs together with the other checks, so that one answer lists all missing fields. */
const everMissing = { when: ({ value }: { value: unknown }) => typeof value === "object" && value !== null };

export const LeadBody = z.object(
  forCreate(leadMembers, "b2c", "lead_source", "lead_type_id", "team_id"),
).superRefine((body, ctx) => {
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
  z.object(forChange(leadMembers, "b2c", "lead_source", "lead_type_id")),
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
  rejection_reason: filledText(longestText).meta({ example: "Bought elsewhere" }),
})
  .meta({ id: "LeadRejection", example: { rejection_reason: "Bought elsewhere" } });

export const Lead = z.object(forAnswer(leadMembers))
  .meta({ id: "Lead", description: "The interest of a customer that has no case yet." });
