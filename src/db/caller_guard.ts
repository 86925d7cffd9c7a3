/** Reads a caller by token, and guards that a write commits only while the caller has the same rights. */
import { statement } from "./statements.ts";
import { guardThat, type Statement } from "../platform/database/database.ts";
import { fieldsJsonOf } from "./custom_values.ts";
import { visibleTeamIds } from "./scope.ts";

/** The state of a caller when the token was looked up. */
export interface CallerState {
  readonly tokenHash: string;
  /** The number of `caller_changes`. */
  readonly changes: number;
  /** JSON. */
  readonly permissions: string;
}

/** Reads the caller of a token: one row, or none when the token has ended. */
export function callerByToken(tokenHash: string, now: number): Statement {
  return { sql: callerSql, args: [tokenHash, now] };
}

/** Reads a user of a company that exists, by id, for `memberOfRow`. */
export function memberById(userId: number): Statement {
  return { sql: memberSql, args: [userId] };
}

/**
 * Fails the batch when the token has ended, the user or a company was deleted, or the user's rights changed
 * since. In most cases it compares one number, which every change to any caller increases.
 */
export function guardCaller({ tokenHash, changes, permissions }: CallerState, now: number): Statement {
  return guardThat("caller", statement(unchanged, changes, tokenHash, now, permissions));
}

const columns = {
  token_id: "t.id",
  expires_at: "t.expires_at",
  client_id: "t.client_id",
  user_id: "t.user_id",
  trusted: "a.trusted",
  client_company_id: "a.company_id",
  company_id: "u.company_id",
  user_type: "u.user_type",
  active_team_id: "u.active_team_id",
  team_ids:
    "(select json_group_array(m.team_id order by m.team_id) from team_members m where m.user_id = u.id)",
  group_ids: "(select json_group_array(distinct own.group_id order by own.group_id) from team_members m " +
    "join teams own on own.id = m.team_id where m.user_id = u.id and own.group_id is not null)",
  visible_team_ids: `(select json_group_array(v.team_id order by v.team_id) from (${
    visibleTeamIds("u.id")
  }) v)`,
  role_rights: "(select json_group_array(distinct g.right_name order by g.right_name) from user_roles r " +
    "join role_rights g on g.role_id = r.role_id where r.user_id = u.id)",
};

/**
 * The client and user of a token, if they and their companies exist. Binds the token's hash and the moment.
 */
const source = "from access_tokens t join applications a on a.client_id = t.client_id " +
  "left join companies own on own.id = a.company_id left join users u on u.id = t.user_id " +
  "left join companies c on c.id = u.company_id " +
  "where t.hash = ? and t.expires_at > ? and own.deleted_at is null " +
  "and (t.user_id is null or (u.deleted_at is null and c.deleted_at is null))";

const memberSql = `select u.id as user_id, ${
  ([
    "company_id",
    "user_type",
    "active_team_id",
    "team_ids",
    "group_ids",
    "visible_team_ids",
    "role_rights",
  ] as const)
    .map((name) => `${columns[name]} as ${name}`).join(", ")
} from users u join companies c on c.id = u.company_id ` +
  "where u.id = ? and u.deleted_at is null and c.deleted_at is null";

const selected = Object.entries(columns).map(([name, sql]) => `${sql} as ${name}`).join(", ");
const callers = `select ${selected} ${source}`;

/** Teams and roles do not change the rights of an admin. */
const permissionsOf =
  "json_array(p.trusted, p.user_type, p.active_team_id, case p.user_type when 1 then null " +
  "else json_array(p.team_ids, p.group_ids, p.visible_team_ids, p.role_rights) end)";

const changesSql = "(select n from caller_changes where id = 1)";

const callerSql = `with p as materialized (${callers}) ` +
  `select ${Object.keys(columns).map((name) => `p.${name}`).join(", ")}, ${permissionsOf} as permissions, ` +
  `${changesSql} as changes, ${fieldsJsonOf("p.company_id")} as fields from p`;

const unchanged =
  `case ${changesSql} when ? then 1 else (select ${permissionsOf} from (${callers}) p) = ? end`;
