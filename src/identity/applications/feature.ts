import type { Feature } from "../../feature.ts";
import { applicationReassignment } from "./deletion.ts";
import { applicationEndpoints } from "./routes.ts";
import { applicationReferences, applications } from "./table.ts";

export const applicationsFeature: Feature = {
  folder: "identity/applications",
  tables: [applications],
  references: [applicationReferences],
  triggers: ["triggers.ts"],
  endpoints: applicationEndpoints,
  userDeletion: [applicationReassignment],
};
