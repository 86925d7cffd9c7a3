import { type Deprecation, type Endpoint, endpoint } from "../../http/endpoint.ts";
import { acceptLead } from "./accept.ts";
import { createLead } from "./create.ts";
import { deleteLead } from "./delete.ts";
import { filterLeads, listLeads } from "./list.ts";
import { getLead } from "./queries.ts";
import { listSources } from "./sources.ts";
import { rejectLead } from "./reject.ts";
import { LeadFilterBody, LeadFilterQuery, LeadListPage, LeadListQuery, LeadSources } from "./list_schema.ts";
import { AcceptBody, Lead, LeadBody, LeadChange, RejectBody } from "./schema.ts";
import { updateLead } from "./update.ts";

const tag = "Leads";
const conflicts = ["lead_state"] as const;
const params = { lead_id: "uuid" } as const;

export const leadEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/leads",
    operation: "listLeads",
    tag,
    summary: "List leads",
    query: LeadListQuery,
    answers: { 200: { description: "A page of leads, with counts by status.", schema: LeadListPage } },
  }, (ctx, { query, url }) => listLeads(ctx, query, url)),
  endpoint({
    method: "get",
    path: "/v1/leads/sources",
    operation: "listLeadSources",
    tag,
    summary: "List the sources of leads",
    description: "Those of the leads that the caller sees, the most frequent first; 200 at most.",
    answers: { 200: { description: "The sources, each with its number of leads.", schema: LeadSources } },
  }, (ctx) => listSources(ctx)),
  endpoint({
    method: "post",
    path: "/v1/leads",
    operation: "createLead",
    tag,
    summary: "Create a lead",
    description: "With a team it is assigned at once; without one the agency assigns it.",
    right: "leads.create",
    body: LeadBody,
    answers: { 201: { description: "The lead.", schema: Lead } },
  }, (ctx, { body }) => createLead(ctx, body)),
  declareFilterEndpoint("/v1/leads/filter", "filterLeads"),
  declareFilterEndpoint("/v1/leads/byFilter", "filterLeadsByFilter", {
    since: Date.UTC(2026, 0, 1) / 1000,
    successor: "/v1/leads/filter",
  }),
  endpoint({
    method: "get",
    path: "/v1/leads/:lead_id",
    operation: "getLead",
    tag,
    summary: "Get a lead",
    params,
    answers: { 200: { description: "The lead.", schema: Lead } },
  }, (ctx, { params }) => getLead(ctx, params.lead_id)),
  endpoint({
    method: "put",
    path: "/v1/leads/:lead_id",
    operation: "updateLead",
    tag,
    summary: "Change a lead that is not accepted",
    right: "leads.create",
    params,
    body: LeadChange,
    answers: { 200: { description: "The updated lead.", schema: Lead } },
    conflicts,
  }, (ctx, { params, body }) => updateLead(ctx, params.lead_id, body)),
  endpoint({
    method: "delete",
    path: "/v1/leads/:lead_id",
    operation: "deleteLead",
    tag,
    summary: "Delete a lead in any state",
    description: "The account, contact and case of its acceptance stay.",
    right: "leads.delete",
    params,
    answers: { 204: { description: "The lead is deleted.", schema: null } },
  }, (ctx, { params }) => deleteLead(ctx, params.lead_id)),
  endpoint({
    method: "put",
    path: "/v1/leads/:lead_id/accept",
    operation: "acceptLead",
    tag,
    summary: "Accept a lead into a case",
    description:
      "For members of the lead's team and admins. Creates or updates the account and the contact, " +
      "and opens a case unless the team has an open one for the customer.",
    params,
    body: AcceptBody,
    answers: { 200: { description: "The accepted lead.", schema: Lead } },
    conflicts,
  }, (ctx, { params, body }) => acceptLead(ctx, params.lead_id, body)),
  endpoint({
    method: "put",
    path: "/v1/leads/:lead_id/reject",
    operation: "rejectLead",
    tag,
    summary: "Give a lead back to the agency",
    description: "For members of the lead's team and admins, while it is not accepted.",
    params,
    body: RejectBody,
    answers: { 200: { description: "The rejected lead.", schema: Lead } },
    conflicts,
  }, (ctx, { params, body }) => rejectLead(ctx, params.lead_id, body.rejection_reason)),
];

function declareFilterEndpoint(path: string, operation: string, deprecated?: Deprecation): Endpoint {
  return endpoint({
    method: "post",
    path,
    operation,
    tag,
    summary: "List the leads that a filter selects",
    description: "For admins. Returns deleted leads only where the filter names `lead.deleted_at`.",
    query: LeadFilterQuery,
    body: LeadFilterBody,
    reads: true,
    answers: { 200: { description: "A page of leads.", schema: LeadListPage } },
    ...(deprecated && { deprecated }),
  }, (ctx, { query, body, url }) => filterLeads(ctx, query, body.filter, url));
}
