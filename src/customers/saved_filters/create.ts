import { created } from "../../core/answer.ts";
import { makeId } from "../../core/ids.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardNumber } from "../../db/numbers.ts";
import { insert } from "../../db/statements.ts";
import { presentSavedFilter } from "./queries.ts";
import { deprecation, type Filtering, readFilter } from "../filter_catalogue.ts";
import { type SavedFilterRow, savedFilters } from "./table.ts";

/** Returns 201 with the filter, which belongs to the caller's active team. Throws 422 with every fault. */
export async function createSavedFilter(
  ctx: Context,
  filtering: Filtering,
  body: { name: string; filter?: unknown },
) {
  const filter = readFilter(ctx, filtering, body.filter);
  const row: SavedFilterRow = {
    id: makeId(ctx.now),
    company_id: ctx.caller.companyId,
    kind: filtering.kind,
    private: 0,
    team_id: ctx.caller.activeTeamId,
    group_id: null,
    query: "{}",
    position: 0,
    name: body.name,
    filter: JSON.stringify(filter.given),
    created_by: ctx.caller.userId,
    created_at: ctx.at,
    updated_at: ctx.at,
    version: 1,
  };
  return await commit(ctx, {
    statements: [guardNumber("saved_filters", ctx.caller.companyId), insert(savedFilters, row)],
    answer: { ...created(presentSavedFilter(row)), headers: filter.deprecated ? deprecation : {} },
  });
}
