import type { Feature } from "../../feature.ts";
import { declarePathEndpoints } from "./routes.ts";
import { activityTypeReferences, activityTypes, relationsPathReferences, relationsPaths } from "./table.ts";

export const relationsPathsFeature: Feature = {
  folder: "sales/relations_paths",
  tables: [relationsPaths, activityTypes],
  references: [relationsPathReferences, activityTypeReferences],
  triggers: ["triggers.ts"],
  endpoints: ({ blockers }) => declarePathEndpoints(blockers("relations_path")),
};
