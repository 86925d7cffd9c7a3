import type { Feature } from "../../feature.ts";
import { filesOfCasesWork } from "../shown_in_cases.ts";
import {
  attachmentReferences,
  attachments,
  filePermissionReferences,
  filePermissions,
  fileReferences,
  files,
  fileTotalReferences,
  fileTotals,
  fileUsage,
  folderContents,
  folderReferences,
  folders,
} from "../table.ts";
import { fileEndpoints } from "./routes.ts";
import { fileOperations, serveFiles } from "./serve.ts";
import { reindexedFiles, reindexedFolders } from "../reindex.ts";

export const filesFeature: Feature = {
  folder: "library/files",
  tables: [folders, files, filePermissions, fileTotals, attachments, fileUsage, folderContents],
  references: [
    folderReferences,
    fileReferences,
    filePermissionReferences,
    fileTotalReferences,
    attachmentReferences,
  ],
  triggers: ["../triggers.ts"],
  endpoints: fileEndpoints,
  reindexed: [reindexedFolders, reindexedFiles],
  routes: [{ serve: serveFiles, operations: fileOperations }],
  staged: [filesOfCasesWork],
};
