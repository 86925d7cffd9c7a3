import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { deleteCase } from "../deletion/delete_case.ts";
import { createCase } from "./create.ts";
import { declineCase } from "./decline.ts";
import { listCases, listCasesOfAccount } from "./list.ts";
import { setChance, setCloseDate } from "./forecast.ts";
import { getCase } from "./queries.ts";
import { readBoard } from "./board.ts";
import { CaseChange, CreateCaseBody } from "./record.ts";
import { AccountCasesQuery, Board, BoardQuery, CaseListQuery } from "./list_schema.ts";
import { Case, CasePage, ChanceBody, CloseDateBody, DeclineBody } from "./schema.ts";
import { updateCase } from "./update.ts";

const tag = "Cases";
const changed = { 200: { description: "The updated case.", schema: Case } };

export const caseEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/cases",
    operation: "listCases",
    tag,
    summary: "List cases",
    query: CaseListQuery,
    answers: { 200: { description: "A page of cases, with counts by status.", schema: CasePage } },
  }, (ctx, { query, url }) => listCases(ctx, query, url)),
  endpoint({
    method: "post",
    path: "/v1/cases",
    operation: "createCase",
    tag,
    summary: "Open a case for a contact",
    right: "cases.create",
    body: CreateCaseBody,
    answers: { 201: { description: "The new case.", schema: Case } },
  }, (ctx, { body }) => createCase(ctx, body)),
  endpoint({
    method: "get",
    path: "/v1/cases/board",
    operation: "getBoard",
    tag,
    summary: "Get the board of a relations path",
    description: "Open cases in columns by the highest milestone done, with the numbers of all of them.",
    query: BoardQuery,
    answers: { 200: { description: "The columns.", schema: Board } },
  }, (ctx, { query, url }) => readBoard(ctx, query, url)),
  endpoint({
    method: "get",
    path: "/v1/cases/:case_id",
    operation: "getCase",
    tag,
    summary: "Get a case",
    params: { case_id: "uuid" },
    answers: { 200: { description: "The case.", schema: Case } },
  }, (ctx, { params }) => getCase(ctx, params.case_id)),
  endpoint({
    method: "put",
    path: "/v1/cases/:case_id",
    operation: "updateCase",
    tag,
    summary: "Change a case",
    right: "cases.update",
    params: { case_id: "uuid" },
    body: CaseChange,
    answers: changed,
  }, (ctx, { params, body }) => updateCase(ctx, params.case_id, body)),
  endpoint({
    method: "delete",
    path: "/v1/cases/:case_id",
    operation: "deleteCase",
    tag,
    summary: "Delete a case with its activities, tasks and notes",
    description: "For admins, group admins and team admins who see the case.",
    params: { case_id: "uuid" },
    answers: { 204: { description: "It is deleted.", schema: null } },
  }, (ctx, { params }) => deleteCase(ctx, params.case_id)),
  endpoint({
    method: "put",
    path: "/v1/cases/:case_id/decline",
    operation: "declineCase",
    tag,
    summary: "Decline an open case",
    right: "cases.update",
    params: { case_id: "uuid" },
    body: DeclineBody,
    answers: changed,
    conflicts: ["case_state"],
  }, (ctx, { params, body }) => declineCase(ctx, params.case_id, body.reason)),
  endpoint({
    method: "put",
    path: "/v1/cases/:case_id/chance_of_success",
    operation: "setChanceOfSuccess",
    tag,
    summary: "Set the chance of success of a case",
    description:
      "The chance stays until a milestone of at least the same rank as the highest done before is done.",
    right: "cases.update",
    params: { case_id: "uuid" },
    body: ChanceBody,
    answers: changed,
  }, (ctx, { params, body }) => setChance(ctx, params.case_id, body)),
  endpoint({
    method: "put",
    path: "/v1/cases/:case_id/estimated_close_date",
    operation: "setEstimatedCloseDate",
    tag,
    summary: "Set the estimated close date of a case",
    right: "cases.update",
    params: { case_id: "uuid" },
    body: CloseDateBody,
    answers: changed,
  }, (ctx, { params, body }) => setCloseDate(ctx, params.case_id, body)),
  endpoint({
    method: "get",
    path: "/v1/accounts/:account_id/cases",
    operation: "listCasesOfAccount",
    tag,
    summary: "List the cases of an account",
    params: { account_id: "uuid" },
    query: AccountCasesQuery,
    answers: { 200: { description: "A page of cases, with counts by status.", schema: CasePage } },
  }, (ctx, { params, query, url }) => listCasesOfAccount(ctx, params.account_id, query, url)),
];
