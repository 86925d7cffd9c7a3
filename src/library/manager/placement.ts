/** Puts files into folders and roots and takes them out, for verbs that attach files there. */
import { forbidden } from "../../core/errors.ts";
import type { Member } from "../../core/access.ts";
import type { Statement } from "../../platform/database/database.ts";
import { type FileFacts, mayChange } from "../access.ts";
import { changedFile } from "../write.ts";
import type { Destination } from "./destination.ts";

/**
 * Moves readable files to a place that the member may write, wherever they lay before; those that lie there stay
 * unchanged. Throws 403 when the member may not change one of them. `at`: the wire timestamp of the change.
 */
export function putIntoFolder(
  member: Member,
  { columns, guard }: Pick<Destination, "columns" | "guard">,
  files: readonly FileFacts[],
  at: string,
): Statement[] {
  const moved = files.filter((file) => !liesIn(file, columns));
  for (const file of moved) requireChange(member, file);
  return [guard, ...moved.flatMap((file) => changedFile(file, { ...columns, updated_at: at }))];
}

/** Takes the files that lie there out, so that they lie nowhere; the others stay where they are. */
export function takeOutOfFolder(
  { columns, guard }: Pick<Destination, "columns" | "guard">,
  files: readonly FileFacts[],
  at: string,
): Statement[] {
  const nowhere = { folder_id: null, belongs_to: null, belongs_to_id: null, updated_at: at };
  return [
    guard,
    ...files.filter((file) => liesIn(file, columns)).flatMap((file) => changedFile(file, nowhere)),
  ];
}

function liesIn(file: FileFacts, columns: Destination["columns"]): boolean {
  return file.folder_id === columns.folder_id && file.belongs_to === columns.belongs_to &&
    file.belongs_to_id === columns.belongs_to_id;
}

function requireChange(member: Member, file: FileFacts): void {
  if (mayChange(member, file)) return;
  throw forbidden("Only its owner, users who may write its folder, and admins may move the file.");
}
