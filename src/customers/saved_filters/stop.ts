/** Stops saved views when something that they name is deleted, so that none of them matches more than before. */
import type { Stopping } from "../../db/stops.ts";
import { sql } from "../../db/statements.ts";
import { notifyMakers } from "../../identity/notify_makers.ts";
import type { StopFilters } from "../fields/stop_filters.ts";
import { conditions } from "./table.ts";

/** Stops the filters, and notifies their makers and the admins. A stopped filter runs again with another filter. */
const stop: Stopping["stop"] = (author, companyId, those, why) => {
  const rows = sql`company_id = ${companyId} and stopped_reason is null and ${those}`;
  const message = `the saved view no longer runs, because ${why}.`;
  return [
    notifyMakers(author, companyId, { table: "saved_filters", maker: "created_by", rows, message }),
    sql`update saved_filters set stopped_reason = ${`It no longer runs, because ${why}.`},
      updated_at = ${author.at}, version = version + 1 where ${rows}`,
  ];
};

export const savedFilterStops: Stopping = { table: "saved_filters", stop };

export const stopSavedFilters: StopFilters = (author, companyId, names, why) =>
  stop(author, companyId, names(conditions), why);
