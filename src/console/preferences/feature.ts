import type { Feature } from "../../feature.ts";
import { preferenceEndpoints } from "./routes.ts";
import { preferenceReferences, preferences } from "./table.ts";

export const preferencesFeature: Feature = {
  folder: "console/preferences",
  tables: [preferences],
  references: [preferenceReferences],
  endpoints: preferenceEndpoints,
};
