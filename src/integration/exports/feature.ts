import { lifetimes } from "../../core/lifetimes.ts";
import type { Feature } from "../../feature.ts";
import { exportDeletion } from "./deletion.ts";
import { removeOldRecordExports } from "./expire.ts";
import { beginFiles } from "./make.ts";
import { declareRecordExportEndpoints } from "./routes.ts";
import { exportReferences, exports } from "./table.ts";

export const recordExportsFeature: Feature = {
  folder: "integration/exports",
  tables: [exports],
  references: [exportReferences],
  lifetimes: [
    {
      table: "exports",
      columns: ["expires_at"],
      longest: { ms: lifetimes.recordExport, from: "created_at" },
    },
  ],
  endpoints: ({ filterFields }) => declareRecordExportEndpoints(filterFields),
  jobs: ({ filterFields }) => ({
    send: { beginFiles: (deps) => Promise.resolve(beginFiles(deps, filterFields)) },
    ends: { removeOldRecordExports },
  }),
  userDeletion: [exportDeletion],
};
