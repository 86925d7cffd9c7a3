import { CustomerImpact } from "../../customers/deletion/schema.ts";
import type { Blocker } from "../../db/blockers.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { createLeadType } from "./create.ts";
import { deleteLeadType, getLeadTypeImpact } from "./delete.ts";
import { getLeadType, LeadTypeListQuery, LeadTypePage, listLeadTypes } from "./queries.ts";
import { CreateLeadTypeBody, LeadType, LeadTypeChange } from "./record.ts";
import { updateLeadType } from "./update.ts";

const tag = "Lead types";
const one = { lead_type_id: "uuid" } as const;
const makers = "For admins, and for group and team admins as far as the settings of the company allow.";

/** `blockers`: what names lead types. */
export const declareLeadTypeEndpoints = (blockers: readonly Blocker[]): Endpoint[] => [
  endpoint({
    method: "get",
    path: "/v1/lead-types",
    operation: "listLeadTypes",
    tag,
    summary: "List the lead types of the company and of the caller's teams",
    query: LeadTypeListQuery,
    answers: { 200: { description: "A page of lead types.", schema: LeadTypePage } },
  }, (ctx, { query, url }) => listLeadTypes(ctx, query, url)),
  endpoint({
    method: "post",
    path: "/v1/lead-types",
    operation: "createLeadType",
    tag,
    summary: "Create a lead type",
    description: makers,
    body: CreateLeadTypeBody,
    answers: { 201: { description: "The new lead type.", schema: LeadType } },
  }, (ctx, { body }) => createLeadType(ctx, body)),
  endpoint({
    method: "get",
    path: "/v1/lead-types/:lead_type_id",
    operation: "getLeadType",
    tag,
    summary: "Get a lead type",
    params: one,
    answers: { 200: { description: "The lead type.", schema: LeadType } },
  }, (ctx, { params }) => getLeadType(ctx, params.lead_type_id)),
  endpoint({
    method: "put",
    path: "/v1/lead-types/:lead_type_id",
    operation: "updateLeadType",
    tag,
    summary: "Change a lead type",
    description: `${makers} Running countdowns do not change.`,
    params: one,
    body: LeadTypeChange,
    answers: { 200: { description: "The updated lead type.", schema: LeadType } },
  }, (ctx, { params, body }) => updateLeadType(ctx, params.lead_type_id, body)),
  endpoint({
    method: "get",
    path: "/v1/lead-types/:lead_type_id/delete-impact",
    operation: "getLeadTypeDeleteImpact",
    tag,
    summary: "Get the impact of deleting a lead type",
    description: makers,
    params: one,
    answers: { 200: { description: "The records that prevent the deletion.", schema: CustomerImpact } },
  }, (ctx, { params }) => getLeadTypeImpact(ctx, blockers, params.lead_type_id)),
  endpoint({
    method: "delete",
    path: "/v1/lead-types/:lead_type_id",
    operation: "deleteLeadType",
    tag,
    summary: "Delete a lead type",
    description:
      `${makers} A type with leads, including deleted and expired ones, or with cases or accounts of ` +
      "such leads cannot be deleted: disable it instead.",
    params: one,
    answers: { 204: { description: "The lead type is deleted.", schema: null } },
    conflicts: ["delete_blocked"],
  }, (ctx, { params }) => deleteLeadType(ctx, blockers, params.lead_type_id)),
];
