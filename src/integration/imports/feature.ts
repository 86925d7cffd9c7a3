import { lifetimes } from "../../core/lifetimes.ts";
import type { Feature } from "../../feature.ts";
import { forgetImports } from "./expire.ts";
import { remembered } from "./forget_remembered.ts";
import { declareImportEndpoints } from "./routes.ts";
import { describeImportWork } from "./staged.ts";
import {
  importChangeReferences,
  importChanges,
  importErrorReferences,
  importErrors,
  importKept,
  importKeptReferences,
  importKeyReferences,
  importKeys,
  importReferences,
  imports,
} from "./table.ts";

export const importsFeature: Feature = {
  folder: "integration/imports",
  tables: [imports, importErrors, importChanges, importKeys, importKept],
  references: [
    importReferences,
    importErrorReferences,
    importChangeReferences,
    importKeyReferences,
    importKeptReferences,
  ],
  lifetimes: [
    { table: "imports", columns: ["removed_at"], longest: { ms: lifetimes.import, from: "created_at" } },
    { table: "imports", columns: ["expires_at"], longest: { ms: lifetimes.importUndo, from: "now" } },
  ],
  triggers: ["triggers.ts"],
  endpoints: (all) => declareImportEndpoints(describeImportWork(all)),
  staged: (all) => [describeImportWork(all), remembered],
  jobs: { ends: { forgetImports } },
};
