/** Guards over rows that a verb read and relies on without changing them. */
import { identifier, sql } from "./statements.ts";
import { guardThat, type Statement } from "../platform/database/database.ts";

/** Fails the batch when a row of the table was changed or deleted since it was read. */
export function guardVersions(
  table: string,
  read: readonly { readonly id: string | number | null; readonly version: number }[],
): Statement {
  const [only, ...others] = read;
  if (only && others.length === 0) {
    // Most changes rely on one row; unpacking a list for it takes five times as long.
    return guardThat(
      table,
      sql`(select version from "${identifier(table)}" where id = ${only.id}) is ${only.version}`,
    );
  }
  const versions = JSON.stringify(read.map(({ id, version }) => [id, version]));
  return guardThat(
    table,
    sql`not exists (select 1 from json_each(${versions}) v left join "${
      identifier(table)
    }" t on t.id = v.value ->> 0
      where t.version is not v.value ->> 1)`,
  );
}
