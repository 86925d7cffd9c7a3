/**
 * Visibility in SQL, for lists and counts. `core/access.ts` has the same rules for a row that was read. A
 * list is scoped by its company and by streams: a row belongs to it when the column of one of the streams has
 * one of the values of that stream. Each value is read in the list's order up to its limit and the few
 * streams are merged, so a page costs the same however large the company is.
 */
import { isAdmin, type Member } from "../core/access.ts";
import { identifier, joinSql, type Sql, sql } from "./statements.ts";

export interface Stream {
  readonly column: string;
  /** The column has the owner of few rows, and an index begins with this column instead of the company. */
  readonly isOwner?: boolean;
  readonly values: readonly (number | string | null)[];
}

export interface Scope {
  readonly companyId: number;
  /** Null: everything in the company. */
  readonly streams: readonly Stream[] | null;
}

/** The company's records of one owner, such as the activities of a case. */
export function makeOwnerScope({ companyId }: Member, column: string, id: number | string): Scope {
  return { companyId, streams: [{ column, values: [id], isOwner: true }] };
}

/** Everything of the company: for records that all its users may read. */
export function makeCompanyScope(caller: Member): Scope {
  return { companyId: caller.companyId, streams: null };
}

/** Records by their team: shared records, and those of own teams and of other teams in their groups. */
export function makeTeamScope(caller: Member): Scope {
  return {
    companyId: caller.companyId,
    streams: isAdmin(caller) ? null : [{ column: "team_id", values: [null, ...caller.visibleTeamIds] }],
  };
}

/** Leads: those of visible teams, and for agency users those that their agency looks after. */
export function makeLeadScope(caller: Member): Scope {
  if (isAdmin(caller)) return makeCompanyScope(caller);
  const streams: Stream[] = [{ column: "team_id", values: caller.visibleTeamIds }];
  if (caller.rights.has("agency")) {
    streams.push({ column: "agency_team_id", values: [null, ...caller.teamIds] });
  }
  return { companyId: caller.companyId, streams };
}

/**
 * Leads that the caller looks after as an agency user: all for an admin, otherwise those whose agency team is
 * an own team or not set.
 */
export function makeAgencyScope(caller: Member): Scope {
  if (isAdmin(caller)) return makeCompanyScope(caller);
  return {
    companyId: caller.companyId,
    streams: [{ column: "agency_team_id", values: [null, ...caller.teamIds] }],
  };
}

/** The scope as one condition on a row of `alias`. */
export function isInScope(scope: Scope, alias: string): Sql {
  return composeScopeTerms(scope, alias, "");
}

/**
 * The same condition, for rows that another condition finds: a unary plus keeps SQLite from using the indexes
 * of these columns instead.
 */
export function testScope(scope: Scope, alias: string): Sql {
  return composeScopeTerms(scope, alias, "+");
}

function composeScopeTerms({ companyId, streams }: Scope, alias: string, sign: "+" | ""): Sql {
  const of = identifier(alias, "company_id");
  const company = sign === "+" ? sql`+${of} = ${companyId}` : sql`${of} = ${companyId}`;
  return streams
    ? sql`${company} and (${joinSql(composeStreamTerms(streams, alias, sign), " or ")})`
    : company;
}

/**
 * SQL: for each stream, whether a row of `alias` is in it. The sign `+` keeps SQLite from using an index of
 * the stream's column.
 */
export function composeStreamTerms(streams: readonly Stream[], alias: string, sign: "+" | ""): Sql[] {
  return streams.map(({ column, values }) => {
    const name = identifier(alias, column);
    const of = sign === "+" ? sql`+${name}` : name;
    const given = JSON.stringify(values.filter((value) => value !== null));
    const among = sql`${of} in (select value from json_each(${given}))`;
    return values.includes(null) ? sql`${of} is null or ${among}` : among;
  });
}

/** True when teams alone define the streams. */
export function areTeams(streams: readonly Stream[]): boolean {
  return streams.every(({ column }) => column === "team_id");
}

/**
 * SQL: the ids of the teams whose records a user (an expression for the id) sees: own teams, and other teams
 * in their groups. This is not a view, because SQLite would read all memberships to find those of one user.
 */
export function selectVisibleTeamIds(user: Sql): Sql {
  return sql`select mine.team_id from team_members mine where mine.user_id = ${user} union
    select other.id from team_members mine join teams own on own.id = mine.team_id
    join teams other on other.group_id = own.group_id where mine.user_id = ${user}`;
}
