import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { notifyOfCorrespondence } from "./notify.ts";
import { getCorrespondence, getLetter, listCorrespondences } from "./queries.ts";
import { Correspondence, CorrespondencePage, CorrespondenceQuery, NotifyBody, Queued } from "./schema.ts";

const tag = "Correspondence";
const one = { case_id: "uuid", correspondence_id: "uuid" } as const;

export const correspondenceEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/cases/:case_id/correspondences",
    operation: "listCorrespondences",
    tag,
    summary: "List the e-mails and letters of a case, newest first",
    params: { case_id: "uuid" },
    query: CorrespondenceQuery,
    answers: { 200: { description: "A page, without the contents.", schema: CorrespondencePage } },
  }, (ctx, { params, query, url }) => listCorrespondences(ctx, params.case_id, query, url)),
  endpoint({
    method: "get",
    path: "/v1/cases/:case_id/correspondences/:correspondence_id",
    operation: "getCorrespondence",
    tag,
    summary: "Get an e-mail or a letter of a case",
    params: one,
    answers: { 200: { description: "The correspondence.", schema: Correspondence } },
  }, (ctx, { params }) => getCorrespondence(ctx, params.case_id, params.correspondence_id)),
  endpoint({
    method: "get",
    path: "/v1/cases/:case_id/correspondences/:correspondence_id/pdf",
    operation: "getLetter",
    tag,
    summary: "Get a letter as PDF",
    params: one,
    answers: {
      303: { description: "`Location` leads to the PDF for 5 minutes, without a token.", schema: null },
    },
  }, (ctx, { params }) => getLetter(ctx, params.case_id, params.correspondence_id)),
  endpoint({
    method: "post",
    path: "/v1/cases/:case_id/correspondences/:correspondence_id/notify",
    operation: "notifyOfCorrespondence",
    tag,
    summary: "Notify colleagues of an e-mail or a letter",
    params: one,
    body: NotifyBody,
    answers: { 202: { description: "The notifications are written.", schema: Queued } },
  }, (ctx, { params, body }) => notifyOfCorrespondence(ctx, params.case_id, params.correspondence_id, body)),
];
