import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { readCounts } from "./read.ts";
import { Counts } from "./schema.ts";

export const countsEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/me/counts",
    operation: "getCounts",
    tag: "Users",
    summary: "Count what waits for the caller",
    description:
      "Tasks, leads, open cases and unread notifications. Asked with `If-None-Match` it can be called every " +
      "few seconds.",
    answers: { 200: { description: "The counts.", schema: Counts } },
  }, (ctx) => readCounts(ctx)),
];
