/** Triggers that count the deliveries of each subscription by status. */
import { type SchemaObject, trigger } from "../../db/triggers.ts";

const enter = "insert into delivery_counts (webhook_id, status, n) values (new.webhook_id, new.status, 1)\n" +
  "    on conflict (webhook_id, status) do update set n = n + 1";
const leave =
  "update delivery_counts set n = n - 1 where webhook_id = old.webhook_id and status = old.status";

/**
 * The next delivery of a record is due when the earlier one is no longer pending, or is sent out of its place. The
 * rows of a subscription are in the order of its events.
 */
const release =
  "update deliveries set parked = 0 where parked = 1 and rowid = (select d.rowid from deliveries d\n" +
  "    indexed by deliveries_in_order where d.webhook_id = old.webhook_id and d.entity = old.entity\n" +
  "    and d.status = 'pending' and d.again = 0 and d.entity is not null order by d.rowid limit 1)";

export const deliveryTriggers: readonly SchemaObject[] = [
  trigger("delivery_counts_insert", "after insert on deliveries", enter),
  trigger(
    "delivery_counts_update",
    "after update of status on deliveries when old.status <> new.status",
    leave,
    enter,
  ),
  trigger("delivery_counts_delete", "after delete on deliveries", leave),
  trigger(
    "deliveries_release",
    "after update of status, again on deliveries when old.entity is not null and old.status = 'pending'" +
      " and old.again = 0 and (new.status <> 'pending' or new.again = 1)",
    release,
  ),
];
