/** Changes a template. Messages that wait are sent with the change. */
import { changeOwner, requireSeen, selectOwnerFacts } from "../../identity/owners.ts";
import { ok } from "../../core/answer.ts";
import { type FieldError, fieldError, invalid } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { presentFullTemplate } from "./present.ts";
import { selectTemplateById } from "./queries.ts";
import { makeChanges } from "../../records/members.ts";
import { type TemplateChange, templateMembers, type TemplateRow, templates } from "./record.ts";
import { checkMargins, cleanContent, indexTitle } from "./write.ts";

/** Returns the changed template. An absent member keeps its value. */
export async function updateTemplate(ctx: Context, id: number, body: TemplateChange) {
  const { companyId } = ctx.caller;
  const [found, facts] = await ctx.deps.db.read([
    selectTemplateById(companyId, id),
    selectOwnerFacts(companyId, body),
  ]);
  const before = requireSeen<TemplateRow>(ctx.caller, found!);
  const { owner, guards } = changeOwner(ctx.caller, before, body, facts!.rows[0]!);
  checkMatch(ctx, () => presentFullTemplate(before, ctx.fields.seen));
  const errors: FieldError[] = [];
  if (body.type !== undefined && body.type !== before.type) {
    errors.push(fieldError("type", "not_editable", "The type of a template never changes."));
  }
  checkMargins(before.type, body, errors);
  const content = body.content === undefined ? before.content : await cleanContent(body.content, errors);
  if (errors.length > 0) throw invalid(...errors);

  const set = {
    ...makeChanges(templateMembers, body, before),
    ...owner,
    content,
    updated_at: ctx.at,
  };
  return await commit(ctx, {
    statements: [
      ...guards,
      updateVersioned(templates, set, before),
      guardChanged("template"),
      ...(set.title === before.title ? [] : [indexTitle(id, companyId, set.title)]),
    ],
    answer: ok(presentFullTemplate({ ...before, ...set, version: before.version + 1 }, ctx.fields.seen)),
  });
}
