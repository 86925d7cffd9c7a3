/** What a case may take by itself: its tasks, product details and latest activity, not its account and contact. */
import { checkRecordSize, isLarger, recordBudget } from "../../core/budgets.ts";
import { type Moment, presentCaseEntry } from "./present.ts";
import type { FullCase } from "./record.ts";
import type { CaseWrite } from "./write.ts";

/** Throws 422 `max` at `path` for a case that grows beyond the budget of a record. */
export function checkCaseSize(moment: Moment, before: FullCase, after: CaseWrite, path: string): void {
  // The whole is seldom so large, and it is there already.
  if (!isLarger(after.event.body.text, recordBudget)) return;
  checkRecordSize(presentCaseEntry(after.of, moment), path, () => presentCaseEntry(before, moment));
}
