import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { createLeadType } from "./create.ts";
import { getLeadType, listLeadTypes } from "./queries.ts";
import { CreateLeadTypeBody, LeadType, LeadTypeListQuery, LeadTypePage } from "./schema.ts";

const tag = "Lead types";

export const leadTypeEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/lead-types",
    operation: "listLeadTypes",
    tag,
    summary: "Lead types of the company and of own teams",
    query: LeadTypeListQuery,
    answers: { 200: { description: "A page of lead types.", schema: LeadTypePage } },
  }, (ctx, { query, url }) => listLeadTypes(ctx, query, url)),
  endpoint({
    method: "post",
    path: "/v1/lead-types",
    operation: "createLeadType",
    tag,
    summary: "Make a lead type",
    description: "For admins; for group admins and team admins as far as the company's settings allow.",
    body: CreateLeadTypeBody,
    answers: { 201: { description: "The new lead type.", schema: LeadType } },
  }, (ctx, { body }) => createLeadType(ctx, body)),
  endpoint({
    method: "get",
    path: "/v1/lead-types/:lead_type_id",
    operation: "getLeadType",
    tag,
    summary: "One lead type",
    params: { lead_type_id: "uuid" },
    answers: { 200: { description: "The lead type.", schema: LeadType } },
  }, (ctx, { params }) => getLeadType(ctx, params.lead_type_id)),
];
