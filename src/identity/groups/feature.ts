import type { Feature } from "../../feature.ts";
import { groups } from "./record.ts";
import { declareGroupEndpoints } from "./routes.ts";

export const groupsFeature: Feature = {
  folder: "identity/groups",
  tables: [groups],
  triggers: ["triggers.ts"],
  endpoints: ({ groupDeletion }) => declareGroupEndpoints(groupDeletion),
};
