import type { Feature } from "../../feature.ts";
import { recentOfUsers } from "./deletion.ts";
import { recentEndpoints } from "./routes.ts";
import { recentRecords, recentReferences } from "./table.ts";

export const recentFeature: Feature = {
  folder: "console/recent",
  tables: [recentRecords],
  references: [recentReferences],
  userDeletion: [recentOfUsers],
  endpoints: recentEndpoints,
};
