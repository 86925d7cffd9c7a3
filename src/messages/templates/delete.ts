/** Deletes a template, and removes it from the records that name it. */
import { noContent, ok } from "../../core/answer.ts";
import { conflict } from "../../core/errors.ts";
import { type Blocker, guardUnblocked, readImpact, selectBlockers } from "../../db/blockers.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { remove } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { checkMayWrite, guardOwnerOfRecord, requireSeen } from "../../identity/owners.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { presentFullTemplate } from "./present.ts";
import { selectTemplateById } from "./queries.ts";
import { type TemplateRow, templates } from "./record.ts";

/** Returns the records that prevent the deletion of the template without `force`. */
export async function getTemplateImpact(ctx: Context, blockers: readonly Blocker[], id: number) {
  return ok((await readDeletion(ctx, blockers, id)).impact);
}

/** Throws 409 `template_in_use` while messages that use the template wait to be sent, unless `force`. */
export async function deleteTemplate(
  ctx: Context,
  blockers: readonly Blocker[],
  id: number,
  force: boolean,
) {
  const { companyId } = ctx.caller;
  const { blocked, template, impact } = await readDeletion(ctx, blockers, id);
  checkMatch(ctx, () => presentFullTemplate(template, ctx.fields.seen));
  if (!force && impact.blocked_by.length > 0) {
    throw conflict("template_in_use", "Messages that wait to be sent use the template.", impact);
  }
  return await commit(ctx, {
    statements: [
      ...guardOwnerOfRecord(ctx.caller, template),
      ...(force ? [] : [guardUnblocked(blocked)]),
      remove(templates, { id, company_id: companyId, version: template.version }),
      guardChanged("template"),
      ...ctx.deps.clearNaming(ctx, "template", { company_id: companyId, id }),
    ],
    answer: noContent,
  });
}

/** Reads a template that the caller may delete, and what prevents that. */
async function readDeletion(ctx: Context, blockers: readonly Blocker[], id: number) {
  const { companyId } = ctx.caller;
  const blocked = { blockers, companyId, id };
  const [found, facts] = await ctx.deps.db.read([
    selectTemplateById(companyId, id),
    selectBlockers(blocked),
  ]);
  const template = requireSeen<TemplateRow>(ctx.caller, found!);
  checkMayWrite(ctx.caller, template, template);
  return { blocked, template, impact: readImpact(blocked, facts!) };
}
