import type { Feature } from "../../feature.ts";
import { folderFileEndpoints } from "./routes.ts";

export const folderFiles: Feature = {
  folder: "library/folder_files",
  endpoints: folderFileEndpoints,
};
