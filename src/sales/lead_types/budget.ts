/** The budgets of a lead type: of its relations paths together, and of its own data. */
import { checkRecordSize, leadTypeBudget, pathsBudget } from "../../core/budgets.ts";
import { toJson } from "../../core/json.ts";
import { fieldError, invalid } from "../../core/errors.ts";
import { explainPathsTooLarge } from "../relations_paths/lead_types.ts";
import { type LeadTypeRecord, presentLeadType } from "./record.ts";

/** Throws 422 `max` for a lead type that grows beyond a budget. */
export function checkLeadType(after: LeadTypeRecord, before: LeadTypeRecord | null): void {
  const own = (type: LeadTypeRecord) => toJson(presentLeadType({ ...type, relations_paths: [] }));
  checkRecordSize(own(after), "team_settings", before && (() => own(before)), leadTypeBudget);
  const size = sumPathBytes(after);
  if (size <= pathsBudget || (before && size <= sumPathBytes(before))) return;
  throw invalid(fieldError("relations_path_ids", "max", explainPathsTooLarge(size)));
}

/** Returns the size of all paths in bytes. The guards on the versions of the paths also guard their sizes. */
function sumPathBytes({ relations_paths }: LeadTypeRecord): number {
  return relations_paths.reduce((total, { bytes }) => total + bytes, 0);
}
