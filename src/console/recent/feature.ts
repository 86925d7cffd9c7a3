import type { Feature } from "../../feature.ts";
import { recentEndpoints } from "./routes.ts";
import { recentRecords, recentReferences } from "./table.ts";

export const recentFeature: Feature = {
  folder: "console/recent",
  tables: [recentRecords],
  references: [recentReferences],
  endpoints: recentEndpoints,
};
