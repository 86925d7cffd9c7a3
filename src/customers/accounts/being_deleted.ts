/** Deleted accounts whose deletion is under way: reads leave them out until the last step removes the row. */
import { type Sql, sql } from "../../db/statements.ts";
import { isNotInWork } from "../../staged/work.ts";

/** The kind of staged work that removes a deleted account. */
export const accountDeletion = "account_removal";

/**
 * SQL: whether the account of an id (an expression) is not being removed. Lists of contacts and cases omit
 * this condition. It would slow down every count, only to hide them for the few seconds until their step.
 */
export function isNotBeingDeleted(accountId: Sql): Sql {
  return isNotInWork(accountDeletion, accountId);
}

/** SQL, beginning with `from`: a row for each deleted account of the company whose deletion is under way. */
export function composeRowsBeingDeleted(companyId: number): Sql {
  return sql`from staged_work where company_id = ${companyId} and kind = ${accountDeletion}`;
}
