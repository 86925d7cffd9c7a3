/** Reads of companies. */
import { and, eq, isNull } from "drizzle-orm";
import { notFound } from "../../core/errors.ts";
import { listBlockers } from "../../db/blockers.ts";
import type { Context } from "../../db/context.ts";
import { drizzle, type Param, prepareQuery } from "../../db/prepared_statements.ts";
import type { Result } from "../../platform/database/database.ts";
import { companies, companyReferences, type CompanyRow } from "./table.ts";

export type CompanyFacts = CompanyRow;

/** The company, unless it is deleted. */
export const companyById = prepareQuery((id: Param<number>) =>
  drizzle.select().from(companies).where(and(eq(companies.id, id), isNull(companies.deleted_at)))
);

/** Throws 404 unless the company is the caller's. */
export function checkOwn(ctx: Context, id: number): void {
  if (id !== ctx.caller.companyId) throw notFound();
}

/** Returns the caller's company; throws 404 for another. */
export async function readOwnCompany(ctx: Context, id: number): Promise<CompanyFacts> {
  checkOwn(ctx, id);
  const [found] = await ctx.deps.db.read([companyById(id)]);
  return readOwn(found);
}

/** Returns the row of `companyById`; throws 404 without one. */
export function readOwn(found: Result | undefined): CompanyFacts {
  const company = companyById.row(found);
  if (!company) throw notFound();
  return company;
}

/** The company prevents the deletion of its default account. */
export const blockersOfAccount = listBlockers([companyReferences], "account");
