/** Deletes an unused relations path. */
import { noContent, ok } from "../../core/answer.ts";
import { conflict } from "../../core/errors.ts";
import { type Blocker, guardUnblocked, readImpact, selectBlockers } from "../../db/blockers.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { remove, sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { requireReach } from "../../identity/permissions.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { changePathOwner, selectPathWriteFacts } from "./ownership.ts";
import { presentPath } from "./present.ts";
import { requirePathToWrite, selectPathById } from "./queries.ts";
import { relationsPaths } from "./table.ts";

/** Returns the records that prevent the deletion. */
export async function getPathImpact(ctx: Context, blockers: readonly Blocker[], id: string) {
  return ok((await readDeletion(ctx, blockers, id)).impact);
}

/** Throws 409 while a case in any state, a lead type or an approved campaign has the path. */
export async function deletePath(ctx: Context, blockers: readonly Blocker[], id: string) {
  const { blocked, path, facts, impact } = await readDeletion(ctx, blockers, id);
  checkMatch(ctx, () => presentPath(path));
  if (impact.blocked_by.length > 0) {
    throw conflict("delete_blocked", "Cases, lead types or campaigns use the relations path.", impact);
  }
  const { guards } = changePathOwner(ctx.caller, path, {}, { facts: facts!.rows[0]!, newFacts: {} });
  return await commit(ctx, {
    statements: [
      ...guards,
      guardUnblocked(blocked),
      sql`update campaigns set relations_path_id = null where relations_path_id = ${id}`,
      ...ctx.deps.deleteNaming("relations_path", sql`${id}`),
      remove(relationsPaths, { id, company_id: ctx.caller.companyId, version: path.version }),
      guardChanged("path"),
    ],
    answer: noContent,
  });
}

/** Reads a path that the caller may delete, and what prevents that. */
async function readDeletion(ctx: Context, blockers: readonly Blocker[], id: string) {
  requireReach(ctx.caller, "paths.write");
  const { companyId } = ctx.caller;
  const blocked = { blockers, companyId, id };
  const [found, facts, counted] = await ctx.deps.db.read([
    selectPathById(id, companyId),
    selectPathWriteFacts("relations_paths", id, companyId),
    selectBlockers(blocked),
  ]);
  const path = requirePathToWrite(ctx.caller, found!, facts!);
  return { blocked, path, facts, impact: readImpact(blocked, counted!) };
}
