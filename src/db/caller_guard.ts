/** Reads a caller by token or session, and guards that a write commits only while the caller has the same rights. */
import { consoleClient, type Member } from "../core/access.ts";
import { listRightsInForce, nameUserType, type Right } from "../core/rights.ts";
import { identifier, joinSql, literal, type Sql, sql } from "./statements.ts";
import { guardThat, type Row, type Statement } from "../platform/database/database.ts";
import { selectFieldsJson } from "./custom_values.ts";
import { selectVisibleTeamIds } from "./scope.ts";

/** The state of a caller when the token or the session was looked up. */
export interface CallerState {
  /** What identifies the caller: a bearer token, or a session at the console. */
  readonly source: "token" | "session";
  /** The SHA-256 of the token, or of the cookie of the session. */
  readonly hash: string;
  /** The count in `caller_changes`. */
  readonly changes: number;
  /** JSON. */
  readonly permissions: string;
}

/** Reads the caller of a token: one row, or none when the token has ended. */
export function selectCallerByToken(tokenHash: string, now: number): Statement {
  return selectCaller(selectCallers("token", tokenHash, now), []);
}

/**
 * Reads the person with a session at the console: one row, or none when the session has ended. `more`: further columns
 * of the users `u`, their companies `c` and the session `t`.
 */
export function selectCallerBySession(hash: string, now: number, more: Columns): Statement {
  return selectCaller(selectCallers("session", hash, now, more), Object.keys(more));
}

function selectCaller(callers: Sql, more: readonly string[]): Statement {
  const further = more.map((name) => sql`, ${identifier("p", name)}`);
  return sql`with p as materialized (${callers})
    select ${names}${joinSql(further, "")}, ${permissionsOf} as permissions, ${callerChangesSql} as changes,
    ${selectFieldsJson(sql`p.company_id`)} as fields from p`;
}

/** SQL: the id of the user of a token; null when the token has none. */
export function selectUserOfToken(tokenHash: string): Sql {
  return sql`(select user_id from access_tokens where hash = ${tokenHash})`;
}

/** Reads a user of a company that exists, by id, for `readMemberRow`. */
export function selectMemberById(userId: number): Statement {
  return sql`select u.id as user_id, ${selectedOfMember}
    from users u join companies c on c.id = u.company_id
    where u.id = ${userId} and u.deleted_at is null and c.deleted_at is null`;
}

/**
 * SQL: the user with an id (SQL) as JSON for `readMemberRow`; null when the user or the company was deleted.
 */
export function selectMemberJson(userId: Sql): Sql {
  const members = Object.entries(memberColumns).map(([name, of]) =>
    // The lists stay text, as in a row.
    sql`${literal(name)}, ${name.endsWith("s") ? sql`${of} || ''` : of}`
  );
  return sql`(select json_object('user_id', u.id, ${joinSql(members, ", ")}) from users u
    join companies c on c.id = u.company_id
    where u.id = ${userId} and u.deleted_at is null and c.deleted_at is null)`;
}

/**
 * SQL: the type and role rights of the user with an id (SQL) as JSON for `hasRight`; null when the user was
 * deleted.
 */
export function selectRightsJson(userId: Sql): Sql {
  return sql`(select json_object('user_type', u.user_type, 'role_rights', json(${roleRightsSql})) from users u
    where u.id = ${userId} and u.deleted_at is null)`;
}

/** Returns whether the user of `selectRightsJson` has the right; false when the user was deleted. */
export function hasRight(given: string | null, right: Right): boolean {
  if (given === null) return false;
  const { user_type, role_rights } = JSON.parse(given) as { user_type: number; role_rights: string[] };
  return listRightsInForce(nameUserType(user_type), role_rights).includes(right);
}

/** Reads the user of `selectCallerByToken` or `selectMemberById`. */
export function readMemberRow(row: Row): Member {
  const userType = nameUserType(row.user_type as number);
  return {
    companyId: row.company_id as number,
    userId: row.user_id as number,
    userType,
    rights: new Set(listRightsInForce(userType, JSON.parse(row.role_rights as string) as string[])),
    teamIds: JSON.parse(row.team_ids as string) as number[],
    groupIds: JSON.parse(row.group_ids as string) as number[],
    visibleTeamIds: JSON.parse(row.visible_team_ids as string) as number[],
    activeTeamId: row.active_team_id as number | null,
  };
}

