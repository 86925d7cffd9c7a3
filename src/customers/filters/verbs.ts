/** Saving filters. Who sees one may change it. */
import { type Answer, created, noContent, ok } from "../../core/answer.ts";
import { newId } from "../../core/ids.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { insert, remove, sql, updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import type { TeamDeletion } from "../../identity/teams/deletion.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { deprecationOf, type Filtering, readFilter } from "./run.ts";
import { presentSavedFilter, readSavedFilter } from "./saved.ts";
import { type SavedFilterRow, savedFilters } from "./table.ts";

/** 201 with the filter, which belongs to the caller's active team. 422 with everything wrong in it. */
export async function createSavedFilter(
  ctx: Context,
  filtering: Filtering,
  body: { name: string; filter?: unknown },
): Promise<Answer> {
  const filter = readFilter(ctx, filtering, body.filter);
  const row: SavedFilterRow = {
    id: newId(ctx.now),
    company_id: ctx.caller.companyId,
    kind: filtering.kind,
    team_id: ctx.caller.activeTeamId,
    name: body.name,
    filter: JSON.stringify(filter.given),
    created_by: ctx.caller.userId,
    created_at: ctx.at,
    updated_at: ctx.at,
    version: 1,
  };
  return await commit(ctx, {
    statements: [insert(savedFilters, row)],
    answer: { ...created(presentSavedFilter(row)), headers: deprecationOf(filter) },
  });
}

/** 200 with the filter as it is now. What the body does not name keeps its value. */
export async function updateSavedFilter(
  ctx: Context,
  filtering: Filtering,
  id: string,
  body: { name?: string | undefined; filter?: unknown },
): Promise<Answer> {
  const before = await readSavedFilter(ctx, filtering.kind, id);
  checkMatch(ctx, () => presentSavedFilter(before));
  const filter = body.filter === undefined ? null : readFilter(ctx, filtering, body.filter);
  const changes = {
    name: body.name ?? before.name,
    filter: filter ? JSON.stringify(filter.given) : before.filter,
    updated_at: ctx.at,
  };
  return await commit(ctx, {
    statements: [updateVersioned(savedFilters, changes, before), guardChanged("stale")],
    answer: ok(presentSavedFilter({ ...before, ...changes }), filter ? deprecationOf(filter) : {}),
  });
}

export async function deleteSavedFilter(ctx: Context, { kind }: Filtering, id: string): Promise<Answer> {
  const { company_id, version, ...before } = await readSavedFilter(ctx, kind, id);
  checkMatch(ctx, () => presentSavedFilter({ ...before, company_id, version }));
  return await commit(ctx, {
    statements: [remove(savedFilters, { id, company_id, version }), guardChanged("stale")],
    answer: noContent,
  });
}

/** Saved filters of a deleted team go to the heir; without one admins alone see them. */
export function reassignFilters({ company_id, team_id, heir_id }: TeamDeletion): Statement {
  return sql`update saved_filters set team_id = ${heir_id}, version = version + 1
    where company_id = ${company_id} and team_id = ${team_id} and ${heir_id} is not null`;
}
