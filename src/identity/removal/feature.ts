/** Deletes teams and roles. */
import type { Feature } from "../../feature.ts";
import { identityRemovalEndpoints } from "./routes.ts";

export const identityRemoval: Feature = {
  folder: "identity/removal",
  endpoints: ({ teamDeletion }) => identityRemovalEndpoints(teamDeletion),
};
