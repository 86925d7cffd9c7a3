/** Statements that end tokens. */
import { type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";

/** Ends all tokens of one sign-in. */
export function endFamily(familyId: string): Statement[] {
  return [
    sql`delete from access_tokens where family_id = ${familyId}`,
    sql`delete from refresh_tokens where family_id = ${familyId}`,
  ];
}

/** Ends all tokens and page sessions of a user. */
export function endUserTokens(userId: number): Statement[] {
  return [
    sql`delete from access_tokens where user_id = ${userId}`,
    sql`delete from refresh_tokens where user_id = ${userId}`,
    ...endSignIns(userId),
  ];
}

/** Ends page sessions but one (by its identifier), and codes that could still be exchanged for tokens. */
function endSignIns(userId: number, kept: string | null = null): Statement[] {
  return [
    sql`delete from authorization_codes where user_id = ${userId}`,
    sql`delete from device_codes where user_id = ${userId}`,
    kept === null
      ? sql`delete from sessions where user_id = ${userId}`
      : sql`delete from sessions where user_id = ${userId} and id is not ${kept}`,
  ];
}

/** Ends the access tokens of clients (a select of ids). Refresh tokens stay. */
export function endAccessTokens(clientIds: Sql): Statement {
  return sql`delete from access_tokens where client_id in (${clientIds})`;
}

/** Ends all tokens and page sessions of a company's users and clients. */
export function endTokensOfCompany(companyId: number): Statement[] {
  const users = sql`user_id in (select id from users where company_id = ${companyId})`;
  const clients = sql`client_id in (select client_id from applications where company_id = ${companyId})`;
  return [
    sql`delete from access_tokens where ${users} or ${clients}`,
    sql`delete from refresh_tokens where ${users} or ${clients}`,
    sql`delete from authorization_codes where ${users} or ${clients}`,
    sql`delete from device_codes where ${users} or ${clients}`,
    sql`delete from sessions where ${users}`,
  ];
}

/**
 * Ends all tokens and sessions of a user except one access token with the refresh tokens of the same sign-in, or one
 * session, by its public identifier.
 */
export function endOtherTokens(userId: number, tokenId: string): Statement[] {
  return [
    sql`delete from refresh_tokens where user_id = ${userId}
      and family_id is not (select family_id from access_tokens where id = ${tokenId})`,
    sql`delete from access_tokens where user_id = ${userId} and id <> ${tokenId}`,
    ...endSignIns(userId, tokenId),
  ];
}
