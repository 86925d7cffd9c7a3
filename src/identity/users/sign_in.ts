import { and, eq, isNull } from "drizzle-orm";
import { drizzle, type Param, prepareQuery } from "../../db/prepared_statements.ts";
import { remove, sql, updateVersioned } from "../../db/statements.ts";
import { guardChanged, guardThat, type Row, type Statement } from "../../platform/database/database.ts";
import { makeEmailKey } from "../email_key.ts";
import { type UserRow, users } from "./record.ts";
import { passwordResets } from "./table.ts";

/**
 * SQL: whether the user `u` may have a password. A user without one who signs in through a provider cannot
 * get one while the company has that provider.
 */
export const mayHavePassword = sql`(u.password_hash is not null or not exists (select 1 from sso_drivers d
  where d.company_id = u.company_id and d.provider_name = u.sso_provider))`;

/**
 * Selects `id`, `email`, `password_hash` and `may_have_password` of the user with the address. Upper and
 * lower case are equal.
 */
export function selectSignIn(email: string): Statement {
  return sql`select u.id, u.email, u.password_hash, ${mayHavePassword} as may_have_password from users u join companies c on c.id = u.company_id
    where u.email_key = ${makeEmailKey(email)} and u.deleted_at is null and c.deleted_at is null`;
}

const withPassword = prepareQuery((id: Param<number>, hash: Param<string>) =>
  drizzle.select({ id: users.id }).from(users)
    .where(and(eq(users.id, id), eq(users.password_hash, hash), isNull(users.deleted_at)))
);

/** Refuses the batch when the password has changed since `selectSignIn` read it, or the user is deleted. */
export function guardSignIn({ id, password_hash }: Row): Statement {
  return guardThat("sign_in", sql`exists (${withPassword(id as number, password_hash as string)})`);
}

export type StoredUser = Pick<UserRow, "id" | "company_id" | "version" | "email">;

/** The user with this address, in lower case. */
export const userByKey = prepareQuery((emailKey: Param<string>) =>
  drizzle.select({ id: users.id, company_id: users.company_id, version: users.version }).from(users)
    .where(and(eq(users.email_key, emailKey), isNull(users.deleted_at)))
);

/** Sets the password of a user, unless the user has changed since, and ends all reset links. */
export function setPassword(
  user: Pick<StoredUser, "id" | "company_id" | "version">,
  password_hash: string,
): Statement[] {
  return [
    updateVersioned(users, { password_hash }, user),
    guardChanged("stale"),
    remove(passwordResets, { user_id: user.id }),
  ];
}
