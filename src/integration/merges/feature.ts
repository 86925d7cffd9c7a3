import type { Feature } from "../../feature.ts";
import { forgetMerges } from "./expire.ts";
import { mergeEndpoints } from "./routes.ts";
import { mergeWork } from "./staged.ts";
import {
  mergedRecordReferences,
  mergedRecords,
  mergeLockReferences,
  mergeLocks,
  mergeReferences,
  mergeRowReferences,
  mergeRows,
  merges,
} from "./table.ts";
import { undoWork } from "./undo_staged.ts";

export const mergesFeature: Feature = {
  folder: "integration/merges",
  tables: [merges, mergeRows, mergedRecords, mergeLocks],
  references: [mergeReferences, mergeRowReferences, mergedRecordReferences, mergeLockReferences],
  triggers: ["triggers.ts"],
  endpoints: mergeEndpoints,
  staged: [mergeWork, undoWork],
  jobs: { ends: { forgetMerges } },
};
