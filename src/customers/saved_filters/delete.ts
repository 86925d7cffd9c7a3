import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { remove } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { presentSavedFilter, readSavedFilter } from "./queries.ts";
import type { Filtering } from "../filter_catalogue.ts";
import { savedFilters } from "./table.ts";

/** Every caller that sees the filter may delete it. */
export async function deleteSavedFilter(ctx: Context, { kind }: Filtering, id: string) {
  const { company_id, version, ...before } = await readSavedFilter(ctx, kind, id);
  checkMatch(ctx, () => presentSavedFilter({ ...before, company_id, version }));
  return await commit(ctx, {
    statements: [remove(savedFilters, { id, company_id, version }), guardChanged("stale")],
    answer: noContent,
  });
}
