import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { readFeed } from "./read.ts";
import { EventStream, FeedPage, FeedQuery, StreamQuery } from "./schema.ts";
import { streamFeed } from "./stream.ts";

const gone = "Events behind the cursor are no longer kept. Code `cursor_expired`.";

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
    gone,
  }, (ctx, { query, outer }) => readFeed(ctx, query, outer)),
  endpoint({
    method: "get",
    path: "/v1/events/stream",
    operation: "streamEvents",
    tag: "Integration",
    summary: "Get events as they happen",
    description:
      "The feed as server-sent events: `id` is the cursor, `data` the item of the feed. `Last-Event-ID` wins over " +
      "`after`. A comment comes at least every 15 seconds. The stream ends when the token, the right, the user or " +
      "the company ends; the reader that comes again gets 401 or 403.",
    right: "webhooks.manage",
    query: StreamQuery,
    endless: true,
    answers: { 200: { description: "The stream.", schema: EventStream, media: "text/event-stream" } },
    gone,
  }, (ctx, { query, outer }) => streamFeed(ctx, query, outer)),
];
