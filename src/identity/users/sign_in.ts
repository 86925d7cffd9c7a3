import { rawSql, sql, statement } from "../../db/statements.ts";
import { guardThat, type Row, type Statement } from "../../platform/database/database.ts";
import { emailKey } from "./queries.ts";

/** SQL: that a user may have a password. A user who signs on through a provider and has none gets none. */
export const mayHavePassword = (user: string) =>
  `(${user}.password_hash is not null or ${user}.sso_provider is null)`;

/** `id`, `email`, `password_hash` and `may_have_password` of the user who signs in by the address, whatever its case: a row, or none. */
export function signInOf(email: string): Statement {
  return sql`select u.id, u.email, u.password_hash, ${
    rawSql(mayHavePassword("u"))
  } as may_have_password from users u join companies c on c.id = u.company_id
    where u.email_key = ${emailKey(email)} and u.deleted_at is null and c.deleted_at is null`;
}

/** Refuses the batch when the password that let the user in is no longer theirs, or they are gone. */
export function guardSignIn({ id, password_hash }: Row): Statement {
  const still = "select 1 from users where id = ? and password_hash = ? and deleted_at is null";
  return guardThat("sign_in", statement(`exists (${still})`, id!, password_hash!));
}
