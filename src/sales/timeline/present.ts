/** Timeline event → wire shape. */
import { selectColumns, selectRowJson, type Sql, sql } from "../../db/statements.ts";
import { selectNameOfUser } from "../../identity/users/fragments.ts";
import { type TimelineEventRow, timelineEvents } from "./table.ts";

/** An event with the name of its user. */
export type TimelineEventRecord = TimelineEventRow & { readonly user_name: string | null };

/** SQL: the event of an id (SQL) as JSON of a `TimelineEventRecord`. */
export function selectTimelineEventJson(id: Sql): Sql {
  return selectRowJson(
    timelineEvents,
    ["user_name"],
    sql`select ${selectColumns(timelineEvents, "event")},
      ${selectNameOfUser(sql`event.user_id`)} as user_name
      from timeline_events event where event.id = ${id}`,
  );
}

export function presentTimelineEvent(event: TimelineEventRecord) {
  return {
    id: event.id,
    case_id: event.case_id,
    type: event.type,
    title: event.title,
    content: event.content,
    user: event.user_id === null ? null : { id: event.user_id, name: event.user_name ?? "" },
    occurred_at: event.occurred_at,
    created_at: event.created_at,
    updated_at: event.updated_at,
  };
}
