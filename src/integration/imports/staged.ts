/** Imports as staged work: some rows of a file, or some changes of a revert, a step. */
import { Problem } from "../../core/errors.ts";
import { bindRows, sql } from "../../db/statements.ts";
import { StorageUnavailable } from "../../platform/storage/storage.ts";
import type { Moment, StagedKind, Step, Work } from "../../staged/kind.ts";
import { UnreadableFile } from "../reading/rows.ts";
import { closeFile } from "./file_rows.ts";
import { planRevert, type RevertEffects } from "./revert_step.ts";
import { begin, type Begun, type Ended } from "./begin.ts";
import { planRows, type Progress, usualRows } from "./rows_step.ts";
import type { FailureCode, ImportRow } from "./table.ts";
import { endImport, importKind } from "./turns.ts";

/** Faults of a dry run that a step removes before the run. */
const mostCleared = 1_000;

export function describeImportWork(effects: RevertEffects): StagedKind {
  return {
    kind: importKind,
    step: (work, _take, moment) => planStep(work, moment, effects),
    afterFailure({ payload }, error) {
      const progress = JSON.parse(payload) as Progress;
      if (error instanceof StorageUnavailable || progress.refused) return null;
      const { place = 0, alone = 0 } = progress;
      if (alone <= place) return JSON.stringify({ ...progress, alone: place + usualRows });
      const refused = error instanceof Problem
        ? { code: error.code, message: error.detail }
        : { code: "internal", message: "The row could not be stored." };
      return JSON.stringify({ ...progress, refused });
    },
  };
}

async function planStep({ subject, payload }: Work, moment: Moment, effects: RevertEffects): Promise<Step> {
  const begun = await begin(moment, subject);
  const { storage } = moment.deps;
  if (!begun) {
    await closeFile(storage, subject);
    return { statements: [], events: [], more: false };
  }
  if ("ends" in begun) return await failStep(moment, begun, begun.ends, null);
  const { row } = begun;
  const progress = JSON.parse(payload) as Progress;
  if (row.status === "reverting") {
    return await planRevert(moment, begun, progress, effects);
  }
  if (row.failure_row !== null) return await failStep(moment, { row }, "format", row.failure_row);
  const clearing = await clearStep(moment, begun);
  if (clearing) return clearing;
  let step: Step | FailureCode;
  try {
    step = await planRows(moment, begun, progress, effects.contactMoves);
  } catch (error) {
    // It was read to its end before; so it is another file now, or another version reads it.
    if (!(error instanceof UnreadableFile)) throw error;
    return await failStep(moment, begun, "format", error.row);
  }
  if (typeof step === "string") return await failStep(moment, begun, step, null);
  if (step.more) return step;
  await closeFile(storage, row.id);
  const status = row.status === "checking" ? "checked" : "done";
  return { ...step, statements: [...step.statements, ...endImport(moment, row, status)] };
}

async function failStep(
  moment: Moment,
  { row }: Ended | { readonly row: ImportRow },
  code: FailureCode,
  at: number | null,
): Promise<Step> {
  await closeFile(moment.deps.storage, row.id);
  return { statements: endImport(moment, row, "failed", { code, row: at }), events: [], more: false };
}

/** Removes what a dry run has found, before the run. Null: there is nothing left of it. */
async function clearStep({ db }: Moment, { row }: Begun): Promise<Step | null> {
  if (row.status !== "running" || row.dry_run === 0 || row.place > 0) return null;
  const errors = sql`select seq from import_errors where import_id = ${row.id}
    limit ${bindRows(mostCleared)}`;
  const [found] = await db.read([errors]);
  if (found!.rows.length === 0) return null;
  return {
    statements: [sql`delete from import_errors where seq in (${errors})`],
    events: [],
    more: true,
    payload: JSON.stringify({ cleared: crypto.randomUUID() }),
  };
}
