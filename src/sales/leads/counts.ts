/** Numbers of leads: in all, and by status. */
import { isAdmin } from "../../core/access.ts";
import type { Context } from "../../db/context.ts";
import {
  composeStreamTerms,
  makeCompanyScope,
  makeLeadScope,
  type Scope,
  testScope,
} from "../../db/scope.ts";
import { identifier, joinSql, literal, type Sql, sql } from "../../db/statements.ts";
import { selectCountsBy } from "../../lists/counts_by.ts";
import type { Selection } from "../../lists/selection.ts";
import { selectTotal, selectTotalsBy } from "../../lists/totals.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { leadIndexes } from "./filter_fields.ts";
import {
  acceptable,
  isAcceptable,
  isNotAccepted,
  type LeadStatus,
  leadStatuses,
  states,
  statusOf,
} from "./lifecycle.ts";

const rows = { table: "leads", alias: "leads", indexes: leadIndexes };

/** Counts the selected leads by status. */
export function selectLeadCounts(scope: Scope, selection: Selection): Statement {
  return selectCountsBy(rows, scope, selection, { column: "status", values: leadStatuses });
}

/** Counts all leads of the scope by status: those of the counters, less the expired leads that the job has not hidden yet. */
export function selectLeadCounters(scope: Scope, at: string): Statement[] {
  const sums = (among: (status: LeadStatus) => readonly string[]) =>
    joinSql(
      leadStatuses.map((status) =>
        sql`coalesce(sum(n) filter (where status
          in (${joinSql(among(status).map((each) => literal(each)), ", ")})), 0) as ${identifier(status)}`
      ),
      ", ",
    );
  const { kind, namesOf } = chooseCounters(scope);
  return [
    sql`select ${sums(namesOf)} from (${selectTotalsBy(kind, scope)})`,
    sql`select ${sums((status) => [status])}
      from (select leads.status, -1 as n ${composeExpiredRows(scope, at)})`,
  ];
}

/** Returns the name of the counters, and what they call a status: those of the company as a whole are by state. */
function chooseCounters({ streams }: Scope) {
  return streams === null
    ? {
      kind: "leads_by_state",
      namesOf: (status: LeadStatus) => states.filter((state) => statusOf[state] === status),
    }
    : { kind: "leads", namesOf: (status: LeadStatus) => [status] };
}

/** Returns the number of leads in the statuses asked for. */
export function sumCounts(
  asked: ReadonlySet<LeadStatus>,
  counts: Readonly<Record<LeadStatus, number>>,
): number {
  return [...asked].reduce((sum, status) => sum + counts[status], 0);
}

/** Reads the results of `selectLeadCounts` or `selectLeadCounters`. */
export function readLeadCounts(results: readonly Result[]): Record<"all" | LeadStatus, number> {
  const counts = leadStatuses.map((status) =>
    [status, results.reduce((sum, { rows: [row] }) => sum + Number(row![status]), 0)] as const
  );
  const all = counts.reduce((sum, [, n]) => sum + n, 0);
  return { all, ...Object.fromEntries(counts) as Record<LeadStatus, number> };
}

/** The total of the counters, less the expired leads that the job has not hidden yet. */
export function selectLiveTotals(scope: Scope, status: LeadStatus, at: string): Statement[] {
  const ofStatus = sql` and +leads.status = ${status}`;
  const { kind, namesOf } = chooseCounters(scope);
  return [
    selectTotal(kind, scope, namesOf(status)),
    sql`select -count(*) as n ${composeExpiredRows(scope, at)}${ofStatus}`,
  ];
}

/**
 * SQL, beginning with `from`: the leads that have expired and that the job has not hidden yet. Uses the index
 * by expiry.
 */
function composeExpiredRows(scope: Scope, at: string): Sql {
  return sql`from leads where ${testScope(scope, "leads")} and leads.hidden = 0
    and leads.expires_at <= ${at}`;
}

/**
 * Counts the leads that the caller may accept (`waiting`), with the end of their soonest countdown
 * (`next_escalates_at`), and the leads of the caller's teams that nobody has accepted (`team`).
 */
export function selectNotAcceptedCounts({ caller, at }: Pick<Context, "caller" | "at">): Statement {
  const teams = JSON.stringify(caller.teamIds);
  const { companyId } = caller;
  const ofTeams = (columns: Sql) =>
    sql`select ${columns} from json_each(${teams}) s cross join leads l indexed by leads_not_accepted
    where l.company_id = ${companyId} and l.hidden = 0 and ${isNotAccepted(sql`l.state`)}
      and (l.expires_at is null or l.expires_at > ${at}) and l.team_id = s.value`;
  const waits = isAcceptable(sql`l.state`);
  if (!isAdmin(caller)) {
    return ofTeams(sql`count(iif(${waits}, 1, null)) as waiting,
      min(iif(${waits}, l.escalates_at, null)) as next, count(*) as team`);
  }
  // Of the company as a whole the counters are by state. The few expired leads are taken off.
  const total = selectTotal("leads_by_state", makeCompanyScope(caller), acceptable);
  return sql`select (${total}) - (select count(*)
      from leads l indexed by leads_expiring
      where l.expires_at <= ${at} and l.hidden = 0 and +l.company_id = ${companyId} and ${waits}) as waiting,
    (select l.escalates_at from leads l indexed by leads_by_countdown
      where l.company_id = ${companyId} and l.countdown_key < '~' and l.hidden = 0 and ${waits}
        and (l.expires_at is null or l.expires_at > ${at}) order by l.countdown_key limit 1) as next,
    (${ofTeams(sql`count(*)`)}) as team`;
}

/** Counts the leads that are assigned to the caller, among those that the caller sees. */
export function selectOwnCount({ caller, at }: Pick<Context, "caller" | "at">): Statement {
  const { companyId, streams } = makeLeadScope(caller);
  const seen = streams ? sql` and (${joinSql(composeStreamTerms(streams, "l", "+"), " or ")})` : sql``;
  return sql`select count(*) as n from leads l indexed by leads_of_user where l.company_id = ${companyId}
    and l.user_id = ${caller.userId} and l.hidden = 0 and (l.expires_at is null or l.expires_at > ${at})${seen}`;
}
