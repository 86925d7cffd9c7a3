/** Deletes cases. */
import type { Feature } from "../../feature.ts";
import { caseRemovalWork } from "./delete.ts";
import { caseRemovalEndpoints } from "./routes.ts";

export const caseRemovalFeature: Feature = {
  folder: "sales/case_removal",
  endpoints: caseRemovalEndpoints,
  staged: [caseRemovalWork],
};
