import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { createCase } from "./create.ts";
import { listCases } from "./list.ts";
import { getCase } from "./queries.ts";
import { Case, CaseListQuery, CasePage, CreateCaseBody } from "./schema.ts";

const tag = "Cases";

export const caseEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/cases",
    operation: "listCases",
    tag,
    summary: "Cases that the caller sees",
    query: CaseListQuery,
    answers: { 200: { description: "A page of cases, with counts by status.", schema: CasePage } },
  }, (ctx, { query, url }) => listCases(ctx, query, url)),
  endpoint({
    method: "post",
    path: "/v1/cases",
    operation: "createCase",
    tag,
    summary: "Open a case for a contact along a relations path",
    right: "cases.create",
    body: CreateCaseBody,
    answers: { 201: { description: "The new case.", schema: Case } },
  }, (ctx, { body }) => createCase(ctx, body)),
  endpoint({
    method: "get",
    path: "/v1/cases/:case_id",
    operation: "getCase",
    tag,
    summary: "One case in full",
    params: { case_id: "uuid" },
    answers: { 200: { description: "The case.", schema: Case } },
  }, (ctx, { params }) => getCase(ctx, params.case_id)),
];
