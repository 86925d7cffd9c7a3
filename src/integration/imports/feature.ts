import type { Feature } from "../../feature.ts";
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
  triggers: ["triggers.ts"],
};
