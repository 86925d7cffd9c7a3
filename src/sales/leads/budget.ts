/** What a lead may take by itself: its details, what it carries and its moves, not the records that it shows. */
import { checkRecordSize, isLarger, recordBudget } from "../../core/budgets.ts";
import type { Json } from "../../core/json.ts";
import type { Lead } from "./record.ts";

/** Throws 422 `max` at `path` for a lead, shown as `shown`, that grows beyond the budget of a record. */
export function checkLeadSize(before: Lead | null, after: Lead, shown: Json, path: string): void {
  if (!isLarger(shown.text, recordBudget)) return;
  checkRecordSize(ownOf(after), path, before && (() => ownOf(before)));
}

function ownOf({ row, moves }: Lead): { readonly text: string } {
  const { interest, lead_source, lead_user, product_ids, lead_data, account, contact } = row;
  return {
    text: JSON.stringify([interest, lead_source, lead_user, moves]) + product_ids + lead_data + account +
      contact,
  };
}
