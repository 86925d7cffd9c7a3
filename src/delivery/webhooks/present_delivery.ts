/** Deliveries as clients read them: in the log of a subscription, and in full. */
import { formatTimestamp } from "../../core/time.ts";
import type { deliveries } from "./table.ts";
import type { Row } from "../../platform/database/database.ts";
import { attemptHeaders, type SignedEvent } from "./attempt.ts";
import type { Signed } from "./sign.ts";

type DeliveryRow = typeof deliveries.$inferSelect;

/** The facts of a delivery in the log. */
export type DeliveryFacts =
  & Pick<
    DeliveryRow,
    | "id"
    | "status"
    | "attempts"
    | "response_status"
    | "error"
    | "duration_ms"
    | "due_at"
    | "created_at"
    | "delivered_at"
  >
  & { readonly event_name: string; readonly entity_id: string };

export function presentDelivery(delivery: DeliveryFacts) {
  return presentShown(delivery);
}

/** A delivery in the log of several subscriptions. */
export function presentAnyDelivery(delivery: DeliveryFacts & { readonly webhook_id: number }) {
  return { ...presentShown(delivery), webhook_id: delivery.webhook_id };
}

/** An attempt as `getDelivery` reads it. */
export interface Attempt {
  readonly at: string;
  readonly response_status: number | null;
  readonly error: string | null;
  readonly duration_ms: number | null;
  readonly response_excerpt: string | null;
}

/** The facts of a delivery and its last request. `isOwn` below: the subscription is the caller's. */
export type WholeDeliveryFacts = DeliveryFacts & SignedEvent & Row & { readonly signed: string | null };

export function presentWhole(
  delivery: WholeDeliveryFacts,
  body: string,
  attempts: readonly Attempt[],
  isOwn: boolean,
) {
  const signed = delivery.signed === null ? null : JSON.parse(delivery.signed) as Signed;
  const headers = attemptHeaders(delivery, signed, isOwn);
  return {
    ...presentShown(delivery),
    attempts: attempts.map((attempt) => ({ ...attempt })),
    request: { headers, body },
  };
}

function presentShown(delivery: DeliveryFacts) {
  return {
    id: delivery.id,
    event: delivery.event_name,
    entity_id: delivery.entity_id,
    status: delivery.status,
    attempts: delivery.attempts,
    response_status: delivery.response_status,
    error: delivery.error,
    duration_ms: delivery.duration_ms,
    next_attempt_at: delivery.status === "pending" ? formatTimestamp(delivery.due_at) : null,
    created_at: delivery.created_at,
    delivered_at: delivery.delivered_at,
  };
}
