/** A merge of many records, in steps: each moves some of them, and the last one merges the two. */
import { readContactRow } from "../../customers/contacts/present.ts";
import { guardVersions, sql } from "../../db/statements.ts";
import type { StagedKind } from "../../staged/kind.ts";
import { customersBefore, mergeRecords } from "./merged_records.ts";
import { finish, listRenamed } from "./finish.ts";
import { follow, selectFollowing } from "./follow.ts";
import { type Going, isLarge, limitFollowers, pairIds, renaming, selectFollowers } from "./moved_columns.ts";
import { pairCount, readStoredPair, selectPair } from "./pair.ts";
import { keepValues } from "./kept.ts";
import type { MergedType } from "./table.ts";
import type { Take } from "./take.ts";

/** The input of the work. */
interface Merging {
  readonly type: MergedType;
  readonly id: string;
  readonly from_id: string;
  readonly take: Take;
}

export const mergeWork: StagedKind = {
  kind: "merge",
  step({ company_id, subject: merge_id, payload }) {
    const { type, id, from_id, take } = JSON.parse(payload) as Merging;
    const ids = pairIds(type, company_id, id, from_id);
    const going: Going = { account_id: ids.account.from, contact_id: ids.contact.from };
    const unlock = sql`delete from merge_locks where merge_id = ${merge_id}`;
    return {
      reads: [...selectPair(company_id, ids), ...selectFollowing(limitFollowers(selectFollowers(going)))],
      apply(author, results) {
        const pair = readStoredPair(type, results.slice(0, pairCount));
        // Both are locked, so this happens only when their company is erased.
        if (!pair) return { statements: [unlock], events: [], more: false };
        const found = results.slice(pairCount);
        const renames = renaming(new Map(listRenamed(pair).map(({ from, into }) => [from, into])));
        if (isLarge(found)) {
          const followed = follow(author, found, renames, customersBefore(pair));
          return {
            statements: [
              guardVersions("accounts", pair.accounts ? [pair.accounts.of] : []),
              guardVersions("contacts", pair.contacts ? [pair.contacts.of] : []),
              ...followed.guards,
              ...followed.statements,
              ...keepValues(merge_id, followed.values),
            ],
            events: followed.events,
            more: true,
          };
        }
        const after = mergeRecords(author, type, pair, take, found[0]!.rows.map(readContactRow));
        const followed = follow(author, found, renames, after.customers);
        const first = [unlock];
        return {
          ...finish(author, { merge_id, company_id, pair, going, after, followed, first }),
          more: false,
        };
      },
    };
  },
};
