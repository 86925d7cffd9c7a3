/** Creates an automated communication. */
import { created } from "../../core/answer.ts";
import { type FieldError, invalid } from "../../core/errors.ts";
import { makeId } from "../../core/ids.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardNumber } from "../../db/numbers.ts";
import { insert } from "../../db/statements.ts";
import { checkOwner, chooseOwner, guardOwner, selectOwnerFacts } from "../../identity/owners.ts";
import { makeReader } from "../../library/access.ts";
import {
  checkSize,
  communicationsAfter,
  guardTemplates,
  selectNamedRecords,
  writeCommunications,
} from "./communications.ts";
import { presentAutomated } from "./present.ts";
import type { AutomatedBody } from "./schema.ts";
import { automatedCommunications } from "./table.ts";

/** Returns 201 with the automated communication. */
export async function createAutomated(ctx: Context, body: AutomatedBody) {
  const { companyId } = ctx.caller;
  const owner = chooseOwner(ctx.caller, body);
  const [found, ...named] = await ctx.deps.db.read([
    selectOwnerFacts(companyId, owner),
    ...selectNamedRecords(makeReader(ctx), body.communications),
  ]);
  const facts = found!.rows[0]!;
  checkOwner(ctx.caller, owner, facts);
  const errors: FieldError[] = [];
  const communications = await communicationsAfter(
    ctx.caller,
    [],
    body.communications,
    named,
    ctx.now,
    errors,
  );
  if (errors.length > 0) throw invalid(...errors);

  const row = {
    id: makeId(ctx.now),
    company_id: companyId,
    ...owner,
    created_by: ctx.caller.userId,
    name: body.name,
    description: body.description ?? null,
    icon: body.icon ?? null,
    created_at: ctx.at,
    updated_at: ctx.at,
    version: 1,
  };
  const record = { ...row, communications };
  checkSize(record, null);
  return await commit(ctx, {
    statements: [
      guardNumber("automated_communications", companyId),
      guardOwner(companyId, owner, facts),
      ...guardTemplates(companyId, body.communications),
      insert(automatedCommunications, row),
      ...writeCommunications(record),
    ],
    answer: created(presentAutomated(record)),
  });
}
