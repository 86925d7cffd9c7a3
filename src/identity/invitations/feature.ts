import { lifetimes } from "../../core/lifetimes.ts";
import { stepRows } from "../../db/expiry.ts";
import type { Feature } from "../../feature.ts";
import { invitationEndpoints } from "./routes.ts";
import { invitationReferences, invitations } from "./table.ts";
import { reindexedInvitations } from "../reindex.ts";

export const invitationsFeature: Feature = {
  folder: "identity/invitations",
  tables: [invitations],
  references: [invitationReferences],
  lifetimes: [
    {
      table: "invitations",
      columns: ["expires_at"],
      longest: { ms: lifetimes.invitation, from: "created_at" },
      step: stepRows,
    },
  ],
  endpoints: invitationEndpoints,
  reindexed: [reindexedInvitations],
};
