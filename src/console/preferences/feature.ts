import type { Feature } from "../../feature.ts";
import { preferencesOfUsers } from "./deletion.ts";
import { preferenceEndpoints } from "./routes.ts";
import { preferenceReferences, preferences } from "./table.ts";

export const preferencesFeature: Feature = {
  folder: "console/preferences",
  tables: [preferences],
  references: [preferenceReferences],
  userDeletion: [preferencesOfUsers],
  endpoints: preferenceEndpoints,
};
