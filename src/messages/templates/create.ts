/** Creates a template. */
import { created } from "../../core/answer.ts";
import { type FieldError, invalid } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardNumber } from "../../db/numbers.ts";
import { insert, selectLastId } from "../../db/statements.ts";
import { checkOwner, chooseOwner, guardOwner, selectOwnerFacts } from "../../identity/owners.ts";
import { presentFullTemplate } from "./present.ts";
import { makeInitial } from "../../records/members.ts";
import { type TemplateBody, templateMembers, templates } from "./record.ts";
import { checkMargins, cleanContent, indexTitle } from "./write.ts";

/** Returns 201 with the template. */
export async function createTemplate(ctx: Context, body: TemplateBody) {
  const { companyId, userId } = ctx.caller;
  const owner = chooseOwner(ctx.caller, body);
  const [found] = await ctx.deps.db.read([selectOwnerFacts(companyId, owner)]);
  const facts = found!.rows[0]!;
  checkOwner(ctx.caller, owner, facts);
  const errors: FieldError[] = [];
  checkMargins(body.type, body, errors);
  const content = await cleanContent(body.content, errors);
  if (errors.length > 0) throw invalid(...errors);

  const row = {
    ...makeInitial(templateMembers, body),
    company_id: companyId,
    ...owner,
    user_id: userId,
    content,
    created_at: ctx.at,
    updated_at: ctx.at,
  };
  return await commit(ctx, {
    statements: [
      guardNumber("templates", companyId),
      guardOwner(companyId, owner, facts),
      insert(templates, row),
      indexTitle(selectLastId(templates), companyId, row.title),
    ],
    answer: created(presentFullTemplate({ ...row, id: null }, ctx.fields.seen)),
    idFrom: templates,
  });
}
