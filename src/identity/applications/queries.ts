/** Reads applications. */
import { eq } from "drizzle-orm";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { countOf, type ListSource, pageOf, type Paging } from "../../lists/pages.ts";
import { companyScope } from "../../db/scope.ts";
import { drizzle, type Param, prepared } from "../../db/prepared.ts";
import { columnsOf } from "../../db/statements.ts";
import type { Row } from "../../platform/database/database.ts";
import { type ApplicationRow, applications } from "../tables/applications.ts";

export const applicationSorts = { created_at: "created_at" };

const source: ListSource = {
  table: "applications",
  alias: "a",
  columns: columnsOf(applications, "a").sql,
  id: "client_id",
};

/** Counts the rows, since a company has few applications. */
export async function listApplications(
  ctx: Context,
  paging: Paging,
): Promise<{ rows: Row[]; total: number }> {
  const scope = companyScope(ctx.caller);
  const [rows, count] = await ctx.deps.db.read([pageOf(source, scope, paging), countOf(source, scope, [])]);
  return { rows: rows!.rows, total: count!.rows[0]!.n as number };
}

export const applicationById = prepared((clientId: Param<string>) =>
  drizzle.select().from(applications).where(eq(applications.client_id, clientId))
);

/** Returns an application of the caller's company; throws 404 for another. */
export async function readApplication(ctx: Context, clientId: string): Promise<ApplicationRow> {
  const [found] = await ctx.deps.db.read([applicationById(clientId)]);
  const row = applicationById.row(found);
  if (row?.company_id !== ctx.caller.companyId) throw notFound();
  return row;
}
