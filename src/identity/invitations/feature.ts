import type { Feature } from "../../feature.ts";
import { invitationEndpoints } from "./routes.ts";
import { invitationReferences, invitations } from "./table.ts";
import { reindexedInvitations } from "../reindex.ts";

export const invitationsFeature: Feature = {
  folder: "identity/invitations",
  tables: [invitations],
  references: [invitationReferences],
  endpoints: invitationEndpoints,
  reindexed: [reindexedInvitations],
};
