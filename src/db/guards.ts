/** Guards over rows that a verb has read and shows, or decided on, without changing them itself. */
import { getTableName, type Table } from "drizzle-orm";
import { guardThat, type Statement } from "../platform/database/database.ts";

/** Refuses the batch when one of the rows has been changed or deleted since it was read. */
export function guardVersions(
  table: Table,
  read: readonly { readonly id: string | number; readonly version: number }[],
): Statement {
  const name = getTableName(table);
  const moved = `select 1 from json_each(?) v left join "${name}" t on t.id = v.value ->> 0 ` +
    "where t.version is not v.value ->> 1";
  return guardThat(name, `not exists (${moved})`, [
    JSON.stringify(read.map(({ id, version }) => [id, version])),
  ]);
}
