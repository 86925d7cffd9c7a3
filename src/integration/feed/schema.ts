/** Wire shapes of the event feed. */
import { z } from "zod";
import { eventNames } from "../../core/events.ts";
import { makeCsvEnum, queryInteger, text } from "../../http/zod.ts";

/** The kinds of records that events are about, as the names of events have them. */
export const entityTypes = [
  "account",
  "activity",
  "case",
  "contact",
  "correspondence",
  "lead",
  "note",
  "product",
  "task",
  "team",
  "timeline_event",
  "user",
] as const;

/** Seconds. */
export const longestWait = 25;
export const mostEvents = 500;

const stamp = "2026-01-31 10:00:00";
const cursor = "AAAAAAABAAAAAAAAKgAAAAAAAAAAAAAAAAAAAABbD5mU0Zg3H0S6pOVzZ1kT";
const id = "01939c5e-7d3a-7c3f-8a55-0a4be5a1a060";

export const FeedEvent = z.object({
  id: z.uuid().meta({ example: id }),
  cursor: z.string().meta({ description: "Continues right behind this event.", example: cursor }),
  event: z.enum(eventNames),
  entity_type: z.enum(entityTypes),
  entity_id: z.string().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001" }),
  sequence: z.int().meta({ description: "Counts the events of the record from 1.", example: 1 }),
  executor_id: z.int().nullable().meta({ description: "The acting user; null for a timer.", example: 12 }),
  created_at: z.string().meta({ example: stamp }),
  visible: z.boolean().meta({
    description: "False once, when the change takes the record out of the caller's sight.",
  }),
  data: z.record(z.string(), z.unknown()).nullable().meta({
    description: "The record as GET answered right after the change; for a deletion, right before it.",
  }),
}).meta({ id: "FeedEvent", description: "An event, as a webhook delivers it." });

export const FeedPage = z.object({
  data: z.array(FeedEvent),
  next: z.string().meta({ description: "The cursor of the next call, always given.", example: cursor }),
  more: z.boolean().meta({ description: "Whether the page ended before the end of the feed." }),
  visibility: z.string().meta({
    description: "Changes when the caller sees other teams or fields: then read the lists anew.",
    example: "5b0f9994d198371f44baa4e573675913",
  }),
}).meta({ id: "FeedPage" });
export type FeedPage = z.output<typeof FeedPage>;

export const EventStream = z.string().meta({
  id: "EventStream",
  example: `retry: 2000\n\nid: ${cursor}\ndata: {"event":"contact_created"}\n\n`,
});

const filters = {
  after: z.string().optional().meta({
    description: "A cursor; `now`: from here on; absent: from the oldest event that is kept.",
    example: "now",
  }),
  types: makeCsvEnum(eventNames).optional().meta({ example: "contact_created,contact_updated" }),
  entity_type: z.enum(entityTypes).optional(),
  entity_id: text(255).optional().meta({
    description: "The events of one record; with `entity_type`.",
    example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001",
  }),
};

export const StreamQuery = z.object(filters).superRefine(checkEntity);
export type StreamQuery = z.output<typeof StreamQuery>;

export const FeedQuery = z.object({
  ...filters,
  limit: queryInteger(1, mostEvents).optional().meta({
    description:
      `1 to ${mostEvents}; 100 when absent. A page reads at most 10,000 events, and may be shorter.`,
    example: 100,
  }),
  wait: queryInteger(0, longestWait).optional().meta({
    description: `Seconds to wait for an event when there is none; 0 to ${longestWait}.`,
    example: 0,
  }),
}).superRefine(checkEntity);
export type FeedQuery = z.output<typeof FeedQuery>;

function checkEntity(
  { entity_type, entity_id }: { entity_type?: string | undefined; entity_id?: string | undefined },
  ctx: z.RefinementCtx,
): void {
  if (entity_id === undefined || entity_type !== undefined) return;
  ctx.addIssue({
    code: "custom",
    path: ["entity_type"],
    message: "Must be given with entity_id.",
    params: { code: "required" },
  });
}
