/** Triggers that count the deliveries of each subscription by status. */
import { type SchemaObject, trigger } from "../../db/triggers.ts";

const enter = "insert into delivery_counts (webhook_id, status, n) values (new.webhook_id, new.status, 1)\n" +
  "    on conflict (webhook_id, status) do update set n = n + 1";
const leave =
  "update delivery_counts set n = n - 1 where webhook_id = old.webhook_id and status = old.status";

export const deliveryTriggers: readonly SchemaObject[] = [
  trigger("delivery_counts_insert", "after insert on deliveries", enter),
  trigger(
    "delivery_counts_update",
    "after update of status on deliveries when old.status <> new.status",
    leave,
    enter,
  ),
  trigger("delivery_counts_delete", "after delete on deliveries", leave),
];
