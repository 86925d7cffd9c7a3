import { lifetimes } from "../../core/lifetimes.ts";
import type { Feature } from "../../feature.ts";
import { exportDeletion } from "./deletion.ts";
import { removeOldExports } from "./expire.ts";
import { makeExports } from "./make.ts";
import { exportEndpoints } from "./routes.ts";
import { exportReferences, exportRowReferences, reportExportRows, reportExports } from "./table.ts";

export const exportsFeature: Feature = {
  folder: "insight/exports",
  tables: [reportExports, reportExportRows],
  references: [exportReferences, exportRowReferences],
  lifetimes: [
    {
      table: "report_exports",
      columns: ["expires_at"],
      longest: { ms: lifetimes.reportExport, from: "created_at" },
    },
  ],
  endpoints: exportEndpoints,
  jobs: { send: { makeExports: (deps) => makeExports(deps) }, ends: { removeOldExports } },
  userDeletion: [exportDeletion],
};
