import type { Feature } from "../../feature.ts";
import { describeCaseFields } from "./filter_fields.ts";
import { selectCaseNotice } from "./notice.ts";
import { caseEndpoints } from "./routes.ts";
import {
  caseMilestoneReferences,
  caseMilestones,
  caseNumbers,
  caseReferences,
  cases,
  caseStatusChangeReferences,
  caseStatusChanges,
} from "./record.ts";

export const casesFeature: Feature = {
  folder: "sales/cases",
  tables: [cases, caseNumbers, caseMilestones, caseStatusChanges],
  references: [caseReferences, caseMilestoneReferences, caseStatusChangeReferences],
  triggers: ["triggers.ts", "facts.ts"],
  endpoints: caseEndpoints,
  notices: { case: selectCaseNotice },
  filterFields: describeCaseFields,
};
