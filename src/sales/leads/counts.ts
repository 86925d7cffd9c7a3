/** Numbers of leads: in all, and by status. */
import { checkedScope, type Scope } from "../../db/scope.ts";
import { identifier, joined, type Sql, sql } from "../../db/statements.ts";
import { countsBy } from "../../lists/counts_by.ts";
import type { Selection } from "../../lists/selection.ts";
import { totalOf, totalsBy } from "../../lists/totals.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { leadIndexes } from "./filter_fields.ts";
import { type Status, statuses } from "./lifecycle.ts";

const rows = { table: "leads", alias: "leads", indexes: leadIndexes };

/** Counts the selected leads by status. */
export function countsOf(scope: Scope, selection: Selection): Statement {
  return countsBy(rows, scope, selection, { column: "status", values: statuses });
}

/** Counts all leads of the scope by status: those of the counters, less the expired leads that the job has not hidden yet. */
export function countersOf(scope: Scope, at: string): Statement[] {
  const sums = statuses.map((status) =>
    sql`coalesce(sum(iif(status = ${status}, n, 0)), 0) as ${identifier(status)}`
  );
  return [
    sql`select ${joined(sums, ", ")} from (${totalsBy("leads", scope)})`,
    sql`select ${joined(sums, ", ")} from (select leads.status, -1 as n ${expired(scope, at)})`,
  ];
}

export function sumOf(asked: ReadonlySet<Status>, counts: Readonly<Record<Status, number>>): number {
  return [...asked].reduce((sum, status) => sum + counts[status], 0);
}

/** Reads the results of `countsOf` or `countersOf`. */
export function statusCounts(results: readonly Result[]): Record<"all" | Status, number> {
  const counts = statuses.map((status) =>
    [status, results.reduce((sum, { rows: [row] }) => sum + Number(row![status]), 0)] as const
  );
  const all = counts.reduce((sum, [, n]) => sum + n, 0);
  return { all, ...Object.fromEntries(counts) as Record<Status, number> };
}

/** The total of the counters, less the expired leads that the job has not hidden yet. */
export function liveTotals(scope: Scope, status: string | undefined, at: string): Statement[] {
  const ofStatus = status === undefined ? sql`` : sql` and +leads.status = ${status}`;
  return [
    totalOf("leads", scope, status === undefined ? null : [status]),
    sql`select -count(*) as n ${expired(scope, at)}${ofStatus}`,
  ];
}

/** SQL: the leads that have expired and that the job has not hidden yet. Uses the index by expiry. */
function expired(scope: Scope, at: string): Sql {
  return sql`from leads where ${
    checkedScope(scope, "leads")
  } and leads.hidden = 0 and leads.expires_at <= ${at}`;
}
