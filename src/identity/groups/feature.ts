import type { Feature } from "../../feature.ts";
import { groupEndpoints } from "./routes.ts";
import { groups } from "./table.ts";

export const groupsFeature: Feature = {
  folder: "identity/groups",
  tables: [groups],
  triggers: ["triggers.ts"],
  endpoints: ({ groupDeletion }) => groupEndpoints(groupDeletion),
};
