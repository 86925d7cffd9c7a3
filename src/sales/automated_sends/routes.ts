import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { cancelAutomated } from "./cancel.ts";
import { listAutomatedOfCase } from "./queries.ts";
import { CaseAutomatedPage, CaseAutomatedQuery } from "./schema.ts";

const tag = "Automated communications";

export const caseAutomatedEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/cases/:case_id/automated-communications",
    operation: "listCaseAutomatedCommunications",
    tag,
    summary: "List the automated communications of a case, by their time",
    params: { case_id: "uuid" },
    query: CaseAutomatedQuery,
    answers: { 200: { description: "What waits and what was done.", schema: CaseAutomatedPage } },
  }, (ctx, { params, query, url }) => listAutomatedOfCase(ctx, params.case_id, query, url)),
  endpoint({
    method: "delete",
    path: "/v1/cases/:case_id/automated-communications/:automated_id",
    operation: "cancelCaseAutomatedCommunication",
    tag,
    summary: "Cancel an automated communication that waits",
    right: "cases.update",
    params: { case_id: "uuid", automated_id: "uuid" },
    answers: { 204: { description: "It is cancelled.", schema: null } },
    conflicts: ["case_state"],
  }, (ctx, { params }) => cancelAutomated(ctx, params.case_id, params.automated_id)),
];
