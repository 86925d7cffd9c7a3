import { ok } from "../../core/answer.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { Team } from "../../identity/teams/record.ts";
import { TeamPage } from "../../identity/teams/schema.ts";
import { assignLead } from "../leads/assign.ts";
import { callLead } from "../leads/call.ts";
import { LeadPage } from "../leads/list_schema.ts";
import { AssignBody, AssignUserBody, Lead } from "../leads/schema.ts";
import { getDealer, listAssignableTeams, listDealers, listWaiting } from "./queries.ts";
import { AssignableTeams, DealerListQuery, TeamWaitingQuery, WaitingQuery } from "./schema.ts";

const tag = "Agency";
const right = "agency";
const whose = "Leads of the caller's agency teams and leads without an agency team; admins see all.";
const conflicts = ["lead_state"] as const;
const params = { lead_id: "uuid" } as const;
const answers = { 200: { description: "A page of leads.", schema: LeadPage } };

/** Must come before the endpoints of leads, whose paths have an id in the same place. */
export const agencyEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/leads/assignable",
    operation: "listAssignableLeads",
    tag,
    summary: "List leads without a team",
    description: whose,
    right,
    query: WaitingQuery,
    answers,
  }, (ctx, { query, url }) => listWaiting(ctx, "assignable", query, url)),
  endpoint({
    method: "get",
    path: "/v1/leads/rejected",
    operation: "listRejectedLeads",
    tag,
    summary: "List rejected leads",
    description: whose,
    right,
    query: TeamWaitingQuery,
    answers,
  }, (ctx, { query, url }) => listWaiting(ctx, "rejected", query, url)),
  endpoint({
    method: "get",
    path: "/v1/leads/escalated",
    operation: "listEscalatedLeads",
    tag,
    summary: "List escalated leads",
    description: whose,
    right,
    query: TeamWaitingQuery,
    answers,
  }, (ctx, { query, url }) => listWaiting(ctx, "escalated", query, url)),
  endpoint({
    method: "get",
    path: "/v1/leads/called",
    operation: "listCalledLeads",
    tag,
    summary: "List leads whose team the agency called",
    description: whose,
    right,
    query: TeamWaitingQuery,
    answers,
  }, (ctx, { query, url }) => listWaiting(ctx, "called", query, url)),
  endpoint({
    method: "get",
    path: "/v1/leads/revoked",
    operation: "listRevokedLeads",
    tag,
    summary: "List revoked leads",
    description: whose,
    right,
    query: WaitingQuery,
    answers,
  }, (ctx, { query, url }) => listWaiting(ctx, "revoked", query, url)),
  endpoint({
    method: "get",
    path: "/v1/leads/teams/:lead_id",
    operation: "listAssignableTeams",
    tag,
    summary: "List the dealers for a lead",
    description: "Includes the number of open cases of each dealer.",
    right,
    params,
    answers: { 200: { description: "All dealers, by name.", schema: AssignableTeams } },
  }, (ctx, { params }) => listAssignableTeams(ctx, params.lead_id)),
  endpoint({
    method: "get",
    path: "/v1/agency/dealers",
    operation: "listDealers",
    tag,
    summary: "List the dealers of the company",
    right,
    query: DealerListQuery,
    answers: { 200: { description: "A page of teams.", schema: TeamPage } },
  }, (ctx, { query, url }) => listDealers(ctx, query, url)),
  endpoint({
    method: "get",
    path: "/v1/agency/dealers/:dealer_id",
    operation: "getDealer",
    tag,
    summary: "Get a dealer",
    right,
    params: { dealer_id: "integer" },
    answers: { 200: { description: "The team.", schema: Team } },
  }, (ctx, { params }) => getDealer(ctx, params.dealer_id)),
  endpoint({
    method: "put",
    path: "/v1/leads/:lead_id/assign",
    operation: "assignLead",
    tag,
    summary: "Assign a lead to a team",
    description: "To a dealer team or one of the caller's own teams, or to one of its members.",
    right: "agency",
    params,
    body: AssignBody,
    answers: { 201: { description: "The assigned lead.", schema: Lead } },
    conflicts,
  }, (ctx, { params, body }) => assignLead(ctx, params.lead_id, body)),
  endpoint({
    method: "put",
    path: "/v1/leads/:lead_id/assign/:team_id",
    operation: "assignLeadToTeam",
    tag,
    summary: "Assign a lead to the team in the path",
    right: "agency",
    params: { ...params, team_id: "integer" },
    body: AssignUserBody,
    answers: { 200: { description: "The assigned lead.", schema: Lead } },
    conflicts,
    deprecated: { since: Date.UTC(2026, 0, 1) / 1000, successor: "/v1/leads/:lead_id/assign" },
  }, (ctx, { params, body }) => {
    const assignment = { team_id: params.team_id, user_id: body.user_id, in_path: true };
    return assignLead(ctx, params.lead_id, assignment, ok);
  }),
  endpoint({
    method: "put",
    path: "/v1/leads/:lead_id/call",
    operation: "callLead",
    tag,
    summary: "Record that the agency called the team of an escalated lead",
    description: "The countdown that had run out starts again.",
    right: "agency",
    params,
    answers: { 200: { description: "The updated lead.", schema: Lead } },
    conflicts,
  }, (ctx, { params }) => callLead(ctx, params.lead_id)),
];
