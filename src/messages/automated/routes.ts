import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { htmlBodyLimit } from "../templates/content.ts";
import { createAutomated } from "./create.ts";
import { deleteAutomated } from "./delete.ts";
import { presentListedCommunication, readAutomatedRow } from "./present.ts";
import { automatedList, getAutomated, listAutomated } from "./queries.ts";
import { Automated, AutomatedBody, AutomatedChange, AutomatedListQuery, AutomatedPage } from "./schema.ts";
import { updateAutomated } from "./update.ts";

const tag = "Automated communications";
const one = { automated_communication_id: "uuid" } as const;
const right = "automations.manage" as const;
const writers =
  "For users and team admins in their own teams, group admins in their groups and these groups' " +
  "teams, and admins.";

export const automatedEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/automated-communications",
    operation: "listAutomatedCommunications",
    tag,
    summary: "List automated communications",
    query: AutomatedListQuery,
    answers: { 200: { description: "A page of them, without attachments.", schema: AutomatedPage } },
  }, async (ctx, { query, url }) => {
    const paging = parsePaging(query, automatedList);
    const { rows, total } = await listAutomated(ctx, paging);
    return page(
      { url, ctx },
      paging,
      rows,
      total,
      (row) => presentListedCommunication(readAutomatedRow(row)),
    );
  }),
  endpoint({
    method: "post",
    path: "/v1/automated-communications",
    operation: "createAutomatedCommunication",
    tag,
    summary: "Create an automated communication",
    description: `${writers} Activity types of relations paths name it, and their activities start it.`,
    right,
    body: AutomatedBody,
    bodyLimit: htmlBodyLimit,
    answers: { 201: { description: "The automated communication.", schema: Automated } },
  }, (ctx, { body }) => createAutomated(ctx, body)),
  endpoint({
    method: "get",
    path: "/v1/automated-communications/:automated_communication_id",
    operation: "getAutomatedCommunication",
    tag,
    summary: "Get an automated communication",
    params: one,
    answers: { 200: { description: "The automated communication.", schema: Automated } },
  }, (ctx, { params }) => getAutomated(ctx, params.automated_communication_id)),
  endpoint({
    method: "put",
    path: "/v1/automated-communications/:automated_communication_id",
    operation: "updateAutomatedCommunication",
    tag,
    summary: "Change an automated communication",
    description: `${writers} Waiting messages are sent with the new text, at their original time.`,
    right,
    params: one,
    body: AutomatedChange,
    bodyLimit: htmlBodyLimit,
    answers: { 200: { description: "The changed automated communication.", schema: Automated } },
  }, (ctx, { params, body }) => updateAutomated(ctx, params.automated_communication_id, body)),
  endpoint({
    method: "delete",
    path: "/v1/automated-communications/:automated_communication_id",
    operation: "deleteAutomatedCommunication",
    tag,
    summary: "Delete an automated communication",
    description: `${writers} Removes it from relations paths; its waiting messages are not sent.`,
    right,
    params: one,
    answers: { 204: { description: "It is deleted.", schema: null } },
  }, (ctx, { params }) => deleteAutomated(ctx, params.automated_communication_id)),
];
