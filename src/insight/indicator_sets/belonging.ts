/** Who may see and write an indicator set. */
import type { Caller, Member } from "../../core/access.ts";
import { notFound } from "../../core/errors.ts";
import type { Owner } from "../../identity/owners.ts";
import { checkMayWriteShared, seesShared } from "../../identity/sharing.ts";
import type { Result, Row } from "../../platform/database/database.ts";
import type { IndicatorSetRow } from "./record.ts";

/** A set as it is stored. */
export type IndicatorSet = IndicatorSetRow;

/** Its kind in messages. */
export const setKind = "an indicator set";

/** Returns the set; 404 when the caller does not see it. */
export function seenSet(caller: Caller, found: Result): IndicatorSetRow & Row {
  const set = found.rows[0] as (IndicatorSetRow & Row) | undefined;
  if (!set || !seesSet(caller, set)) throw notFound();
  return set;
}

/** Whether the caller sees the set. */
export function seesSet(caller: Member, set: Owner & Pick<IndicatorSetRow, "private" | "user_id">): boolean {
  return seesShared(caller, { record: set, maker: set.user_id });
}

/** Throws 403 unless the caller, who sees the set, may write it. `set` must be read with `factsOfOwner`. */
export function checkMayWriteSet(caller: Caller, set: IndicatorSetRow & Row): void {
  checkMayWriteShared(caller, { record: set }, set);
}
