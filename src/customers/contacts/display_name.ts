/** A consumer's account without a name changes with the name of its contact. */
import type { Context } from "../../db/context.ts";
import type { EventDraft } from "../../db/outbox.ts";
import type { Statement } from "../../platform/database/database.ts";
import { displayName, showsContact } from "../accounts/display_name.ts";
import type { AccountFacts } from "../accounts/present.ts";
import { changedAccount } from "../accounts/write.ts";

/** The account as it is once its contact has this name (null: it has no contact), and what makes it so. */
export function withContactName(
  ctx: Context,
  account: AccountFacts,
  contact_name: string | null,
): { account: AccountFacts; statements: Statement[]; events: EventDraft[] } {
  if (!showsContact(account) || displayName(account) === displayName({ name: null, contact_name })) {
    return { account, statements: [], events: [] };
  }
  const { account: after, statements, event } = changedAccount(ctx, account, {}, { contact_name });
  return { account: after, statements, events: [event] };
}
