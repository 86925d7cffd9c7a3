/** The undo of a merge of many records, in steps: each moves some of them back, and the last one ends the merge. */
import { guardVersions, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { renewCaseActivity } from "../../sales/cases/last_activity.ts";
import type { StagedKind } from "../../staged/kind.ts";
import { returnAttached } from "./attached_records.ts";
import { follow, selectFollowing } from "./follow.ts";
import { isLarge } from "./moved_columns.ts";
import { forgetValues, returning, selectChanges, selectMoved } from "./moved_records.ts";
import type { Kept } from "./kept.ts";
import { customersNow, restoreCount, restoreReads } from "./restore.ts";

/** Its subject is the merge, whose records are there again and locked. */
export const undoWork: StagedKind = {
  kind: "merge_undo",
  step({ company_id, subject: id }) {
    const moved = selectMoved(id, true);
    return {
      reads: [
        sql`select kept from merges where id = ${id} and company_id = ${company_id} and undone_at is null`,
        selectChanges(id, moved),
        ...restoreReads(company_id, id),
        ...selectFollowing(moved),
      ],
      apply(author, [merge, changed, ...results]) {
        const kept = merge!.rows[0]?.kept;
        // The records are locked, so this happens only when their company is erased.
        if (typeof kept !== "string") {
          return { statements: [unlock(id)], events: [], more: false };
        }
        const { customers, accounts, contacts } = customersNow(results.slice(0, restoreCount));
        const followers = results.slice(restoreCount);
        const followed = follow(author, followers, returning(changed!), customers);
        const more = isLarge(followers);
        return {
          statements: [
            guardVersions("accounts", accounts),
            guardVersions("contacts", contacts),
            ...followed.guards,
            ...followed.statements,
            ...more
              ? forgetValues(id, followed.values)
              : finishUndo(author, company_id, id, JSON.parse(kept) as Kept),
          ],
          events: followed.events,
          more,
        };
      },
    };
  },
};

/** The last statements of an undo: what moves without events, and the end of the merge. */
export function finishUndo(
  { at }: { readonly at: string },
  companyId: number,
  id: string,
  { subjects, homes }: Kept,
): Statement[] {
  return [
    unlock(id),
    ...returnAttached(id, companyId),
    sql`delete from merge_rows where merge_id = ${id}`,
    sql`update merges set undone_at = ${at}, kept = null where id = ${id}`,
    ...renewCaseActivity({ accounts: [...subjects, ...homes], contacts: subjects }),
  ];
}

function unlock(id: string): Statement {
  return sql`delete from merge_locks where merge_id = ${id}`;
}
