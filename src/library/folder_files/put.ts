/** Puts files into a folder or root, and takes them out. */
import { noContent } from "../../core/answer.ts";
import { forbidden } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import {
  type FileFacts,
  makeReader,
  mayChange,
  readFileRow,
  requireReadableFiles,
  selectFilesById,
} from "../access.ts";
import { commitFiles } from "../shown_in_cases.ts";
import { type Destination, makePlaceColumns } from "../manager/destination.ts";
import { changeFile } from "../write.ts";
import { parseNamedPlace, requireWritablePlace, selectPlace } from "./place.ts";

/**
 * 204. Moves the files from their current place to the folder or root. Files that are already there do not
 * change. 422 `exists` for files that the caller may not read, 403 for files that the caller may not change.
 */
export async function putFiles(ctx: Context, path: string, fileIds: readonly string[]) {
  const { caller, deps } = ctx;
  const named = parseNamedPlace(caller, path);
  const [found, files] = await deps.db.read([selectPlace(named), selectFilesById(makeReader(ctx), fileIds)]);
  const destination = requireWritablePlace(caller, named, found!.rows[0]!.place);
  const moved = requireReadableFiles(caller, files!.rows, fileIds).filter((file) =>
    !liesIn(file, destination)
  );
  if (!moved.every((file) => mayChange(caller, file))) {
    throw forbidden("Only its owner, users who may write its folder, and admins may move a file.");
  }
  const placed = { ...makePlaceColumns(ctx, destination), updated_at: ctx.at };
  return await commitFiles(ctx, moved, {
    statements: [destination.guard, ...moved.flatMap((file) => changeFile(file, placed))],
    answer: noContent,
  });
}

/** Takes the files out, so that they have no place. Ids of other files change nothing. */
export async function takeOutFiles(ctx: Context, path: string, fileIds: readonly string[]) {
  const { caller, deps } = ctx;
  const named = parseNamedPlace(caller, path);
  const [found, files] = await deps.db.read([selectPlace(named), selectFilesById(makeReader(ctx), fileIds)]);
  const destination = requireWritablePlace(caller, named, found!.rows[0]!.place);
  const taken = files!.rows.map(readFileRow).filter((file) => liesIn(file, destination));
  const nowhere = {
    folder_id: null,
    belongs_to: null,
    belongs_to_id: null,
    placed_by: null,
    placed_at: null,
    updated_at: ctx.at,
  };
  return await commitFiles(ctx, taken, {
    statements: [destination.guard, ...taken.flatMap((file) => changeFile(file, nowhere))],
    answer: noContent,
  });
}

function liesIn(file: FileFacts, { columns }: Destination): boolean {
  return file.folder_id === columns.folder_id && file.belongs_to === columns.belongs_to &&
    file.belongs_to_id === columns.belongs_to_id;
}
