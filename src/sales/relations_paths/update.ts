/** Changes a relations path. Its cases show the change. */
import { ok } from "../../core/answer.ts";
import { counts } from "../../core/budgets.ts";
import { type FieldError, fieldError, invalid } from "../../core/errors.ts";
import { markShown } from "../../db/alters.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { sql, updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { requireReach } from "../../identity/permissions.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { checkLeadTypesFit, guardLeadTypesFit, selectLargestLeadType, touchLeadTypes } from "./lead_types.ts";
import { applyTypeChanges, writeActivityTypes } from "./activity_types.ts";
import { checkAutomated, guardAutomated, selectNamedAutomated } from "./automated.ts";
import { changePathOwner, selectPathOwnerFacts, selectPathWriteFacts } from "./ownership.ts";
import { measurePath, presentPath } from "./present.ts";
import { requirePathToWrite, selectPathById } from "./queries.ts";
import { type PathChange, tooManyTypes } from "./schema.ts";
import { relationsPaths } from "./table.ts";
import { checkTemplates, guardTemplates, selectNamedTemplates } from "./templates.ts";

/** Returns the changed path. An absent member keeps its value. */
export async function updatePath(ctx: Context, id: string, body: PathChange) {
  requireReach(ctx.caller, "paths.write");
  const { companyId } = ctx.caller;
  const [found, facts, newFacts, largest, templates, automated] = await ctx.deps.db.read([
    selectPathById(id, companyId),
    selectPathWriteFacts("relations_paths", id, companyId),
    selectPathOwnerFacts(companyId, body),
    selectLargestLeadType(companyId, id),
    selectNamedTemplates(companyId, body.activity_types),
    selectNamedAutomated(companyId, body.activity_types),
  ]);
  const before = requirePathToWrite(ctx.caller, found!, facts!);
  checkMatch(ctx, () => presentPath(before));
  const { owner, guards } = changePathOwner(ctx.caller, before, body, {
    facts: facts!.rows[0]!,
    newFacts: newFacts!.rows[0]!,
  });
  const errors: FieldError[] = [];
  checkTemplates(ctx.caller, body.activity_types, templates!, errors);
  const named = before.activity_types.flatMap((type) =>
    JSON.parse(type.automated_communications) as string[]
  );
  checkAutomated(ctx.caller, body.activity_types, automated!, errors, named);
  const making = { now: ctx.now, company_id: companyId, path_id: id };
  const activity_types = body.activity_types
    ? applyTypeChanges(making, before.activity_types, body.activity_types, errors)
    : before.activity_types;
  if (activity_types.length > Math.max(counts.activityTypes, before.activity_types.length)) {
    errors.push(fieldError("activity_types", "max", tooManyTypes));
  }
  if (errors.length > 0) throw invalid(...errors);

  const changes = {
    ...owner,
    name: body.name ?? before.name,
    is_sales_type: body.is_sales_type === undefined ? before.is_sales_type : body.is_sales_type ? 1 : 0,
    updated_at: ctx.at,
  };
  const path = measurePath({ ...before, ...changes, activity_types, version: before.version + 1 }, before);
  const grows = path.bytes > before.bytes;
  if (grows) checkLeadTypesFit(largest!, path.bytes - before.bytes);
  return await commit(ctx, {
    statements: [
      ...guards,
      updateVersioned(relationsPaths, { ...changes, bytes: path.bytes }, before),
      guardChanged("path"),
      ...guardTemplates(companyId, body.activity_types),
      ...guardAutomated(companyId, body.activity_types),
      ...(grows ? [guardLeadTypesFit(companyId, id)] : []),
      ...markShown([
        ...(body.activity_types ? writeActivityTypes(ctx.at, id, before.activity_types, activity_types) : []),
        touchLeadTypes(companyId, sql`${id}`),
      ]),
    ],
    answer: ok(presentPath(path)),
  });
}
