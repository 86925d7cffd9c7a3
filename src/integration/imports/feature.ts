import { lifetimes } from "../../core/lifetimes.ts";
import type { Feature } from "../../feature.ts";
import { forgetImports } from "./expire.ts";
import { remembered } from "./forget_remembered.ts";
import { importEndpoints } from "./routes.ts";
import { importWork } from "./staged.ts";
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
  endpoints: (all) => importEndpoints(importWork(all)),
  staged: (all) => [importWork(all), remembered],
  jobs: { ends: { forgetImports } },
};
