import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { giveHighFive } from "./high_five.ts";
import { presentEvent, type StreamFacts } from "./present.ts";
import { getBadges, getLevel, listHighFives, listStream, streamOrder } from "./queries.ts";
import { Badges, HighFiveUsers, Level, StreamPage, StreamQuery } from "./schema.ts";

const tag = "Gamification";
const one = { event_id: "integer" } as const;

export const gamificationEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/gamification/badges",
    operation: "listBadges",
    tag,
    summary: "List the caller's badges, with their progress",
    answers: { 200: { description: "All badges.", schema: Badges } },
  }, (ctx) => getBadges(ctx)),
  endpoint({
    method: "get",
    path: "/v1/gamification/level",
    operation: "getLevel",
    tag,
    summary: "Get the caller's level and points",
    answers: { 200: { description: "The level.", schema: Level } },
  }, (ctx) => getLevel(ctx)),
  endpoint({
    method: "get",
    path: "/v1/gamification/stream",
    operation: "listStream",
    tag,
    summary: "List what users achieved",
    description:
      "Events of the caller, and of users in the caller's teams and groups; admins see all. An event " +
      "appears within a minute.",
    query: StreamQuery,
    answers: { 200: { description: "A page of events, the newest first.", schema: StreamPage } },
  }, async (ctx, { query, url }) => {
    const paging = parsePaging(query, streamOrder);
    const { rows, total } = await listStream(ctx, query, paging);
    const present = (row: typeof rows[number]) => presentEvent(row as StreamFacts & typeof row);
    return page({ url, ctx }, paging, rows, total, present);
  }),
  endpoint({
    method: "put",
    path: "/v1/gamification/stream/:event_id/high-five",
    operation: "giveHighFive",
    tag,
    summary: "Give a high five",
    description: "At most one for each event of another user; a repeated call changes nothing.",
    params: one,
    answers: { 204: { description: "The high five is given.", schema: null } },
  }, (ctx, { params }) => giveHighFive(ctx, params.event_id)),
  endpoint({
    method: "get",
    path: "/v1/gamification/stream/:event_id/high-five/users",
    operation: "listHighFives",
    tag,
    summary: "List the users who gave a high five",
    params: one,
    answers: { 200: { description: "The users, the first one first.", schema: HighFiveUsers } },
  }, (ctx, { params }) => listHighFives(ctx, params.event_id)),
];
