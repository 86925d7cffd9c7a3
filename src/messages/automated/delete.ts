/**
 * Deletes an automated communication, and removes it from relations paths. Its waiting e-mails are skipped
 * when they are due.
 */
import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { remove, sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { checkMayWrite, guardOwnerOfRecord } from "../../identity/owners.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { presentAutomated } from "./present.ts";
import { requireAutomated, selectAutomated } from "./queries.ts";
import { automatedCommunications } from "./table.ts";

export async function deleteAutomated(ctx: Context, id: string) {
  const { companyId } = ctx.caller;
  const [found] = await ctx.deps.db.read([selectAutomated(companyId, id)]);
  const before = requireAutomated(ctx.caller, found!);
  checkMayWrite(ctx.caller, before, before);
  checkMatch(ctx, () => presentAutomated(before));
  return await commit(ctx, {
    statements: [
      ...guardOwnerOfRecord(ctx.caller, before),
      ...ctx.deps.deleteNaming("automated_communication", sql`${id}`),
      remove(automatedCommunications, { id, company_id: companyId, version: before.version }),
      guardChanged("automated_communication"),
      ...ctx.deps.clearNaming(ctx, "automated_communication", { company_id: companyId, id }),
    ],
    answer: noContent,
  });
}
