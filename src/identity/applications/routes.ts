import { ok } from "../../core/answer.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { createApplication } from "./create.ts";
import { deleteApplication } from "./delete.ts";
import { rotateSecret } from "./rotate_secret.ts";
import { updateApplication } from "./update.ts";
import { presentApplication } from "./present.ts";
import { applicationList, listApplications, readApplication } from "./queries.ts";
import {
  Application,
  ApplicationListQuery,
  ApplicationPage,
  CreateApplication,
  UpdateApplication,
} from "./schema.ts";
import type { ApplicationRow } from "./table.ts";

const tag = "Applications";
const right = "applications.manage";

const params = { application_client_id: "uuid" } as const;

export const applicationEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/applications",
    operation: "listApplications",
    tag,
    summary: "List the applications of the company",
    right,
    query: ApplicationListQuery,
    answers: { 200: { description: "A page of applications.", schema: ApplicationPage } },
  }, async (ctx, { query, url }) => {
    const paging = parsePaging(query, applicationList);
    const { rows, total } = await listApplications(ctx, paging);
    const present = (row: (typeof rows)[number]) => presentApplication(row as ApplicationRow);
    return page({ url, ctx }, paging, rows, total, present);
  }),
  endpoint({
    method: "post",
    path: "/v1/applications",
    operation: "createApplication",
    tag,
    summary: "Create an application",
    description: "The application acts for the calling user.",
    right,
    trusted: true,
    body: CreateApplication,
    answers: { 201: { description: "The application, with its secret.", schema: Application } },
  }, (ctx, { body }) => createApplication(ctx, body)),
  endpoint(
    {
      method: "get",
      path: "/v1/applications/:application_client_id",
      operation: "getApplication",
      tag,
      summary: "Get an application",
      right,
      params,
      answers: { 200: { description: "The application.", schema: Application } },
    },
    async (ctx, { params }) =>
      ok(presentApplication(await readApplication(ctx, params.application_client_id))),
  ),
  endpoint({
    method: "put",
    path: "/v1/applications/:application_client_id",
    operation: "updateApplication",
    tag,
    summary: "Change an application",
    right,
    trusted: true,
    params,
    body: UpdateApplication,
    answers: { 200: { description: "The application.", schema: Application } },
  }, (ctx, { params, body }) => updateApplication(ctx, params.application_client_id, body)),
  endpoint({
    method: "delete",
    path: "/v1/applications/:application_client_id",
    operation: "deleteApplication",
    tag,
    summary: "Delete an application",
    description: "Ends all tokens of the application.",
    right,
    params,
    answers: { 204: { description: "The application is deleted.", schema: null } },
  }, (ctx, { params }) => deleteApplication(ctx, params.application_client_id)),
  endpoint({
    method: "post",
    path: "/v1/applications/:application_client_id/secret",
    operation: "rotateApplicationSecret",
    tag,
    summary: "Rotate the secret of an application",
    description: "The previous secret works for another 24 hours. An application of a deleted user has no " +
      "secret, and works again from now on.",
    right,
    trusted: true,
    params,
    answers: { 200: { description: "The application, with its new secret.", schema: Application } },
  }, (ctx, { params }) => rotateSecret(ctx, params.application_client_id)),
];
