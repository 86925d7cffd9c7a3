/** Stops saved views when something that they name is removed, so that none of them matches more than before. */
import { sql } from "../../db/statements.ts";
import type { StopFilters } from "../fields/stop_filters.ts";

/** Stops the filters, and notifies their makers and the admins. A stopped filter runs again with another filter. */
export const stopSavedFilters: StopFilters = (author, companyId, names, why) => {
  const named = names(sql`iif(query_names is null, filter, json_array(json(filter), json(query_names)))`);
  const rows = sql`company_id = ${companyId} and stopped_reason is null and ${named}`;
  const admins = sql`select id from users where company_id = ${companyId} and user_type = 1
    and deleted_at is null and exists (select 1 from saved_filters where ${rows})`;
  // Each user is shown the own filters alone, and an admin all.
  const shown = sql`(select group_concat(name, ', ') from saved_filters where ${rows}
    and (created_by = r.user_id or exists (select 1 from users a where a.id = r.user_id and a.user_type = 1)))`;
  return [
    author.deps.notify(author, companyId, {
      type: "custom",
      to: [{
        select:
          sql`select created_by from saved_filters where ${rows} and created_by is not null union ${admins}`,
      }],
      data: { user: author.caller ? { id: author.caller.userId } : null },
      message: sql`${shown} || ${`: the saved view no longer runs, because ${why}.`}`,
    }),
    sql`update saved_filters set stopped_reason = ${`It no longer runs, because ${why}.`},
      updated_at = ${author.at}, version = version + 1 where ${rows}`,
  ];
};
