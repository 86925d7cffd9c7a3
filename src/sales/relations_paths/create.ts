/** Creates a relations path with its activity types. */
import { created } from "../../core/answer.ts";
import { type FieldError, invalid } from "../../core/errors.ts";
import { makeId } from "../../core/ids.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardNumber } from "../../db/numbers.ts";
import { insert, insertAll } from "../../db/statements.ts";
import { requireReach } from "../../identity/permissions.ts";
import type { Statement } from "../../platform/database/database.ts";
import { makeActivityTypes } from "./activity_types.ts";
import { checkAutomated, guardAutomated, selectNamedAutomated } from "./automated.ts";
import { checkPathOwner, guardPathOwner, selectPathOwnerFacts } from "./ownership.ts";
import { measurePath, type PathRecord, presentPath } from "./present.ts";
import type { CreatePathBody } from "./schema.ts";
import { activityTypes, relationsPaths } from "./table.ts";
import { checkTemplates, guardTemplates, selectNamedTemplates } from "./templates.ts";

/** Returns 201 with the path. */
export async function createPath(ctx: Context, body: CreatePathBody) {
  requireReach(ctx.caller, "paths.write");
  const { companyId } = ctx.caller;
  const owner = { team_id: body.team_id ?? null, group_id: body.group_id ?? null };
  const [found, templates, automated] = await ctx.deps.db.read([
    selectPathOwnerFacts(companyId, owner),
    selectNamedTemplates(companyId, body.activity_types),
    selectNamedAutomated(companyId, body.activity_types),
  ]);
  const facts = found!.rows[0]!;
  checkPathOwner(ctx.caller, owner, facts);
  const errors: FieldError[] = [];
  checkTemplates(ctx.caller, body.activity_types, templates!, errors);
  checkAutomated(ctx.caller, body.activity_types, automated!, errors);
  if (errors.length > 0) throw invalid(...errors);

  const { path, statements } = insertPath(ctx, body);
  return await commit(ctx, {
    statements: [
      guardNumber("relations_paths", companyId),
      ...guardPathOwner(companyId, owner, facts),
      ...guardTemplates(companyId, body.activity_types),
      ...guardAutomated(companyId, body.activity_types),
      ...statements,
    ],
    answer: created(presentPath(path)),
  });
}

/** The maker of a path or a lead type, and the moment. */
export type Maker = Pick<Context, "now" | "at"> & {
  readonly caller: Pick<Context["caller"], "companyId" | "userId">;
};

/** A new path with the size of its JSON, and the statements that insert it. */
export function insertPath(
  maker: Maker,
  body: CreatePathBody,
): { path: PathRecord; statements: Statement[] } {
  const path = measurePath(makePath(maker, body));
  const { activity_types, ...row } = path;
  return { path, statements: [insert(relationsPaths, row), insertAll(activityTypes, [...activity_types])] };
}

function makePath(ctx: Maker, body: CreatePathBody): PathRecord {
  const id = makeId(ctx.now);
  const company_id = ctx.caller.companyId;
  return {
    id,
    company_id,
    team_id: body.team_id ?? null,
    group_id: body.group_id ?? null,
    name: body.name,
    is_sales_type: body.is_sales_type ? 1 : 0,
    bytes: 0,
    created_by: ctx.caller.userId,
    created_at: ctx.at,
    updated_at: ctx.at,
    version: 1,
    activity_types: makeActivityTypes({ now: ctx.now, company_id, path_id: id }, body.activity_types),
  };
}
