/** The catalogue of events: what a webhook may subscribe to, with an id that never changes. */

export const eventNames = [
  "account_created",
  "account_updated",
  "account_deleted",
  "activity_created",
  "case_created",
  "case_updated",
  "case_deleted",
  "case_declined",
  "contact_created",
  "contact_updated",
  "contact_deleted",
  "lead_accepted",
  "lead_assigned",
  "lead_created",
  "lead_deleted",
  "lead_rejected",
  "lead_updated",
  "lead_escalated",
  "note_created",
  "note_updated",
  "note_deleted",
  "product_created",
  "product_updated",
  "product_deleted",
  "task_created",
  "task_updated",
  "task_deleted",
  "team_created",
  "team_updated",
  "team_deleted",
  "timeline_event_created",
  "user_created",
  "user_updated",
  "user_deleted",
] as const;

export type EventName = (typeof eventNames)[number];

/** What a subscription is sent to try it out. Nothing subscribes to it. */
export const testEvent = "webhook_test";

/** A subscription to everything. */
export const everyEvent = "*";

/** The id of an event name in `webhook_event`; `*` is 0. Ids are positions and only ever appended. */
export function eventId(name: string): number {
  return (eventNames as readonly string[]).indexOf(name) + 1;
}
