/** Updates a consumer's account without a name when the name of its contact changes. */
import type { FieldAuthor } from "../../db/commit.ts";
import type { EventDraft } from "../../db/outbox.ts";
import type { Statement } from "../../platform/database/database.ts";
import { displayName, showsContact } from "../accounts/display_name.ts";
import type { AccountFacts } from "../accounts/present.ts";
import { changeAccount } from "../accounts/write.ts";

/**
 * Returns the account as it is when its contact has this name (null: no contact), with the statements and
 * events of the change.
 */
export function changeContactName(
  author: FieldAuthor,
  account: AccountFacts,
  contact_name: string | null,
): { account: AccountFacts; statements: Statement[]; events: EventDraft[] } {
  if (!showsContact(account) || displayName(account) === displayName({ name: null, contact_name })) {
    return { account, statements: [], events: [] };
  }
  const { account: after, statements, event } = changeAccount(author, account, {}, { contact_name });
  return { account: after, statements, events: [event] };
}
