/** The parts of a commit that adds an event to the timeline of a case. */
import { makeId } from "../../core/ids.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { insert } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { presentTimelineEvent } from "./present.ts";
import { type TimelineEventRow, timelineEvents } from "./table.ts";

type Given =
  & Pick<TimelineEventRow, "company_id" | "case_id" | "user_id" | "type" | "title" | "content">
  & { readonly occurred_at?: string | undefined; readonly user_name: string | null };

/**
 * Returns the statement that adds the timeline event, and the event that reports it. `team_id`: the team of
 * the case.
 */
export function addTimelineEvent(
  { now, at }: { readonly now: number; readonly at: string },
  team_id: number | null,
  { user_name, occurred_at, ...given }: Given,
): {
  readonly statement: Statement;
  readonly event: EventDraft<ReturnType<typeof presentTimelineEvent>>;
} {
  const row = { ...given, id: makeId(now), occurred_at: occurred_at ?? at, created_at: at, updated_at: at };
  return {
    statement: insert(timelineEvents, row),
    event: {
      name: "timeline_event_created",
      entity: { type: "timeline_event", id: row.id, team_id, created_by: given.user_id },
      body: presentTimelineEvent({ ...row, user_name }),
    },
  };
}
