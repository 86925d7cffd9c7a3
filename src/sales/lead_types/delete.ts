/** Deletes a lead type that was never used. A used one can be disabled. */
import { noContent, ok } from "../../core/answer.ts";
import { conflict } from "../../core/errors.ts";
import { type Blocker, readImpact, selectBlockers } from "../../db/blockers.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { remove } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { requireReach } from "../../identity/permissions.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { changePathOwner, selectPathWriteFacts } from "../relations_paths/ownership.ts";
import { requireLeadTypeToWrite, selectLeadTypeById } from "./queries.ts";
import { leadTypes, presentLeadType } from "./record.ts";

/** Returns the records that prevent the deletion. */
export async function getLeadTypeImpact(ctx: Context, blockers: readonly Blocker[], id: string) {
  return ok((await readDeletion(ctx, blockers, id)).impact);
}

/** Throws 409 while leads of the type exist, in any state, or cases or accounts of their acceptance. */
export async function deleteLeadType(ctx: Context, blockers: readonly Blocker[], id: string) {
  const { type, facts, impact } = await readDeletion(ctx, blockers, id);
  checkMatch(ctx, () => presentLeadType(type));
  if (impact.blocked_by.length > 0) {
    throw conflict(
      "delete_blocked",
      "Leads of the type exist, or cases or accounts of such leads: disable it instead.",
      impact,
    );
  }
  const { guards } = changePathOwner(ctx.caller, { ...type, group_id: null }, {}, {
    facts: facts!.rows[0]!,
    newFacts: {},
  });
  return await commit(ctx, {
    statements: [
      ...guards,
      // The foreign key of a lead created meanwhile rejects this.
      remove(leadTypes, { id, company_id: ctx.caller.companyId, version: type.version }),
      guardChanged("lead_type"),
    ],
    answer: noContent,
  });
}

/** Reads a lead type that the caller may delete, and what prevents that. */
async function readDeletion(ctx: Context, blockers: readonly Blocker[], id: string) {
  requireReach(ctx.caller, "paths.write");
  const { companyId } = ctx.caller;
  const blocked = { blockers, companyId, id };
  const [found, facts, counted] = await ctx.deps.db.read([
    selectLeadTypeById(id, companyId),
    selectPathWriteFacts("lead_types", id, companyId),
    selectBlockers(blocked),
  ]);
  const type = requireLeadTypeToWrite(ctx.caller, found!, facts!);
  return { type, facts, impact: readImpact(blocked, counted!) };
}
