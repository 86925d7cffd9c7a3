/**
 * Undoes a merge: what went comes back, with all that is still where the merge has moved it. One commit brings back the
 * records; what they had moves in the same one or, if it is too much, as staged work.
 */
import { ok } from "../../core/answer.ts";
import { conflict, Problem } from "../../core/errors.ts";
import { lifetimes } from "../../core/lifetimes.ts";
import { formatTimestamp } from "../../core/time.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { insertAll, sql } from "../../db/statements.ts";
import { guardThat, type Result } from "../../platform/database/database.ts";
import { runStaged } from "../../staged/run.ts";
import { beginWork } from "../../staged/work.ts";
import { follow, selectFollowing } from "./follow.ts";
import { isLarge } from "./moved_columns.ts";
import {
  readUndone,
  returning,
  selectChanges,
  selectMoved,
  selectUndone,
  undoneCount,
} from "./moved_records.ts";
import { requireMerge, selectMergeById } from "./queries.ts";
import type { Kept } from "./kept.ts";
import { bringBack, restoreCount, restoreReads } from "./restore.ts";
import { mergeLocks, type MergeRow } from "./table.ts";
import { finishUndo, undoWork } from "./undo_staged.ts";

/** Answers how many records are back where they were, and what stays as it is. */
export async function undoMerge(ctx: Context, id: string) {
  const { companyId } = ctx.caller;
  const moved = selectMoved(id, true);
  const [found, later, locked, changed, ...results] = await ctx.deps.db.read([
    selectMergeById(companyId, id),
    selectLaterMerge(companyId, id),
    sql`select 1 from merge_locks where merge_id = ${id} limit 1`,
    selectChanges(id, moved),
    ...selectUndone(id),
    ...restoreReads(companyId, id),
    ...selectFollowing(moved),
  ]);
  const kept = checkUndo(ctx, requireMerge(ctx, found!), { later: later!, locked: locked! });
  const back = bringBack(ctx, kept, results.slice(undoneCount, undoneCount + restoreCount));
  const { restored, kept: stays } = readUndone(results.slice(0, undoneCount));
  const answer = ok({ restored, kept: [...back.kept, ...stays] });
  const followers = results.slice(undoneCount + restoreCount);
  const isOpen = guardThat(
    "merge",
    sql`exists (select 1 from merges where id = ${id} and undone_at is null and root_id = entity_id)`,
  );
  const first = [
    isOpen,
    ...back.statements,
    sql`delete from merged_records where merge_id = ${id}`,
  ];
  if (!isLarge(followers)) {
    const followed = follow(ctx, followers, returning(changed!), back.customers);
    return await commit(ctx, {
      statements: [
        ...followed.guards,
        ...first,
        ...followed.statements,
        ...finishUndo(ctx, companyId, id, kept),
      ],
      events: [...back.events, ...followed.events],
      answer,
    });
  }
  const begun = await commit(ctx, {
    statements: [
      ...first,
      insertAll(mergeLocks, kept.subjects.map((record_id) => ({ record_id, merge_id: id }))),
      beginWork(ctx, undoWork, { company_id: companyId, subject: id }),
    ],
    events: back.events,
    answer,
  });
  const running = runStaged(ctx.deps, ctx.now, [undoWork], id);
  ctx.deps.background.run(() => running);
  // A job goes on with what is left; the answer is the same.
  await running.catch(() => undefined);
  return begun;
}

/** Throws 409 and 410. Returns what the undo needs. */
function checkUndo(
  ctx: Context,
  merge: MergeRow,
  { later, locked }: { readonly later: Result; readonly locked: Result },
): Kept {
  if (merge.undone_at !== null) throw conflict("merge_undone", "The merge is undone already.");
  if (locked.rows.length > 0) throw conflict("merge_running", "The records are being merged or moved back.");
  const since = formatTimestamp(ctx.now - lifetimes.merge);
  if (merge.kept === null || merge.created_at < since) {
    throw new Problem(410, "merge_expired", "A merge can be undone within 30 days.");
  }
  const covering = later.rows[0]?.id as string | undefined;
  if (covering !== undefined) {
    throw new Problem(409, "merge_covered", `The later merge ${covering} must be undone first.`, {
      members: { merge_id: covering },
    });
  }
  return JSON.parse(merge.kept) as Kept;
}

/** The latest merge since that took one of the records of this merge, or one that it has moved. */
function selectLaterMerge(companyId: number, id: string) {
  return sql`select l.id from merges m join merges l on l.company_id = ${companyId} and l.seq > m.seq
    where m.id = ${id} and l.undone_at is null and l.kept is not null and exists (
      select 1 from json_each(l.kept, '$.subjects') s where s.value in (
        select value from json_each(m.kept, '$.subjects') union select value from json_each(m.kept, '$.homes')
        union select r.row_id from merge_rows r where r.merge_id = m.id and r.table_name = 'contacts'))
    order by l.seq desc limit 1`;
}
