/** Presents invitations. */
import { formatTimestamp } from "../../core/time.ts";
import type { InvitationFacts } from "./queries.ts";

export function presentInvitation(invitation: InvitationFacts) {
  const { id, email, role_ids, team_ids, created_by, created_at, updated_at } = invitation;
  return {
    id: id ?? 0,
    email,
    role_ids,
    team_ids,
    user_id: created_by,
    expires_at: formatTimestamp(invitation.expires_at),
    created_at,
    updated_at,
  };
}
