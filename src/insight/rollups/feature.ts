import type { Feature } from "../../feature.ts";
import { rollUpFacts } from "./run.ts";
import { factRollupReach, factRollups, rollupReferences } from "./table.ts";

export const rollups: Feature = {
  folder: "insight/rollups",
  tables: [factRollups, factRollupReach],
  references: [rollupReferences],
  triggers: ["triggers.ts", "../deleted_names.ts"],
  jobs: { count: { rollUpFacts: (deps) => rollUpFacts(deps) } },
};
