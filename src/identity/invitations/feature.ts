import type { Feature } from "../../feature.ts";
import { invitationReferences, invitations } from "../tables/invitations.ts";
import { invitationEndpoints } from "./routes.ts";

export const invitationsFeature: Feature = {
  folder: "identity/invitations",
  tables: [invitations],
  references: [invitationReferences],
  endpoints: invitationEndpoints,
};
