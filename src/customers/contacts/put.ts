import { requireRight } from "../../core/access.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { checkNoMatch } from "../../http/conditional.ts";
import { requireAccount, selectAccountById } from "../accounts/queries.ts";
import { refuseExternalId, requireEither } from "../external_id.ts";
import { createDecidedContact } from "./create.ts";
import type { ContactMoveEffects } from "./on_moved.ts";
import { readVisibleContact, selectContactByExternalId } from "./queries.ts";
import type { ContactPut } from "./record.ts";
import { selectContactUpdateFacts, updateDecidedContact } from "./update.ts";

/**
 * Creates (201) or updates (200) the account's contact with the external id. Throws 422 when a contact of
 * another account, or one that the caller does not see, has that external id.
 */
export async function putContact(
  ctx: Context,
  accountId: string,
  external_id: string,
  body: ContactPut,
  followers: ContactMoveEffects,
) {
  requireEither(ctx);
  const { companyId } = ctx.caller;
  const named =
    sql`(select id from contacts where company_id = ${companyId} and external_id = ${external_id})`;
  for (;;) {
    const [found, from, ...results] = await ctx.deps.db.read([
      selectContactByExternalId(companyId, external_id),
      selectAccountById(companyId, accountId),
      ...selectContactUpdateFacts(ctx, accountId, body, named, followers),
    ]);
    const account = requireAccount(ctx, from!);
    const before = readVisibleContact(ctx, found!);
    if (found!.rows.length > 0 && before?.account_id !== account.id) throw refuseExternalId();
    if (!before) {
      requireRight(ctx.caller, "customers.create");
      checkNoMatch(ctx);
      return await createDecidedContact(ctx, account, { ...body, external_id }, null, results.slice(2));
    }
    requireRight(ctx.caller, "customers.update");
    const answer = await updateDecidedContact(ctx, account, before, body, null, results, followers);
    if (answer) return answer;
  }
}
