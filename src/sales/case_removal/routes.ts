import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { deleteCase } from "./delete.ts";

export const caseRemovalEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "delete",
    path: "/v1/cases/:case_id",
    operation: "deleteCase",
    tag: "Cases",
    summary: "Delete a case with its activities, tasks and notes",
    description: "For admins, group admins and team admins who see the case.",
    params: { case_id: "uuid" },
    answers: { 204: { description: "It is deleted.", schema: null } },
  }, (ctx, { params }) => deleteCase(ctx, params.case_id)),
];
