/** Wire shapes of the timeline of a case. */
import { z } from "zod";
import { filledLine, html, lineText, optional, text, timestamp } from "../../http/zod.ts";
import { describePage, paging } from "../../http/lists.ts";
import { UserSummary } from "../../identity/users/user_summary.ts";
import { Activity } from "../case_parts/schema.ts";
import { CaseTask } from "../tasks/record.ts";
import { storedCaseStatuses } from "../cases/lifecycle.ts";
import { Note } from "../notes/record.ts";

export const TimelineEventBody = z.object({
  type: optional(lineText(60)).meta({ description: "A type of your own.", example: "website_visit" }),
  title: filledLine(255).meta({ example: "Looked at the van" }),
  content: optional(html(text(65_535))).meta({
    description: "HTML; unsafe elements and attributes are removed.",
    example: "<p>For <b>ten</b> minutes.</p>",
  }),
  occurred_at: optional(timestamp).meta({ description: "The time of the event; default: now." }),
}).meta({ id: "TimelineEventCreate", example: { type: "website_visit", title: "Looked at the van" } });
export type TimelineEventBody = z.output<typeof TimelineEventBody>;

export const TimelineEvent = z.object({
  id: z.uuid(),
  case_id: z.uuid(),
  type: z.string().nullable(),
  title: z.string(),
  content: z.string().nullable(),
  user: UserSummary.nullable(),
  occurred_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  created_at: z.string(),
  updated_at: z.string(),
}).meta({ id: "TimelineEvent", description: "An event that another system reports on a case." });

const StatusChange = z.object({
  id: z.uuid(),
  case_id: z.uuid(),
  from: z.enum(storedCaseStatuses),
  to: z.enum(storedCaseStatuses),
  reason: z.string().nullable().meta({ description: "The reason of a decline." }),
  user: UserSummary.nullable(),
  created_at: z.string(),
}).meta({ id: "CaseStatusChange" });

const occurred_at = z.string().meta({ example: "2026-01-31 10:00:00" });
const entry = <T extends z.ZodType>(type: string, id: z.ZodType, data: T, name: string) =>
  z.object({ type: z.literal(type), id, occurred_at, data }).meta({ id: name });

export const TimelineEntry = z.union([
  entry("activity", z.uuid(), Activity, "TimelineOfActivity"),
  entry("task", z.uuid(), CaseTask, "TimelineOfTask"),
  entry("note", z.int(), Note, "TimelineOfNote"),
  entry("status_change", z.uuid(), StatusChange, "TimelineOfStatusChange"),
  entry("timeline_event", z.uuid(), TimelineEvent, "TimelineOfEvent"),
]).meta({ id: "TimelineEntry", description: "`data` is the current record." });

export const TimelineQuery = z.object(paging);
export type TimelineQuery = z.output<typeof TimelineQuery>;
export const TimelinePage = describePage(TimelineEntry, "TimelinePage");
