/** Paths of users name their company. */
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";

/** Throws 404 for another company. */
export function checkCompany(ctx: Context, companyId: number): void {
  if (companyId !== ctx.caller.companyId) throw notFound();
}
