import { sql, statement } from "../../db/statements.ts";
import { guardThat, type Row, type Statement } from "../../platform/database/database.ts";
import { emailKey } from "./queries.ts";

/**
 * SQL: whether the user `u` may have a password. Those who have none and sign on through a provider of their company
 * get none, as long as the company has that provider.
 */
export const mayHavePassword = sql`(u.password_hash is not null or not exists (select 1 from sso_drivers d
  where d.company_id = u.company_id and d.provider_name = u.sso_provider))`;

/** `id`, `email`, `password_hash` and `may_have_password` of the user who signs in by the address, whatever its case: a row, or none. */
export function signInOf(email: string): Statement {
  return sql`select u.id, u.email, u.password_hash, ${mayHavePassword} as may_have_password from users u join companies c on c.id = u.company_id
    where u.email_key = ${emailKey(email)} and u.deleted_at is null and c.deleted_at is null`;
}

/** Refuses the batch when the password that let the user in is no longer theirs, or they are gone. */
export function guardSignIn({ id, password_hash }: Row): Statement {
  const still = "select 1 from users where id = ? and password_hash = ? and deleted_at is null";
  return guardThat("sign_in", statement(`exists (${still})`, id!, password_hash!));
}
