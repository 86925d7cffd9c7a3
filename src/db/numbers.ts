/** The guard of the number of records that a company may have. */
import { fieldError } from "../core/errors.ts";
import { type Numbered, numbers } from "../core/numbers.ts";
import { guardThat, type Statement } from "../platform/database/database.ts";
import { bindRows, identifier, sql } from "./statements.ts";

/** Refuses the batch of a new record when the company has as many as it may; `commit` then throws 422 `max`. */
export function guardNumber(table: Numbered, companyId: number): Statement {
  const { most, at, what } = numbers[table];
  return guardThat(
    `number_of_${table}`,
    sql`(select count(*) from (select 1 from ${identifier(table)} where company_id = ${companyId}
      limit ${bindRows(most)})) < ${most}`,
    { fault: fieldError(at, "max", `At most ${most} ${what} of a company.`) },
  );
}
