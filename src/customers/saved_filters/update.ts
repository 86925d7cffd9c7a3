import { ok } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { checkMayChange, presentSavedFilter, readSavedFilter } from "./queries.ts";
import { deprecation, type Filtering, readFilter } from "../filter_catalogue.ts";
import { savedFilters } from "./table.ts";

/** Returns 200 with the updated filter. Properties that the body leaves out keep their values. */
export async function updateSavedFilter(
  ctx: Context,
  filtering: Filtering,
  id: string,
  body: { name?: string | undefined; filter?: unknown },
) {
  const before = await readSavedFilter(ctx, filtering.kind, id);
  checkMayChange(ctx, before);
  checkMatch(ctx, () => presentSavedFilter(before));
  const filter = body.filter === undefined ? null : readFilter(ctx, filtering, body.filter);
  const after = filter ? JSON.stringify(filter.given) : before.filter;
  const changes = {
    name: body.name ?? before.name,
    filter: after,
    stopped_reason: after === before.filter ? before.stopped_reason ?? null : null,
    updated_at: ctx.at,
  };
  return await commit(ctx, {
    statements: [updateVersioned(savedFilters, changes, before), guardChanged("stale")],
    answer: ok(presentSavedFilter({ ...before, ...changes }), filter?.deprecated ? deprecation : {}),
  });
}
