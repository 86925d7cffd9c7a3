import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { createTimelineEvent } from "./create.ts";
import { listTimeline } from "./list.ts";
import { TimelineEvent, TimelineEventBody, TimelinePage, TimelineQuery } from "./schema.ts";

const tag = "Timeline";
const ofCase = { case_id: "uuid" } as const;

export const timelineEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/cases/:case_id/timeline",
    operation: "listTimeline",
    tag,
    summary: "List the timeline of a case, newest first",
    description: "Its activities, tasks (by creation), notes, changes of status, and events " +
      "of other systems.",
    params: ofCase,
    query: TimelineQuery,
    answers: { 200: { description: "A page of the timeline.", schema: TimelinePage } },
  }, (ctx, { params, query, url }) => listTimeline(ctx, params.case_id, query, url)),
  endpoint({
    method: "post",
    path: "/v1/cases/:case_id/timeline",
    operation: "createTimelineEvent",
    tag,
    summary: "Add an event to the timeline of a case",
    right: "cases.update",
    params: ofCase,
    body: TimelineEventBody,
    answers: { 201: { description: "The event.", schema: TimelineEvent } },
  }, (ctx, { params, body }) => createTimelineEvent(ctx, params.case_id, body)),
];
