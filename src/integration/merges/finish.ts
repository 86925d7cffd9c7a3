/** The last commit of a merge, or its only one. */
import { draftAccountEvent, removeAccount } from "../../customers/accounts/write.ts";
import { draftContactEvent, removeContacts } from "../../customers/contacts/write.ts";
import type { FieldAuthor } from "../../db/commit.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { guardVersions, sql } from "../../db/statements.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import { renewCaseActivity } from "../../sales/cases/last_activity.ts";
import type { Merged } from "./merged_records.ts";
import { moveAttached } from "./attached_records.ts";
import type { Followed } from "./follow.ts";
import { type Going, isNamedByNoLead } from "./moved_columns.ts";
import type { Pair } from "./pair.ts";
import { keepValues, type Renamed, rerootMerges } from "./kept.ts";

interface Finishing {
  readonly merge_id: string;
  readonly company_id: number;
  readonly pair: Pair;
  readonly going: Going;
  readonly after: Merged;
  readonly followed: Followed;
  /** The statements that make the row of the merge, or unlock the records. */
  readonly first: readonly Statement[];
}

/** Changes the records that stay, moves what is left, and removes those that go. */
export function finish(
  author: FieldAuthor,
  { merge_id, company_id, pair, going, after, followed, first }: Finishing,
): { readonly statements: Statement[]; readonly events: EventDraft[] } {
  const renamed = listRenamed(pair);
  const teamId = after.account?.account.team_id ?? after.contact?.contact.team_id ?? null;
  return {
    statements: [
      ...first,
      ...(pair.accounts ? [guardVersions("accounts", [pair.accounts.other])] : []),
      ...followed.guards,
      // The ids that other systems use are unique.
      ...renamed.map(freeExternalId),
      ...after.account?.statements ?? [],
      ...after.contact?.statements ?? [],
      ...followed.statements,
      ...keepValues(merge_id, followed.values),
      ...renamed.flatMap((each) => [
        ...moveAttached(merge_id, company_id, each),
        ...rerootMerges(merge_id, each, teamId),
      ]),
      sql`update merges set team_id = ${teamId} where id = ${merge_id}`,
      guardThat("leads", isNamedByNoLead(going)),
      ...(pair.contacts ? removeContacts(author, [pair.contacts.other]) : []),
      ...(pair.accounts ? removeAccount(author, pair.accounts.other.id) : []),
      ...renewCaseActivity({
        accounts: pair.accounts ? [pair.accounts.of.id] : [],
        contacts: pair.contacts ? [pair.contacts.of.id] : [],
      }),
    ],
    events: [
      ...(after.account ? [after.account.event] : []),
      ...(after.contact ? [after.contact.event] : []),
      ...followed.events,
      ...draftGoneEvents(author, pair),
    ],
  };
}

/** What becomes what. */
export function listRenamed({ accounts, contacts }: Pair): Renamed[] {
  return [
    ...(accounts ? [{ type: "account", from: accounts.other.id, into: accounts.of.id } as const] : []),
    ...(contacts ? [{ type: "contact", from: contacts.other.id, into: contacts.of.id } as const] : []),
  ];
}

function freeExternalId({ type, from }: Renamed): Statement {
  return type === "account"
    ? sql`update accounts set external_id = null where id = ${from} and external_id is not null`
    : sql`update contacts set external_id = null where id = ${from} and external_id is not null`;
}

/** The events of the records that go. */
function draftGoneEvents(author: FieldAuthor, { accounts, contacts }: Pair): EventDraft[] {
  const into = (event: EventDraft, merged_into: string): EventDraft => ({
    ...event,
    body: { ...event.body as object, merged_into },
  });
  return [
    ...(contacts
      ? [into(draftContactEvent("contact_deleted", contacts.other, author.fields), contacts.of.id)]
      : []),
    ...(accounts
      ? [into(draftAccountEvent("account_deleted", accounts.other, author.fields), accounts.of.id)]
      : []),
  ];
}
