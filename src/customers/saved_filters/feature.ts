import type { Feature } from "../../feature.ts";
import { declareSavedFilterEndpoints } from "./routes.ts";
import { savedFilterStops, stopSavedFilters } from "./stop.ts";
import { savedFilterReferences, savedFilters } from "./table.ts";

export const savedFiltersFeature: Feature = {
  folder: "customers/saved_filters",
  tables: [savedFilters],
  references: [savedFilterReferences],
  triggers: ["facts.ts"],
  endpoints: ({ filterFields }) => declareSavedFilterEndpoints(filterFields),
  stopFilters: stopSavedFilters,
  stops: savedFilterStops,
};
