/** Changing a relations path. Cases on it show it as it is from then on. */
import { type Answer, ok } from "../../core/answer.ts";
import { type FieldError, invalid } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { raw, updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { requireReach } from "../../identity/permissions.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { touchTypes } from "../lead_types/uses.ts";
import { changedActivityTypes, unknownReferences, writeActivityTypes } from "./activity_types.ts";
import { changeOwner, ownerFacts, writeFacts } from "./ownership.ts";
import { type PathRecord, presentPath } from "./present.ts";
import { pathById, pathToWrite } from "./queries.ts";
import type { PathChange } from "./schema.ts";
import { relationsPaths } from "./table.ts";

/** 200 with the path as it is now. What the body does not name keeps its value. */
export async function updatePath(ctx: Context, id: string, body: PathChange): Promise<Answer> {
  requireReach(ctx.caller, "paths.write");
  const { companyId } = ctx.caller;
  const [found, facts, named] = await ctx.deps.db.read([
    pathById(id, companyId),
    writeFacts("relations_paths", id, companyId),
    ownerFacts(companyId, body),
  ]);
  const before = pathToWrite(ctx.caller, found!, facts!);
  checkMatch(ctx, () => presentPath(before));
  const { owner, guards } = changeOwner(ctx.caller, before, body, {
    facts: facts!.rows[0]!,
    named: named!.rows[0]!,
  });
  const errors: FieldError[] = body.activity_types ? unknownReferences(body.activity_types) : [];
  const making = { now: ctx.now, company_id: companyId, path_id: id };
  const activity_types = body.activity_types
    ? changedActivityTypes(making, before.activity_types, body.activity_types, errors)
    : before.activity_types;
  if (errors.length > 0) throw invalid(...errors);

  const changes = {
    ...owner,
    name: body.name ?? before.name,
    is_sales_type: body.is_sales_type === undefined ? before.is_sales_type : body.is_sales_type ? 1 : 0,
    updated_at: ctx.at,
  };
  const path: PathRecord = { ...before, ...changes, activity_types, version: before.version + 1 };
  return await commit(ctx, {
    statements: [
      ...guards,
      updateVersioned(relationsPaths, changes, before),
      guardChanged("path"),
      ...(body.activity_types ? writeActivityTypes(ctx.at, id, before.activity_types, activity_types) : []),
      touchTypes(companyId, raw("?", id)),
    ],
    answer: ok(presentPath(path)),
  });
}
