/** Creates a folder. */
import { ok } from "../../core/answer.ts";
import { fieldError, invalid } from "../../core/errors.ts";
import { makeId } from "../../core/ids.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardNumber } from "../../db/numbers.ts";
import { insert, sql } from "../../db/statements.ts";
import { addNameKey } from "../names.ts";
import { deepestLevel } from "../place.ts";
import { folders } from "../table.ts";
import { requireDestination, selectTargetJson } from "./destination.ts";
import { presentFolder } from "./present.ts";
import type { FolderBody, UploadQuery } from "./schema.ts";

/** Returns 200 with the folder. `query`: its group or team, where the body names none. */
export async function createFolder(ctx: Context, given: FolderBody, query: UploadQuery) {
  const body = {
    ...given,
    team_id: given.team_id ?? query.team_id,
    group_id: given.group_id ?? query.group_id,
  };
  const { caller, deps } = ctx;
  const [found] = await deps.db.read([sql`select ${selectTargetJson(caller, body)} as place`]);
  const { place, columns, guard } = requireDestination(caller, body, found!.rows[0]!.place);
  if (place.level >= deepestLevel) throw invalid(makeDepthFault());
  const row = {
    id: makeId(ctx.now),
    company_id: caller.companyId,
    user_id: caller.userId,
    ...addNameKey(body.name),
    ...columns,
    created_at: ctx.at,
    updated_at: ctx.at,
    version: 1,
  };
  return await commit(ctx, {
    statements: [guardNumber("folders", ctx.caller.companyId), guard, insert(folders, row)],
    answer: ok(presentFolder({ ...row, place })),
  });
}

/** Returns the fault of a place below the deepest level. */
export function makeDepthFault() {
  return fieldError("folder_id", "max", `The deepest folder has level ${deepestLevel}.`);
}
