import { created } from "../../core/answer.ts";
import type { Json } from "../../core/json.ts";
import { searchTokens } from "../../core/text.ts";
import type { Change } from "../../db/commit.ts";
import { guardVersions } from "../../db/guards.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { insert, lastId, type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { assignRoles } from "../roles/write.ts";
import { searchScope } from "../teams/queries.ts";
import { joinTeams } from "../teams/write.ts";
import { emailKey, type UserFacts } from "./queries.ts";
import { users } from "./table.ts";

/** How the user signs in. */
export interface Credentials {
  readonly password_hash: string | null;
  readonly sso_provider?: string | null;
  readonly sso_user_id?: string | null;
}

/** The statements, in order. Without an id in the facts the batch gives one. */
export function insertUser(user: UserFacts, credentials: Credentials): Statement[] {
  const { teams, roles, id, ...row } = user;
  const known = id === null ? newUserId : sql`${id}`;
  return [
    insert(users, {
      ...row,
      ...(id === null ? {} : { id }),
      email_key: emailKey(user.email),
      ...credentials,
    }),
    joinTeams(known, teams.map((team) => team.id!)),
    assignRoles(known, roles.map((role) => role.id)),
    indexUser(known, user),
  ];
}

/** The id that the batch gives a new user. */
export const newUserId = lastId(users);

/** The change that makes a user whose id the batch gives, after `statements`, and answers it as presented. */
export function userChange(
  user: UserFacts,
  body: Json,
  credentials: Credentials,
  statements: readonly Statement[],
): Change {
  return {
    statements: [...statements, ...guardShown(user), ...insertUser(user, credentials)],
    events: [userCreated(user, body)],
    answer: created(body),
    companyId: user.company_id,
    idFrom: users,
  };
}

/** The event of the same batch; `body` is the user as presented. */
export function userCreated(user: UserFacts, body: Json): EventDraft {
  return userEvent("user_created", user, body);
}

export function userEvent(
  name: "user_created" | "user_updated" | "user_deleted",
  user: UserFacts,
  body: Json,
): EventDraft {
  return {
    name,
    // Everybody in the company may read its users.
    entity: { type: "user", id: user.id, team_id: null, created_by: user.created_by },
    body,
  };
}

/** A new user before teams and roles: what nobody gave is as for everybody. */
export function newUser(
  row: Pick<UserFacts, "company_id" | "first_name" | "last_name" | "email" | "locale" | "timezone">,
  more: Partial<UserFacts>,
  at: string,
): UserFacts {
  return {
    id: null,
    phone_number: null,
    job_title: null,
    email_notifications: 1,
    profile_picture: null,
    user_type: 3,
    signature_email: null,
    active_team_id: null,
    system_user: 0,
    created_by: null,
    created_at: at,
    updated_at: at,
    version: 1,
    teams: [],
    roles: [],
    ...row,
    ...more,
  };
}

/** Refuses the batch when a team or a role that the user shows is not, or no longer, as it was read. */
export function guardShown({ teams, roles }: UserFacts): Statement[] {
  return [
    guardVersions("teams", teams),
    guardVersions("groups", teams.flatMap(({ group }) => group ?? [])),
    guardVersions("roles", roles),
  ];
}

/** The words by which the user is found, in the place of those before. */
export function indexUser(id: Sql, user: UserFacts): Statement {
  const words = searchTokens(searchScope(user.company_id), [user.first_name, user.last_name, user.email]);
  return sql`insert or replace into users_search (rowid, words) values (${id}, ${words})`;
}
