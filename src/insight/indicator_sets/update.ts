/** Changes an indicator set. Scheduled reports that use it follow. */
import { ok } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import {
  checkBelonging,
  checkMayWrite,
  chooseBelongingAfter,
  guardOwner,
  guardOwnerOfRecord,
  isSameOwner,
  selectOwnerFacts,
} from "../../identity/owners.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { requireSeenSet, selectIndicatorSetById } from "./queries.ts";
import { makeChanges } from "../../records/members.ts";
import { type IndicatorSetChange, indicatorSets, presentSet, setKind, setMembers } from "./record.ts";

/** Returns the changed set. An absent member keeps its value. */
export async function updateIndicatorSet(ctx: Context, id: string, body: IndicatorSetChange) {
  const { caller, deps } = ctx;
  const { companyId } = caller;
  const [found, named] = await deps.db.read([
    selectIndicatorSetById(companyId, id),
    selectOwnerFacts(companyId, body),
  ]);
  const before = requireSeenSet(caller, found!);
  checkMayWrite(caller, before, before);
  checkMatch(ctx, () => presentSet(before));
  const owner = chooseBelongingAfter(before, body);
  const guards = guardOwnerOfRecord(caller, before);
  const isMoved = !isSameOwner(before, owner) || before.private !== owner.private;
  if (isMoved) {
    const facts = named!.rows[0]!;
    checkBelonging(caller, before.user_id, owner, facts, setKind);
    guards.push(guardOwner(companyId, owner, facts));
  }
  const set = {
    ...makeChanges(setMembers, body, before),
    ...owner,
    kept_for: isMoved ? null : before.kept_for ?? null,
    updated_at: ctx.at,
  };
  return await commit(ctx, {
    statements: [...guards, updateVersioned(indicatorSets, set, before), guardChanged("indicator_set")],
    answer: ok(presentSet({ ...before, ...set, version: before.version + 1 })),
  });
}
