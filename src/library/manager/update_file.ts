/** Renames a file of the manager, and moves it. */
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import {
  type FileFacts,
  makeReader,
  requireChangeableFile,
  requireReadableFile,
  selectFileById,
} from "../access.ts";
import { commitFiles } from "../shown_in_cases.ts";
import { addNameKey, extractEnding } from "../names.ts";
import { type Place, selectPlaceJson } from "../place.ts";
import { presentFile } from "../present.ts";
import { changeFile } from "../write.ts";
import { requireWrite } from "./folder_facts.ts";
import { makePlaceColumns } from "./destination.ts";
import { decideMove, moveJson } from "./move.ts";
import type { ManagedFileChange } from "./schema.ts";

/** A file that is in the manager. */
export type ManagedFile = FileFacts & { readonly place: Place };

/** Returns 200 with the file, renamed or moved. */
export async function updateManagedFile(ctx: Context, id: string, body: ManagedFileChange) {
  const { caller, deps } = ctx;
  const current = sql`(select ${selectPlaceJson("file")} from files file where file.id = ${id}
    and file.company_id = ${caller.companyId})`;
  const [found, facts] = await deps.db.read([
    selectFileById(makeReader(ctx), id),
    sql`select ${moveJson(caller, body, current)} as place`,
  ]);
  requireReadableManagedFile(ctx, found!.rows[0]);
  const before = requirePlace(requireChangeableFile(caller, found!.rows[0]));
  checkMatch(ctx, () => presentFile(before));
  const name = body.name ?? before.name;
  const set = { ...addNameKey(name), type: extractEnding(name), updated_at: ctx.at };
  const destination = decideMove(caller, before, body, { json: facts!.rows[0]!.place, current });
  if (destination === null) {
    return await commitFiles(ctx, [before], {
      statements: changeFile(before, set),
      answer: ok(presentFile({ ...before, ...set })),
    });
  }
  const { place, guard } = destination;
  const placed = makePlaceColumns(ctx, destination);
  requireWrite(caller, before.place);
  return await commitFiles(ctx, [before], {
    statements: [guard, ...changeFile(before, { ...set, ...placed })],
    answer: ok(presentFile({ ...before, ...set, ...placed, place })),
  });
}

/** Returns the file. Throws 404 when it is not in the manager or the caller may not read it. */
export function requireReadableManagedFile(
  ctx: Context,
  row: Parameters<typeof requireReadableFile>[1],
): ManagedFile {
  return requirePlace(requireReadableFile(ctx.caller, row));
}

function requirePlace(file: FileFacts): ManagedFile {
  const { place } = file;
  if (place === null) throw notFound();
  return { ...file, place };
}
