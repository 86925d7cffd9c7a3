import { sql as drizzleSql } from "drizzle-orm";
import { created } from "../../core/answer.ts";
import { searchTokens } from "../../core/text.ts";
import type { Change } from "../../db/commit.ts";
import type { EventDraft } from "../../db/outbox.ts";
import { drizzle, inList, type Param, prepareQuery } from "../../db/prepared_statements.ts";
import { guardVersions, insert, selectLastId, type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { makeInitial } from "../../records/members.ts";
import { assignRoles } from "../roles/write.ts";
import { searchScope } from "../teams/queries.ts";
import { joinTeams } from "../teams/write.ts";
import { makeEmailKey } from "../email_key.ts";
import type { UserFacts } from "./queries.ts";
import { type CreateUser, userMembers, users } from "./record.ts";

/** The columns with which a user signs in: a password, a provider, or both. */
export interface Credentials {
  readonly password_hash: string | null;
  readonly sso_provider?: string | null;
  readonly sso_user_id?: string | null;
}

/** Statements that create the user, in order. The batch assigns an id unless the user has one. */
export function insertUser(user: UserFacts, credentials: Credentials): Statement[] {
  const { teams, roles, id, ...row } = user;
  const known = id === null ? newUserId : sql`${id}`;
  return [
    insert(users, {
      ...row,
      ...(id === null ? {} : { id }),
      email_key: makeEmailKey(user.email),
      ...credentials,
    }),
    joinTeams(known, teams.map((team) => team.id!)),
    assignRoles(known, roles.map((role) => role.id)),
    indexUser(known, user),
  ];
}

/** The id that the batch assigns to a new user. */
export const newUserId = selectLastId(users);

/** Returns the change that runs `statements`, creates a user and answers 201 with `body`. */
export function userChange<T extends object>(
  user: UserFacts,
  body: T,
  credentials: Credentials,
  statements: readonly Statement[],
): Change<T> {
  return {
    statements: [...statements, ...guardShown(user), ...insertUser(user, credentials)],
    events: [draftUserCreated(user, body)],
    answer: created(body),
    companyId: user.company_id,
    idFrom: users,
  };
}

/** The event of a created user; `body` is the presented user. */
export function draftUserCreated(user: UserFacts, body: object): EventDraft {
  return draftUserEvent("user_created", user, body);
}

export function draftUserEvent(
  name: "user_created" | "user_updated" | "user_deleted",
  user: UserFacts,
  body: object,
): EventDraft {
  return {
    name,
    // All users of the company can read its users.
    entity: { type: "user", id: user.id, team_id: null, created_by: user.created_by },
    body,
  };
}

/** Returns a new user of a body with default values, which `more` replaces. */
export function makeUser(
  body: Pick<CreateUser, "first_name" | "last_name" | "email"> & Partial<CreateUser>,
  more: Pick<UserFacts, "company_id" | "locale" | "timezone"> & Partial<UserFacts>,
  at: string,
): UserFacts {
  return {
    ...makeInitial(userMembers, body),
    id: null,
    profile_picture: null,
    user_type: 3,
    signature_email: null,
    active_team_id: null,
    created_by: null,
    created_at: at,
    updated_at: at,
    teams: [],
    roles: [],
    ...more,
  };
}

/** Refuses the batch when a team, group or role of the user has changed. */
export function guardShown({ teams, roles }: UserFacts): Statement[] {
  return [
    guardVersions("teams", teams),
    guardVersions("groups", teams.flatMap(({ group }) => group ?? [])),
    guardVersions("roles", roles),
  ];
}

/** Replaces the user's words in the full-text index. */
export function indexUser(
  id: Sql,
  user: Pick<UserFacts, "company_id" | "first_name" | "last_name" | "email">,
): Statement {
  const words = searchTokens(searchScope(user.company_id), [user.first_name, user.last_name, user.email]);
  return sql`insert or replace into users_search (rowid, words) values (${id}, ${words})`;
}

/** Increases the versions of users when the roles that they show change, and sets their `updated_at`. */
export const touchUsers = prepareQuery((at: Param<string>, ids: Param<readonly number[]>) =>
  drizzle.update(users).set({ updated_at: drizzleSql`${at}`, version: drizzleSql`version + 1` })
    .where(inList(users.id, ids))
);
