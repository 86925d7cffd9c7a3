import type { Feature } from "../../feature.ts";
import { indicatorSetReferences, indicatorSets } from "./record.ts";
import { declareIndicatorSetEndpoints } from "./routes.ts";

export const indicatorSetsFeature: Feature = {
  folder: "insight/indicator_sets",
  tables: [indicatorSets],
  references: [indicatorSetReferences],
  triggers: ["triggers.ts"],
  endpoints: ({ blockers }) => declareIndicatorSetEndpoints(blockers("indicator_set")),
};
