/** The name that a consumer's account shows. */
import type { Context } from "../../db/context.ts";
import type { EventDraft } from "../../db/outbox.ts";
import type { Statement } from "../../platform/database/database.ts";
import { type AccountFacts, accountName } from "../accounts/present.ts";
import { changedAccount } from "../accounts/write.ts";

/** A consumer's account without a name shows its contact's: when that moves, so does the account. */
export function shownName(
  ctx: Context,
  account: AccountFacts,
  contact_name: string | null,
): { statements: Statement[]; events: EventDraft[] } {
  if (account.b2c === 0 || account.name !== null || accountName(account) === contact_name) {
    return { statements: [], events: [] };
  }
  const { statements, event } = changedAccount(ctx, account, {}, { contact_name });
  return { statements, events: [event] };
}
