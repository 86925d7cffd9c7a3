import { requireRight } from "../../core/access.ts";
import type { Context } from "../../db/context.ts";
import { checkNoMatch } from "../../http/conditional.ts";
import { refuseExternalId, requireEither } from "../external_id.ts";
import { createDecidedAccount } from "./create.ts";
import { readVisibleAccount, selectAccountByExternalId, selectAccountIdByExternalId } from "./queries.ts";
import type { AccountPut } from "./record.ts";
import { selectAccountUpdateFacts, updateDecidedAccount } from "./update.ts";

/**
 * Creates (201) or updates (200) the account with the external id. Throws 422 when an account that the caller
 * does not see has that external id.
 */
export async function putAccount(ctx: Context, external_id: string, body: AccountPut) {
  requireEither(ctx);
  const { companyId } = ctx.caller;
  const [found, ...results] = await ctx.deps.db.read([
    selectAccountByExternalId(companyId, external_id),
    ...selectAccountUpdateFacts(ctx, selectAccountIdByExternalId(companyId, external_id), body),
  ]);
  const before = readVisibleAccount(ctx, found!);
  if (found!.rows.length > 0 && !before) throw refuseExternalId();
  if (before) {
    requireRight(ctx.caller, "customers.update");
    return await updateDecidedAccount(ctx, before, body, null, results);
  }
  requireRight(ctx.caller, "customers.create");
  checkNoMatch(ctx);
  return await createDecidedAccount(ctx, { ...body, external_id }, null, results.slice(1));
}
