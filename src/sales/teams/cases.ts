import type { FieldAuthor } from "../../db/commit.ts";
import type { AccountFacts } from "../../customers/accounts/present.ts";
import type { TeamDeletion } from "../../identity/teams/deletion.ts";
import type { TeamFacts } from "../../identity/teams/queries.ts";
import type { FullCase } from "../cases/record.ts";
import { type CaseWrite, changedCase } from "../cases/write.ts";

/** What goes to the heir before the cases of the same batch: accounts as they are then, and ids. */
export interface HandedBefore {
  readonly accounts: ReadonlyMap<string, AccountFacts>;
  readonly leads: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
}

/** A case of a deleted team, open or not, goes to the heir; its user stays. */
export function reassignCase(
  author: FieldAuthor,
  before: FullCase,
  parting: TeamDeletion,
  heir: TeamFacts,
  handed: HandedBefore,
): CaseWrite {
  const { lead } = before;
  return changedCase(author, before, { team_id: heir.id }, {
    ...handedBeside(before, parting, heir, handed),
    team: heir,
    lead: lead && handed.leads.has(lead.id) ? { ...lead, updated_at: author.at } : lead,
  });
}

/** What a case shows of what goes to the heir in the same batch, before it. */
export function handedBeside(
  { account, contact, path_version, relations_path_id }: FullCase,
  { team_id }: TeamDeletion,
  heir: TeamFacts,
  { accounts, paths }: HandedBefore,
): Partial<FullCase> {
  const moved = accounts.get(account.id);
  return {
    account: moved ? { ...moved, account_team: heir } : account,
    contact: contact.team_id === team_id ? { ...contact, team_id: heir.id, contact_team: heir } : contact,
    path_version: path_version + (paths.has(relations_path_id) ? 1 : 0),
  };
}
