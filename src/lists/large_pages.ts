/** Pages of records that show much of others, such as leads with their lead types and cases with their tasks: the database puts them together. */
import type { Database } from "../platform/database/database.ts";
import type { Context } from "../db/context.ts";

/** So many records of the largest size are put together within 50 ms or so; more are read beside other calls. */
export const mostInPlace = 15;

export function largePageRead(
  { caller, deps }: Context,
  { per_page }: { readonly per_page: number },
): Database["read"] {
  if (per_page <= mostInPlace) return deps.db.read;
  return (statements) => deps.db.readAside(statements, { effort: "few", company: caller.companyId });
}
