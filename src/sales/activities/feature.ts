import type { Feature } from "../../feature.ts";
import { declareActivityEndpoints } from "./routes.ts";
import { activities, activityReferences } from "./table.ts";
import { reindexedProductLines } from "../reindex.ts";

export const activitiesFeature: Feature = {
  folder: "sales/activities",
  tables: [activities],
  references: [activityReferences],
  triggers: ["facts.ts"],
  endpoints: ({ correspondence }) => declareActivityEndpoints(correspondence),
  reindexed: [reindexedProductLines],
};
