import type { FieldAuthor } from "../../db/commit.ts";
import type { EventDraft } from "../../db/outbox.ts";
import type { AccountFacts } from "../../customers/accounts/present.ts";
import type { TeamDeletion } from "../../identity/teams/deletion.ts";
import type { TeamFacts } from "../../identity/teams/queries.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { changeLead, makeLeadEvents } from "../leads/write.ts";
import { type LeadRecord, readLeadRow } from "../leads/parts.ts";
import { guardMember } from "../leads/access.ts";
import { reassignLeadType } from "./types_of_teams.ts";

export interface LeadReassignment {
  readonly lead: LeadRecord;
  readonly statements: readonly Statement[];
  /** An expired lead has no event. */
  readonly events: readonly EventDraft[];
}

/**
 * Moves a lead of a deleted team or agency to the successor, with its state and countdown. A user who does
 * not belong to the successor is removed. `accounts` are those that move before it in the same batch.
 */
export function reassignLead(
  author: FieldAuthor,
  { stays, ...selected }: Row,
  deletion: TeamDeletion,
  successor: TeamFacts,
  accounts: ReadonlyMap<string, AccountFacts>,
): LeadReassignment {
  const before = readLeadRow(selected);
  const { row, account, original_account } = before;
  const own = row.team_id === deletion.team_id;
  const agency = row.agency_team_id === deletion.team_id;
  const after = (of: AccountFacts | null) => (of && accounts.get(of.id)) ?? of;
  const { lead, statements } = changeLead(author, before, {
    team_id: own ? successor.id : row.team_id,
    agency_team_id: agency ? successor.id : row.agency_team_id,
    user_id: own && stays !== 1 ? null : row.user_id,
  }, {
    ...(own ? { team: successor } : {}),
    type: reassignLeadType(author, before.type, deletion),
    account: after(account),
    original_account: after(original_account),
  });
  const keeps = own && row.user_id !== null && stays === 1;
  return {
    lead,
    statements: [...(keeps ? [guardMember(row.user_id!, successor)] : []), ...statements],
    events: makeLeadEvents(author, "lead_updated", lead),
  };
}
