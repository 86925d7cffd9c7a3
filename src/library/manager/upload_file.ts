/** Uploads a file into a folder or a root, stored while it arrives. */
import type { z } from "zod";
import { created } from "../../core/answer.ts";
import { fieldError, invalid } from "../../core/errors.ts";
import { makeId } from "../../core/ids.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import type { FormFields, IncomingFile } from "../../http/incoming_file.ts";
import { parseValid } from "../../http/validate.ts";
import { addNameKey, extractEnding, longestNames, nameFault } from "../names.ts";
import { isWritable, mayWriteSome } from "../place.ts";
import { presentFile } from "../present.ts";
import { belongings } from "../table.ts";
import { receiveUpload } from "../upload.ts";
import { fitsQuota, guardQuota, makeQuotaFault, selectUsage } from "../usage.ts";
import { insertFile } from "../write.ts";
import {
  type Destination,
  makePlaceColumns,
  requireDestination,
  selectTargetJson,
  type Target,
} from "./destination.ts";
import { type UploadFields, uploadFields } from "./schema.ts";
import { unknownRoot } from "./unknown_root.ts";

export interface Addressed extends Omit<Target, "belongs_to"> {
  readonly belongs_to: string;
}

/** Returns 201 with the file. `inPath`: the folder is in the path of the call, not in its query. */
export async function uploadFile(
  ctx: Context,
  addressed: Addressed,
  incoming: IncomingFile,
  { inPath = false }: { readonly inPath?: boolean } = {},
) {
  const { caller, deps } = ctx;
  const belongs_to = belongings.find((name) => name === addressed.belongs_to);
  if (!belongs_to) throw unknownRoot();
  const target: Target = { ...addressed, belongs_to };
  const json = selectTargetJson(caller, target);
  /** Whether the fields of the form can name another place. */
  const isOpen = !target.folder_id && !target.team_id && !target.group_id;
  const found: { destination?: Destination; refused?: unknown } = {};
  const decide = async (fields: FormFields): Promise<Destination> => {
    const named = parseFields(fields, target);
    if (named) return await placeNamed(ctx, { ...target, ...named });
    if (found.refused) throw found.refused;
    return found.destination!;
  };
  const { name, fields, columns, taken, results } = await receiveUpload(ctx, incoming, {
    reads: [
      sql`select ${json} as place, ${fitsQuota(deps, caller.companyId, 0)} as fits`,
      selectUsage(caller.companyId),
    ],
    when: sql`select 1 from (select ${json} as place) j where j.place ->> 'belongs_to' = ${belongs_to}
      and ${isWritable(caller, sql`j.place`)}`,
    check([read]) {
      const { place, fits } = read!.rows[0]!;
      try {
        found.destination = requireDestination(caller, target, place, { at: "query.", inPath });
      } catch (error) {
        if (!isOpen) throw error;
        found.refused = error;
      }
      if (fits !== 1) throw invalid(makeQuotaFault(deps, "file"));
    },
    checkName(name) {
      const fault = nameFault(name, longestNames.filemanager);
      if (fault) throw invalid(fieldError("file", fault.code, fault.message));
    },
    async checkFields(before) {
      const isLate = found.refused && !parseFields(before, target) && mayWriteSome(caller, belongs_to);
      // Fields behind the file can still name a place that the caller may write.
      if (!isLate) await decide(before);
    },
  });
  const destination = await decide(fields);
  const { place, guard } = destination;
  const { fileQuota } = deps.config;
  if (fileQuota !== null && Number(results[1]!.rows[0]!.bytes) + columns.size > fileQuota) {
    throw invalid(makeQuotaFault(deps, "file"));
  }
  const file = {
    id: makeId(ctx.now),
    company_id: caller.companyId,
    user_id: caller.userId,
    ...addNameKey(name),
    type: extractEnding(name),
    ...columns,
    public: 0,
    ...makePlaceColumns(ctx, destination),
    picture_key: null,
    created_at: ctx.at,
    updated_at: ctx.at,
    version: 1,
    permissions: [],
    place,
    place_json: null,
  };
  return await commit(ctx, {
    statements: [guard, ...taken, ...insertFile(file), ...guardQuota(deps, caller.companyId)],
    answer: created(presentFile(file)),
  });
}

/** Returns the destination that the fields of the form name. */
async function placeNamed({ caller, deps }: Context, target: Target): Promise<Destination> {
  const [read] = await deps.db.read([sql`select ${selectTargetJson(caller, target)} as place`]);
  return requireDestination(caller, target, read!.rows[0]!.place);
}

/**
 * Returns the place that the fields name, or null for none. Throws 422 for one that is not of its form, or that
 * differs from the address.
 */
function parseFields(fields: FormFields, target: Target): UploadFields | null {
  const schema: z.ZodObject = uploadFields[target.belongs_to];
  const given = Object.entries(fields).filter(([name, value]) => name in schema.shape && value !== "");
  const named: UploadFields = parseValid(schema, Object.fromEntries(given), "");
  const other = (Object.keys(named) as (keyof UploadFields)[])
    .filter((name) => target[name] && target[name] !== named[name]);
  if (other.length > 0) {
    throw invalid(...other.map((name) => fieldError(name, "excluded", "The address names another one.")));
  }
  return given.length > 0 ? named : null;
}
