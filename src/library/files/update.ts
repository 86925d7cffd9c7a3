/** Changes the name, the permissions and the publicity of a file. */
import { requireRight } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { type FieldError, invalid } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { makeReader, requireChangeableFile, selectFileById } from "../access.ts";
import { commitFiles } from "../shown_in_cases.ts";
import { addNameKey, extractEnding } from "../names.ts";
import {
  checkPermissions,
  guardPermissions,
  selectMissingPermissions,
  sortPermissions,
} from "../permissions.ts";
import { changeFile } from "../write.ts";
import { presentWithToken } from "./present.ts";
import type { FileChange } from "./schema.ts";

/**
 * Returns 200 with the file. An absent member keeps its value. Publishing throws 403 without the right
 * `files.publish`.
 */
export async function updateFile(ctx: Context, id: string, body: FileChange) {
  const { caller, deps } = ctx;
  const given = body.permissions === undefined ? undefined : body.permissions ?? [];
  const [found, references] = await deps.db.read([
    selectFileById(makeReader(ctx), id),
    sql`select ${selectMissingPermissions(caller.companyId, given ?? [])} as missing`,
  ]);
  const before = requireChangeableFile(caller, found!.rows[0]);
  checkMatch(ctx, () => presentWithToken(ctx, before));
  const isPublic = body.public === undefined ? before.public === 1 : body.public ?? false;
  if (isPublic && before.public === 0) requireRight(caller, "files.publish");
  const errors: FieldError[] = [];
  checkPermissions(references!.rows[0]!, errors);
  if (errors.length > 0) throw invalid(...errors);
  const name = body.name ?? before.name;
  const set = {
    ...addNameKey(name),
    type: extractEnding(name),
    public: isPublic ? 1 : 0,
    updated_at: ctx.at,
  };
  const permissions = given && sortPermissions(given);
  const after = { ...before, ...set, permissions: permissions ?? before.permissions };
  return await commitFiles(ctx, [before], {
    statements: [
      ...guardPermissions(caller.companyId, given ?? []),
      ...changeFile(before, set, permissions),
    ],
    answer: ok(presentWithToken(ctx, after)),
  });
}
