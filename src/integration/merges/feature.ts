import type { Feature } from "../../feature.ts";
import { forgetMerges } from "./expire.ts";
import { mergeEndpoints } from "./routes.ts";
import {
  mergedRecordReferences,
  mergedRecords,
  mergeReferences,
  mergeRowReferences,
  mergeRows,
  merges,
} from "./table.ts";

export const mergesFeature: Feature = {
  folder: "integration/merges",
  tables: [merges, mergeRows, mergedRecords],
  references: [mergeReferences, mergeRowReferences, mergedRecordReferences],
  triggers: ["triggers.ts"],
  endpoints: mergeEndpoints,
  jobs: { ends: { forgetMerges } },
};
