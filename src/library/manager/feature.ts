/** The file manager. */
import type { Feature } from "../../feature.ts";
import { folderDeletionWork } from "./delete_folder.ts";
import { managerEndpoints } from "./routes.ts";
import { strayUpload } from "./unknown_root.ts";

export const manager: Feature = {
  folder: "library/manager",
  endpoints: managerEndpoints,
  strays: [strayUpload],
  staged: [folderDeletionWork],
};
