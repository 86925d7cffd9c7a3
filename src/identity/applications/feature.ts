import type { Feature } from "../../feature.ts";
import { applicationReferences, applications } from "../tables/applications.ts";
import { applicationReassignment } from "./deletion.ts";
import { applicationEndpoints } from "./routes.ts";

export const applicationsFeature: Feature = {
  folder: "identity/applications",
  tables: [applications],
  references: [applicationReferences],
  triggers: ["triggers.ts"],
  endpoints: applicationEndpoints,
  userDeletion: [applicationReassignment],
};
