/** Deletes one file of the manager, or several at once. */
import { noContent } from "../../core/answer.ts";
import { fieldError, invalid, notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import {
  makeReader,
  mayChange,
  readFileRow,
  requireChangeableFile,
  selectFileById,
  selectFilesById,
} from "../access.ts";
import { commitFiles } from "../shown_in_cases.ts";
import { mayReadPlace } from "../place.ts";
import { presentFile } from "../present.ts";
import { removeFile } from "../write.ts";
import { folderColumns, readFolderRow } from "./folder_facts.ts";
import { requireReadableManagedFile } from "./update_file.ts";

/** Returns 204. Deletes a file of the manager. */
export async function deleteManagedFile(ctx: Context, id: string) {
  const [found] = await ctx.deps.db.read([selectFileById(makeReader(ctx), id)]);
  const file = requireReadableManagedFile(ctx, found!.rows[0]);
  requireChangeableFile(ctx.caller, found!.rows[0]);
  checkMatch(ctx, () => presentFile(file));
  return await commitFiles(ctx, [file], { statements: removeFile(ctx, file), answer: noContent });
}

/**
 * 204. Deletes all files or none. 422 for a folder that the caller sees, 404 for a file that the caller may
 * not read and change.
 */
export async function deleteFiles(ctx: Context, given: readonly string[]) {
  const { caller, deps } = ctx;
  const ids = [...new Set(given)];
  const [files, folders] = await deps.db.read([
    selectFilesById(makeReader(ctx), ids),
    sql`select ${folderColumns} from folders folder where folder.company_id = ${caller.companyId}
      and folder.id in (select value from json_each(${JSON.stringify(ids)}))`,
  ]);
  const seen = folders!.rows.map(readFolderRow).filter(({ place }) => mayReadPlace(caller, place));
  const errors = seen.map(({ id }) =>
    fieldError(`files[${given.indexOf(id)}]`, "type", "Must be a file: folders are deleted one by one.")
  );
  if (errors.length > 0) throw invalid(...errors);
  const found = files!.rows.map(readFileRow).filter((file) => file.place !== null && mayChange(caller, file));
  if (found.length < ids.length) throw notFound();
  return await commitFiles(ctx, found, {
    statements: found.flatMap((file) => removeFile(ctx, file)),
    answer: noContent,
  });
}
