/** Renames a folder, and moves it with everything in it. Changes one row for any number of items. */
import { ok } from "../../core/answer.ts";
import { fieldError, invalid } from "../../core/errors.ts";
import { makeId } from "../../core/ids.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { sql, updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged, guardThat } from "../../platform/database/database.ts";
import { beginFolder, beginNow } from "../shown_in_cases.ts";
import { addNameKey } from "../names.ts";
import { deepestLevel, selectFolderPlaceJson } from "../place.ts";
import { folders } from "../table.ts";
import { makeDepthFault } from "./create_folder.ts";
import {
  countLevels,
  guardFolder,
  isWithin,
  requireWritableFolder,
  selectFolderById,
} from "./folder_facts.ts";
import { decideMove, moveJson } from "./move.ts";
import { presentFolder } from "./present.ts";
import type { FolderChange } from "./schema.ts";

/** Returns 200 with the folder, renamed or moved with all that is in it. Throws 422 for a place below itself. */
export async function updateFolder(ctx: Context, id: string, body: FolderChange) {
  const { caller, deps } = ctx;
  const current = selectFolderPlaceJson(caller.companyId, sql`${id}`);
  const isBelow = body.folder_id ? isWithin(body.folder_id, sql`${id}`) : sql`0`;
  const [found, facts] = await deps.db.read([
    selectFolderById(caller, id),
    sql`select ${moveJson(caller, body, current)} as place, ${isBelow} as is_below,
      ${countLevels(id)} as levels`,
  ]);
  const before = requireWritableFolder(caller, found!.rows[0]);
  checkMatch(ctx, () => presentFolder(before));
  const { place: json, is_below, levels } = facts!.rows[0]!;
  const set = { ...addNameKey(body.name ?? before.name), updated_at: ctx.at };
  const destination = decideMove(caller, before, body, { json, current });
  if (destination === null) {
    return await commit(ctx, {
      statements: [guardFolder(before), updateVersioned(folders, set, before), guardChanged("folder")],
      answer: ok(presentFolder({ ...before, ...set })),
    });
  }
  const { place, columns, guard } = destination;
  if (is_below === 1) {
    throw invalid(fieldError("folder_id", "excluded", "A folder cannot be in itself or below itself."));
  }
  if (place.level + Number(levels) > deepestLevel) throw invalid(makeDepthFault());
  const { belongs_to, belongs_to_id } = before.place;
  const isOthers = place.belongs_to !== belongs_to || place.belongs_to_id !== belongs_to_id;
  const work = makeId();
  const answer = await commit(ctx, {
    statements: [
      guardFolder(before),
      guard,
      // Two folders that move into each other at the same time would form a cycle and vanish.
      guardThat("cycle", sql`not ${isBelow}`),
      guardThat("levels", sql`${place.level} + ${countLevels(id)} <= ${deepestLevel}`),
      updateVersioned(folders, { ...set, ...columns }, before),
      guardChanged("folder"),
      ...(isOthers ? [beginFolder(ctx, work, id)] : []),
    ],
    answer: ok(presentFolder({ ...before, ...set, ...columns, place })),
  });
  if (isOthers) beginNow(ctx, work);
  return answer;
}
