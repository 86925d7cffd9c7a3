import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { readFeed } from "./read.ts";
import { FeedPage, FeedQuery } from "./schema.ts";

export const feedEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/events",
    operation: "listEvents",
    tag: "Integration",
    summary: "Read what has happened, in order",
    description:
      "The events of the company that the caller sees, in the order of their commits, the same for all readers. " +
      "`next` continues where the page ends. With `wait`, a call without events waits for the first. Events are " +
      "kept for 30 days; a cursor with removed events behind it is 410 `cursor_expired`, with the oldest good " +
      "cursor in `oldest`.",
    right: "webhooks.manage",
    query: FeedQuery,
    answers: { 200: { description: "A page of events.", schema: FeedPage } },
    gone: "The cursor is of events that are no longer kept. Code `cursor_expired`.",
  }, (ctx, { query, outer }) => readFeed(ctx, query, outer)),
];
