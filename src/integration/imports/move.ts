/** Starts, cancels and reverts imports. */
import { accepted, type Answer, ok } from "../../core/answer.ts";
import { conflict } from "../../core/errors.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { bindRows, type Sql, sql } from "../../db/statements.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";
import type { StagedKind } from "../../staged/kind.ts";
import { closeFile } from "./file_rows.ts";
import { type ImportFacts, presentImport } from "./present.ts";
import { requireImport, selectImport } from "./queries.ts";
import type { Reverted } from "./revert_progress.ts";
import type { ImportStatus } from "./table.ts";
import { endImport, selectBusy, startNext, stopWork, wakeImports } from "./turns.ts";

type Moved = Answer<ReturnType<typeof presentImport>>;

/** Turns a dry run that was checked into a run; returns 202. */
export async function startImport(ctx: Context, id: string, work: StagedKind): Promise<Moved> {
  const { row, busy } = await readMoved(ctx, id, ["checked"]);
  if (row.object_key === null) throw makeStateProblem("Its file is gone.");
  const after: ImportFacts = {
    ...row,
    status: busy ? "queued" : "running",
    place: 0,
    created: 0,
    updated: 0,
    skipped: 0,
    failed: 0,
    started_at: null,
    finished_at: null,
    expires_at: null,
  };
  const answer = await commit(ctx, {
    statements: [
      ...makeGuards(ctx, row, busy),
      sql`update imports set status = 'queued', place = 0, created = 0, updated = 0, skipped = 0, failed = 0,
        started_at = null, finished_at = null, expires_at = null where id = ${id}`,
      ...startNext(ctx, row.company_id),
    ],
    answer: accepted(presentImport(after)),
  });
  wakeImports(ctx.deps, work);
  return answer;
}

/** Stops the import after the step that is being written; returns 200. */
export async function cancelImport(ctx: Context, id: string, work: StagedKind): Promise<Moved> {
  const { row } = await readMoved(ctx, id, ["queued", "checking", "checked", "running"]);
  const after: ImportFacts = { ...row, status: "cancelled", finished_at: ctx.at };
  const answer = await commit(ctx, {
    statements: [
      // The counts of a step that ends just now are in the answer.
      guardThat(
        "imports",
        sql`(select status = ${row.status} and place = ${row.place} from imports where id = ${id})`,
      ),
      stopWork(id),
      ...endImport(ctx, row, "cancelled"),
    ],
    answer: ok(presentImport(after)),
  });
  await closeFile(ctx.deps.storage, id);
  wakeImports(ctx.deps, work);
  return answer;
}

/** Deletes what the import has made and puts back what it has changed, in the background; returns 202. */
export async function revertImport(ctx: Context, id: string, work: StagedKind): Promise<Moved> {
  const { row, busy, changes } = await readMoved(ctx, id, ["done", "cancelled", "failed"]);
  if (row.expires_at === null || row.expires_at <= ctx.now) {
    throw makeStateProblem("What a revert needs was kept for 30 days.");
  }
  const before = row.reverted === null ? null : JSON.parse(row.reverted) as Reverted;
  const { deleted = 0, restored = 0, kept = 0 } = before ?? {};
  const reverted: Reverted = { deleted, restored, kept, of: deleted + restored + kept + changes };
  const after: ImportFacts = {
    ...row,
    status: "reverting",
    failure: null,
    failure_row: null,
    finished_at: null,
    reverted: JSON.stringify(reverted),
  };
  const answer = await commit(ctx, {
    statements: [
      ...makeGuards(ctx, row, busy),
      sql`update imports set status = 'reverting', failure = null, failure_row = null, finished_at = null,
        reverted = ${after.reverted} where id = ${id}`,
      ...startNext(ctx, row.company_id),
    ],
    answer: accepted(presentImport(after)),
  });
  wakeImports(ctx.deps, work);
  return answer;
}

interface Found {
  readonly row: ImportFacts;
  /** Whether an import of the company runs. */
  readonly busy: boolean;
  /** The number of changes that a revert would undo. */
  readonly changes: number;
}

/** Throws 404, and 409 in another state than these. */
async function readMoved(ctx: Context, id: string, from: readonly ImportStatus[]): Promise<Found> {
  const { companyId } = ctx.caller;
  const [found, busy, changes] = await ctx.deps.db.read([
    selectImport(companyId, id),
    selectBusy(companyId),
    countChanges(id),
  ]) as [Result, Result, Result];
  const row = requireImport(ctx, found);
  if (!from.includes(row.status)) throw makeStateProblem(`It is ${row.status}.`);
  return { row, busy: busy.rows[0]!.busy === 1, changes: Number(changes.rows[0]!.n) };
}

/** A count that is only shown as progress, so it has a bound. */
function countChanges(id: string): Sql {
  return sql`select count(*) as n from (select 1 from import_changes where import_id = ${id}
    limit ${bindRows(1_000_000)})`;
}

function makeGuards(ctx: Context, { id, status }: ImportFacts, busy: boolean): Statement[] {
  return [
    guardThat("imports", sql`(select status from imports where id = ${id}) = ${status}`),
    guardThat("imports", sql`((${selectBusy(ctx.caller.companyId)})) = ${busy ? 1 : 0}`),
  ];
}

function makeStateProblem(detail: string) {
  return conflict("import_state", detail);
}
