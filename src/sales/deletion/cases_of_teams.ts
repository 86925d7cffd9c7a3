import type { FieldAuthor } from "../../db/commit.ts";
import type { AccountFacts } from "../../customers/accounts/present.ts";
import type { TeamDeletion } from "../../identity/teams/deletion.ts";
import type { TeamFacts } from "../../identity/teams/queries.ts";
import type { FullCase } from "../cases/parts.ts";
import { type CaseWrite, changeCase } from "../cases/write.ts";

/**
 * Records that move to the successor before the cases of the same batch: the accounts after the move, by id,
 * and the ids of leads and relations paths.
 */
export interface ReassignedBefore {
  readonly accounts: ReadonlyMap<string, AccountFacts>;
  readonly leads: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
}

/** Moves a case of a deleted team to the successor, in any status. Its user stays. */
export function reassignCase(
  author: FieldAuthor,
  before: FullCase,
  deletion: TeamDeletion,
  successor: TeamFacts,
  reassigned: ReassignedBefore,
): CaseWrite {
  const { lead } = before;
  return changeCase(author, before, { team_id: successor.id }, {
    ...reassignShownRecords(before, deletion, successor, reassigned),
    team: successor,
    lead: lead && reassigned.leads.has(lead.id) ? { ...lead, updated_at: author.at } : lead,
  });
}

/** Returns the parts of a case that show records which move to the successor before it, in the same batch. */
export function reassignShownRecords(
  { account, contact, path_version, relations_path_id }: FullCase,
  { team_id }: TeamDeletion,
  successor: TeamFacts,
  { accounts, paths }: ReassignedBefore,
): Partial<FullCase> {
  const moved = accounts.get(account.id);
  return {
    account: moved ? { ...moved, account_team: successor } : account,
    contact: contact.team_id === team_id
      ? { ...contact, team_id: successor.id, contact_team: successor }
      : contact,
    path_version: path_version + (paths.has(relations_path_id) ? 1 : 0),
  };
}
