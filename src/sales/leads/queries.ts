/** Reads of one lead. A deleted or expired lead is not found. */
import { seesLead } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { presentLead } from "./present.ts";
import { isExpired, leadColumns, type LeadRecord, readLeadRow } from "./parts.ts";

/** Returns 200 with the lead. */
export async function getLead(ctx: Context, id: string) {
  const [found] = await ctx.deps.db.read([selectLeadById(ctx.caller.companyId, id)]);
  return ok(presentLead(requireLead(ctx, found!), ctx.now, ctx.fields.seen));
}

/** The read of `requireLead`. */
export function selectLeadById(companyId: number | Sql, id: string): Statement {
  return sql`select ${leadColumns} from leads where leads.id = ${id} and leads.company_id = ${companyId}`;
}

/** Reads the leads of the ids for `readLeadRow`, without a check of visibility. */
export function selectLeadsByIds(companyId: number, ids: readonly string[]): Statement {
  return sql`select ${leadColumns} from leads where leads.id in (
    select value from json_each(${JSON.stringify(ids)})) and leads.company_id = ${companyId}`;
}

/** Throws 404 when the lead does not exist, is deleted or expired, or the caller does not see it. */
export function requireLead(ctx: Context, { rows: [row] }: Pick<Result, "rows">): LeadRecord {
  if (!row) throw notFound();
  const lead = readLeadRow(row);
  if (isExpired(lead, ctx.at) || !seesLead(ctx.caller, lead.row)) throw notFound();
  return lead;
}
