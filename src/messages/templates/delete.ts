/** Deletes a template. Relations paths that suggest it lose it. */
import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { remove } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { ownerGuard } from "../../identity/owners.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { withoutTemplate } from "../../sales/relations_paths/templates.ts";
import { checkMayWrite, seen } from "../belonging.ts";
import { presentFullTemplate } from "./present.ts";
import { templateById } from "./queries.ts";
import { type TemplateRow, templates } from "./table.ts";

export async function deleteTemplate(ctx: Context, id: number) {
  const { companyId } = ctx.caller;
  const [found] = await ctx.deps.db.read([templateById(companyId, id)]);
  const template = seen<TemplateRow>(ctx.caller, found!);
  checkMayWrite(ctx.caller, template);
  checkMatch(ctx, () => presentFullTemplate(template, ctx.fields.seen));
  return await commit(ctx, {
    statements: [
      ownerGuard(companyId, template, template),
      remove(templates, { id, company_id: companyId, version: template.version }),
      guardChanged("template"),
      ...withoutTemplate(companyId, id, ctx.at),
    ],
    answer: noContent,
  });
}