/**
 * Fails the batch when the token or session has ended, the user or a company was deleted, or the user's rights changed
 * since. In most cases it compares one number, which every change to any caller increases.
 */
export function guardCaller({ source, hash, changes, permissions }: CallerState, now: number): Statement {
  // The end of a session is not among the changes that are counted.
  const isSame = source === "token" ? sql`${callerChangesSql}` : sql`case when exists
    (select 1 from sessions where hash = ${hash} and expires_at > ${now}) then ${callerChangesSql} end`;
  return guardThat(
    "caller",
    sql`case ${isSame} when ${changes} then 1
      else (select ${permissionsOf} from (${selectCallers(source, hash, now)}) p) = ${permissions} end`,
  );
}

export type Columns = Readonly<Record<string, Sql>>;

const roleRightsSql = sql`(select json_group_array(distinct g.right_name order by g.right_name)
  from user_roles r join role_rights g on g.role_id = r.role_id where r.user_id = u.id)`;

const memberColumns: Columns = {
  company_id: sql`u.company_id`,
  user_type: sql`u.user_type`,
  active_team_id: sql`u.active_team_id`,
  team_ids: sql`(select json_group_array(m.team_id order by m.team_id) from team_members m
    where m.user_id = u.id)`,
  group_ids: sql`(select json_group_array(distinct own.group_id order by own.group_id) from team_members m
    join teams own on own.id = m.team_id where m.user_id = u.id and own.group_id is not null)`,
  visible_team_ids: sql`(select json_group_array(v.team_id order by v.team_id)
    from (${selectVisibleTeamIds(sql`u.id`)}) v)`,
  role_rights: roleRightsSql,
};

const columns: Columns = {
  token_id: sql`t.id`,
  expires_at: sql`t.expires_at`,
  client_id: sql`t.client_id`,
  user_id: sql`t.user_id`,
  trusted: sql`a.trusted`,
  client_company_id: sql`a.company_id`,
  ...memberColumns,
};

function composeSelectList(columns: Columns): Sql {
  return joinSql(Object.entries(columns).map(([name, of]) => sql`${of} as ${identifier(name)}`), ", ");
}

// Made once: every change of a record has it in its guard.
const selected = composeSelectList(columns);
const names = joinSql(Object.keys(columns).map((name) => identifier("p", name)), ", ");
const selectedOfMember = composeSelectList(memberColumns);

const sources: Readonly<Record<CallerState["source"], Sql>> = {
  token: sql`access_tokens t join applications a on a.client_id = t.client_id`,
  // The console is a trusted client of no company.
  session: sql`(select id, hash, user_id, expires_at, ${literal(consoleClient)} as client_id, created_at,
    last_used_at from sessions) t join (select 1 as trusted, null as company_id) a`,
};

/**
 * SQL: selects the client and user of a token or session that is valid at `now`, if they and their companies exist.
 */
function selectCallers(source: CallerState["source"], hash: string, now: number, more: Columns = {}): Sql {
  const further = Object.entries(more).map(([name, of]) => sql`, ${of} as ${identifier(name)}`);
  return sql`select ${selected}${joinSql(further, "")} from ${sources[source]}
    left join companies own on own.id = a.company_id left join users u on u.id = t.user_id
    left join companies c on c.id = u.company_id
    where t.hash = ${hash} and t.expires_at > ${now} and own.deleted_at is null
    and (t.user_id is null or (u.deleted_at is null and c.deleted_at is null))`;
}

/**
 * SQL: the permissions of a caller as JSON. Leaves out teams and roles of an admin, because they do not
 * change an admin's rights.
 */
const permissionsOf =
  sql`json_array(p.trusted, p.user_type, p.active_team_id, case p.user_type when 1 then null
  else json_array(p.team_ids, p.group_ids, p.visible_team_ids, p.role_rights) end)`;

/** SQL: the count in `caller_changes`, which grows with each change of what callers are read from. */
export const callerChangesSql = sql`(select n from caller_changes where id = 1)`;
