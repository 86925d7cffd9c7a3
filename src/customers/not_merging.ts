/** Records of a merge that is under way are locked for writing. */
import type { Refusal } from "../core/errors.ts";
import { sql } from "../db/statements.ts";
import { guardThat, type Statement } from "../platform/database/database.ts";

const isMerging: Refusal = {
  code: "merge_running",
  detail: "The record is being merged; try again when that is done.",
};

/** Refuses the batch while one of the records is being merged; `commit` then throws 409 `merge_running`. */
export function guardNotMerging(...ids: readonly string[]): Statement {
  const [only] = ids;
  return guardThat(
    "merge_running",
    ids.length === 1
      ? sql`not exists (select 1 from merge_locks where record_id = ${only!})`
      : sql`not exists (select 1 from merge_locks where record_id in (select value
        from json_each(${JSON.stringify(ids)})))`,
    isMerging,
  );
}

/** The same for each contact of an account. */
export function guardNoContactMerging(accountId: string): Statement {
  return guardThat(
    "merge_running",
    sql`not exists (select 1 from contacts c join merge_locks l on l.record_id = c.id
      where c.account_id = ${accountId})`,
    isMerging,
  );
}
