/** The webhooks of the OpenAPI document: one per event, with body and headers. */
import { z } from "zod";
import { type EventName, eventNames, testEvent } from "../../core/events.ts";
import { Account } from "../../customers/accounts/record.ts";
import { Contact } from "../../customers/contacts/record.ts";
import type { Described } from "../../http/openapi_operation.ts";
import { Team } from "../../identity/teams/record.ts";
import { User } from "../../identity/users/record.ts";
import { Activity } from "../../sales/case_parts/schema.ts";
import { Task } from "../../sales/tasks/schema.ts";
import { Case } from "../../sales/cases/schema.ts";
import { Lead } from "../../sales/leads/schema.ts";
import { Correspondence } from "../../messages/correspondence/schema.ts";
import { Note } from "../../sales/notes/record.ts";
import { Product } from "../../sales/products/record.ts";
import { TimelineEvent } from "../../sales/timeline/schema.ts";
import { Webhook } from "./record.ts";

type Entity<Name> = Name extends `${infer Entity}_${"created" | "updated" | "deleted" | LeadOrCaseMove}`
  ? Entity
  : never;
type LeadOrCaseMove = "declined" | "received" | "accepted" | "assigned" | "rejected" | "escalated";

const records: Readonly<Record<Entity<EventName>, z.ZodType>> = {
  account: Account,
  activity: Activity,
  case: Case,
  contact: Contact,
  correspondence: Correspondence,
  lead: Lead,
  note: Note,
  product: Product,
  task: Task,
  team: Team,
  timeline_event: TimelineEvent,
  user: User,
};

const merged = {
  merged_into: z.uuid().optional().meta({ description: "The record that this one was merged into." }),
};
const DeletedAccount = Account.extend(merged).meta({
  id: "DeletedAccount",
  description: "A deleted account.",
});
const DeletedContact = Contact.extend(merged).meta({
  id: "DeletedContact",
  description: "A deleted contact.",
});

/**
 * Returns the schema of an event's body: the record as GET returns it right after the change, or right before
 * a deletion.
 */
export function findBodySchema(event: EventName | typeof testEvent): z.ZodType {
  if (event === testEvent) return Webhook;
  if (event === "account_deleted") return DeletedAccount;
  if (event === "contact_deleted") return DeletedContact;
  return records[event.slice(0, event.lastIndexOf("_")) as Entity<EventName>];
}

const signed = "Only if the subscription has a `verification_token`.";

const headers = z.object({
  "webhook-id": z.uuid().optional().meta({
    description: `Id of the delivery, the same at each attempt. ${signed}`,
    example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a020",
  }),
  "webhook-timestamp": z.string().optional().meta({
    description: `When the attempt was made, in seconds since 1970. ${signed}`,
    example: "1772442000",
  }),
  "webhook-signature": z.string().optional().meta({
    description: `Signatures by Standard Webhooks: HMAC-SHA256 of id, timestamp and body. ${signed}`,
    example: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  }),
  "X-Timestamp": z.string().meta({
    description: "When the event happened, in UTC.",
    example: "2026-01-31 10:00:00",
  }),
  "X-Service-Sequence": z.string().meta({
    description: "Counts the events of one record from 1.",
    example: "1",
  }),
  "X-Service-Delivery": z.uuid().meta({
    description: "Id of the delivery, the same at each attempt.",
    example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a020",
  }),
  "X-Service-Executor-User": z.string().optional().meta({
    description: "The id of the user that caused the event; absent for timers.",
    example: "7",
  }),
  "X-Service-Verification-Hash": z.string().optional().meta({
    description: `SHA-1 of the body followed by the token, in hex. ${signed}`,
    example: "2fd4e1c67a2d28fced849ee1bb76e7391b93eb12",
  }),
});

export const eventOperations: readonly Described[] = [...eventNames, testEvent as typeof testEvent].map((
  event,
) => ({
  method: "post",
  path: event,
  operationId: `on${event.split("_").map(capitalize).join("")}`,
  tags: ["Webhooks"],
  summary: `The event ${event}`,
  description: "Only 200 within 5 seconds counts as delivered. Other answers are retried.",
  security: [],
  request: {
    headers: headers.extend({ "X-Service-Event": z.literal(event).meta({ example: event }) }),
    body: { required: true, content: { "application/json": { schema: findBodySchema(event) } } },
  },
  responses: {
    "2XX": { description: "The target has received the event." },
    410: { description: "The target wants no more events. Ends the subscription." },
  },
}));

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
