import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { remove } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { checkMayChange, presentSavedFilter, readSavedFilter } from "./queries.ts";
import type { Filtering } from "../filter_catalogue.ts";
import { savedFilters } from "./table.ts";

/** Returns 204. */
export async function deleteSavedFilter(ctx: Context, { kind }: Filtering, id: string) {
  const filter = await readSavedFilter(ctx, kind, id);
  const { company_id, version } = filter;
  checkMayChange(ctx, filter);
  checkMatch(ctx, () => presentSavedFilter(filter));
  return await commit(ctx, {
    statements: [remove(savedFilters, { id, company_id, version }), guardChanged("stale")],
    answer: noContent,
  });
}
