import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import type { Correspondence } from "./correspondence.ts";
import { createActivity } from "./create.ts";
import { getActivity, listActivities } from "./queries.ts";
import { Activity } from "../case_parts/schema.ts";
import { ActivityListQuery, ActivityPage, CreateActivityBody } from "./schema.ts";

const tag = "Activities";

export const declareActivityEndpoints = (correspondence: Correspondence): Endpoint[] => [
  endpoint({
    method: "get",
    path: "/v1/cases/:case_id/activities",
    operation: "listActivities",
    tag,
    summary: "List the activities of a case, newest first",
    params: { case_id: "uuid" },
    query: ActivityListQuery,
    answers: { 200: { description: "A page of activities.", schema: ActivityPage } },
  }, (ctx, { params, query, url }) => listActivities(ctx, params.case_id, query, url)),
  endpoint({
    method: "post",
    path: "/v1/cases/:case_id/activities",
    operation: "createActivity",
    tag,
    summary: "Create an activity on a case",
    description:
      "Completes milestones, sets the status of the case, plans and completes tasks, and ends the countdown of a lead. " +
      "A closed or declined case takes only an activity whose milestone opens it again.",
    right: "cases.update",
    params: { case_id: "uuid" },
    body: CreateActivityBody,
    answers: { 201: { description: "The activity.", schema: Activity } },
    conflicts: ["case_state"],
  }, (ctx, { params, body }) => createActivity(ctx, params.case_id, body, correspondence)),
  endpoint({
    method: "get",
    path: "/v1/cases/:case_id/activities/:activity_id",
    operation: "getActivity",
    tag,
    summary: "Get an activity of a case",
    params: { case_id: "uuid", activity_id: "uuid" },
    answers: { 200: { description: "The activity.", schema: Activity } },
  }, (ctx, { params }) => getActivity(ctx, params.case_id, params.activity_id)),
];
