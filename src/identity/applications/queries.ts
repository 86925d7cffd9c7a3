/** Reads applications. */
import { eq } from "drizzle-orm";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { type List, type ListPage, readList } from "../../lists/list.ts";
import type { Paging } from "../../lists/paging.ts";
import { makeCompanyScope } from "../../db/scope.ts";
import { drizzle, type Param, prepareQuery } from "../../db/prepared_statements.ts";
import { selectColumns } from "../../db/statements.ts";
import type { Result } from "../../platform/database/database.ts";
import { type ApplicationRow, applications } from "./table.ts";

/** The total comes from counting rows, since a company has few applications. */
export const applicationList: List = {
  table: "applications",
  alias: "a",
  columns: selectColumns(applications, "a"),
  id: "client_id",
  sorts: { created_at: "created_at" },
  order: "-created_at",
};

export function listApplications(ctx: Context, paging: Paging): Promise<ListPage> {
  return readList(ctx, applicationList, { scope: makeCompanyScope(ctx.caller), paging });
}

export const applicationById = prepareQuery((clientId: Param<string>) =>
  drizzle.select().from(applications).where(eq(applications.client_id, clientId))
);

/** Returns an application of the caller's company; throws 404 for another. */
export async function readApplication(ctx: Context, clientId: string): Promise<ApplicationRow> {
  const [found] = await ctx.deps.db.read([applicationById(clientId)]);
  return pickApplication(ctx, found);
}

/** Returns the application that `applicationById` has found; throws 404 for one of another company. */
export function pickApplication(ctx: Context, found: Result | undefined): ApplicationRow {
  const row = applicationById.row(found);
  if (row?.company_id !== ctx.caller.companyId) throw notFound();
  return row;
}
