import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { explainAccess } from "./access.ts";
import { AccessExplanation, AccessQuery } from "./access_schema.ts";
import { explainLead } from "./lead.ts";
import { LeadExplanation } from "./schema.ts";

export const explainEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/access/explain",
    operation: "explainAccess",
    tag: "Explanations",
    summary: "Explain whether a user sees a record",
    description: "By the conditions of the user's own GET, and the first of them that holds.",
    right: "admin",
    query: AccessQuery,
    answers: { 200: { description: "Whether, and why.", schema: AccessExplanation } },
  }, (ctx, { query }) => explainAccess(ctx, query)),
  endpoint({
    method: "get",
    path: "/v1/leads/:lead_id/explain",
    operation: "explainLead",
    tag: "Explanations",
    summary: "Explain how a lead came to where it is",
    description: "All its moves with who made them and why, and what happens next by itself.",
    params: { lead_id: "uuid" },
    answers: { 200: { description: "The moves and what is next.", schema: LeadExplanation } },
  }, (ctx, { params }) => explainLead(ctx, params.lead_id)),
];
