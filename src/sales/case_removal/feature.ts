/** Deletes cases. */
import type { Feature } from "../../feature.ts";
import { caseRemovalWork } from "./delete.ts";

export const caseRemovalFeature: Feature = {
  folder: "sales/case_removal",
  staged: [caseRemovalWork],
};
