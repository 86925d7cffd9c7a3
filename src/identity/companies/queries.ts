/** Reads of companies. */
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { columnsOf, rawSql, sql } from "../../db/statements.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { companies, type CompanyRow } from "./table.ts";

export type CompanyFacts = CompanyRow;

/** The company, unless it is deleted; read with `readCompany`. */
export function companyById(id: number): Statement {
  return sql`select ${
    rawSql(columns)
  } from companies company where company.id = ${id} and company.deleted_at is null`;
}

const columns = columnsOf(companies, "company");

export function readCompany(row: Row): CompanyFacts {
  return row as CompanyFacts;
}

export function checkOwn(ctx: Context, id: number): void {
  if (id !== ctx.caller.companyId) throw notFound();
}

export async function ownCompany(ctx: Context, id: number): Promise<CompanyFacts> {
  checkOwn(ctx, id);
  const [found] = await ctx.deps.db.read([companyById(id)]);
  return readOwn(found!);
}

export function readOwn(found: Result): CompanyFacts {
  const row = found.rows[0];
  if (!row) throw notFound();
  return readCompany(row);
}
