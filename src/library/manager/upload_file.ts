/** Uploads a file into a folder or a root, stored while it arrives. */
import { created } from "../../core/answer.ts";
import { fieldError, invalid } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import type { IncomingFile } from "../../http/incoming_file.ts";
import { endingOf, longestNames, named, nameFault } from "../names.ts";
import { isWritable } from "../place.ts";
import { presentFile } from "../present.ts";
import { belongings } from "../table.ts";
import { receiveUpload } from "../upload.ts";
import { guardRoom, hasRoom, noRoom, usageRead } from "../usage.ts";
import { insertedFile } from "../write.ts";
import { type Destination, destinationOf, placedColumns, type Target, targetJson } from "./destination.ts";
import { unknownRoot } from "./unknown_root.ts";

export interface Addressed extends Omit<Target, "belongs_to"> {
  readonly belongs_to: string;
}

/** Returns 201 with the file. */
export async function uploadFile(ctx: Context, addressed: Addressed, incoming: IncomingFile) {
  const { caller, deps } = ctx;
  const belongs_to = belongings.find((name) => name === addressed.belongs_to);
  if (!belongs_to) throw unknownRoot();
  const target: Target = { ...addressed, belongs_to };
  const json = targetJson(caller, target);
  const found: { destination?: Destination } = {};
  const { name, columns, taken, results } = await receiveUpload(ctx, incoming, {
    reads: [
      sql`select ${json} as place, ${hasRoom(deps, caller.companyId, 0)} as has_room`,
      usageRead(caller.companyId),
    ],
    when: sql`select 1 from (select ${json} as place) j where ${isWritable(caller, sql`j.place`)}`,
    check([read]) {
      const { place, has_room } = read!.rows[0]!;
      found.destination = destinationOf(caller, target, place, { at: "query.", inPath: true });
      if (has_room !== 1) throw invalid(noRoom(deps, "file"));
    },
    checkName(name) {
      const fault = nameFault(name, longestNames.filemanager);
      if (fault) throw invalid(fieldError("file", fault.code, fault.message));
    },
  });
  const destination = found.destination!;
  const { place, guard } = destination;
  const { fileQuota } = deps.config;
  if (fileQuota !== null && Number(results[1]!.rows[0]!.bytes) + columns.size > fileQuota) {
    throw invalid(noRoom(deps, "file"));
  }
  const file = {
    id: newId(ctx.now),
    company_id: caller.companyId,
    user_id: caller.userId,
    ...named(name),
    type: endingOf(name),
    ...columns,
    public: 0,
    ...placedColumns(ctx, destination),
    picture_key: null,
    created_at: ctx.at,
    updated_at: ctx.at,
    version: 1,
    permissions: [],
    place,
    place_json: null,
  };
  return await commit(ctx, {
    statements: [guard, ...taken, ...insertedFile(file), ...guardRoom(deps, caller.companyId)],
    answer: created(presentFile(file)),
  });
}
