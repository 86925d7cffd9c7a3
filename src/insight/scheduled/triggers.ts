/** Triggers of scheduled reports. */
import { makeTotalTriggers, type SchemaObject, trigger } from "../../db/triggers.ts";

const isElsewhere =
  "new.next_at > 0 and new.zone <> (select c.timezone from companies c where c.id = new.company_id)";
const anew = "update scheduled_reports set next_at = 0";

export const scheduledReportTriggers: readonly SchemaObject[] = [
  ...makeTotalTriggers({ table: "scheduled_reports" }),
  // Marks reports that need a new date. The job finds them by the index of `next_at`, without reading each
  // company.
  trigger(
    "scheduled_reports_of_company_zone",
    "after update of timezone on companies when old.timezone <> new.timezone",
    `${anew} where company_id = new.id and next_at is not null and zone <> new.timezone`,
  ),
  // Covers a change of the zone between the reads of a write and its commit.
  trigger(
    "scheduled_reports_zone_insert",
    `after insert on scheduled_reports when ${isElsewhere}`,
    `${anew} where id = new.id`,
  ),
  trigger(
    "scheduled_reports_zone_update",
    `after update of zone on scheduled_reports when ${isElsewhere}`,
    `${anew} where id = new.id`,
  ),
];
