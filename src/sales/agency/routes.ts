import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { Team, TeamPage } from "../../identity/teams/schema.ts";
import { LeadPage } from "../leads/schema.ts";
import { getDealer, listAssignableTeams, listDealers, listWaiting } from "./queries.ts";
import { AssignableTeams, DealerListQuery, TeamWaitingQuery, WaitingQuery } from "./schema.ts";

const tag = "Agency";
const right = "agency";
const whose = "Those of the caller's agency teams and of none; an admin sees all.";
const answers = { 200: { description: "A page of leads.", schema: LeadPage } };

/** Before the endpoints of leads, whose ids stand where these have words. */
export const agencyEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/leads/assignable",
    operation: "listAssignableLeads",
    tag,
    summary: "List leads that no team has yet",
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
    summary: "List leads that their teams gave back",
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
    summary: "List leads whose teams took too long",
    description: whose,
    right,
    query: TeamWaitingQuery,
    answers,
  }, (ctx, { query, url }) => listWaiting(ctx, "escalated", query, url)),
  endpoint({
    method: "get",
    path: "/v1/leads/revoked",
    operation: "listRevokedLeads",
    tag,
    summary: "List leads whose teams took too long even after a call",
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
    summary: "List the dealers that a lead can be assigned to",
    description: "With how many open cases each of them has.",
    right,
    params: { lead_id: "uuid" },
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
];
