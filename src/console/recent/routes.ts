import { z } from "zod";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { listRecent } from "./read.ts";
import { recentTypes } from "./note_opened.ts";

const Recent = z.object({
  data: z.array(z.object({
    type: z.enum(recentTypes),
    id: z.uuid(),
    title: z.string().meta({ example: "Ada Byron" }),
    at: z.string().meta({ description: "When it was last opened.", example: "2026-01-31 10:00:00" }),
  })),
}).meta({ id: "Recent" });

export const recentEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/me/recent",
    operation: "listRecent",
    tag: "Console",
    summary: "List the records that the caller opened last in the console",
    description: "The 20 that were opened last, the latest first, without those that are gone or hidden.",
    answers: { 200: { description: "The records.", schema: Recent } },
  }, (ctx) => listRecent(ctx)),
];
