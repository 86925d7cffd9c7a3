/** The catalogue of events that webhooks can subscribe to. An event's id never changes. */

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
  "correspondence_received",
] as const;

export type EventName = (typeof eventNames)[number];

/** The test delivery of a subscription. No subscription can name it. */
export const testEvent = "webhook_test";

/** Subscribes to every event. */
export const everyEvent = "*";

/**
 * Returns the id in `webhook_event`: the position of the event, from 1; `*` is 0. New events are appended.
 */
export function findEventId(name: string): number {
  return (eventNames as readonly string[]).indexOf(name) + 1;
}
