import type { FieldAuthor } from "../../db/commit.ts";
import type { AccountFacts } from "../../customers/accounts/present.ts";
import type { Parting } from "../../identity/teams/legacy.ts";
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
export function handCase(
  author: FieldAuthor,
  before: FullCase,
  { team_id }: Parting,
  heir: TeamFacts,
  { accounts, leads, paths }: HandedBefore,
): CaseWrite {
  const { account, contact, lead } = before;
  const moved = accounts.get(account.id);
  return changedCase(author, before, { team_id: heir.id }, {
    team: heir,
    account: moved ? { ...moved, account_team: heir } : account,
    contact: contact.team_id === team_id ? { ...contact, team_id: heir.id, contact_team: heir } : contact,
    lead: lead && leads.has(lead.id) ? { ...lead, updated_at: author.at } : lead,
    path_version: before.path_version + (paths.has(before.relations_path_id) ? 1 : 0),
  });
}
