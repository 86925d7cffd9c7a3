/**
 * Decides which contacts a company may reach by a channel. A consent is 1 (given), 0 (refused) or null (never
 * asked). With `consent.enable`, the company `asks`: it reaches only contacts that have agreed.
 */
import { composeCaseFold } from "../db/case_fold.ts";
import { isNumberRefused, isRefusedFor } from "../customers/refusals/refusals.ts";
import { type Sql, sql } from "../db/statements.ts";

export type Reached = "email" | "letter" | "call";

/** Returns whether the company may reach a contact with this consent. */
export function consents(consent: number | null, asks: boolean): boolean {
  return asks ? consent === 1 : consent !== 0;
}

/** SQL: the rule of `consents`. `consent`: SQL of a consent; `asks`: SQL that is 1 if the company asks. */
export function hasConsented(consent: Sql, asks: Sql): Sql {
  return sql`iif(${asks} = 1, ${consent} is 1, ${consent} is not 0)`;
}

/**
 * SQL: whether the address (SQL, in lower case) has refused e-mails of the company: by a link, or by the consent
 * of any contact that has it.
 */
export function isRefused(companyId: Sql, email: Sql): Sql {
  return sql`(${isRefusedFor("unsubscribed", companyId, email)} or exists (select 1 from contacts refusing
    where refusing.company_id = ${companyId}
    and ${composeCaseFold("refusing", "email")} = ${email} and refusing.consent_email = 0))`;
}

/** SQL: whether a mail server has refused the address (SQL, in lower case) permanently. */
export function isBounced(companyId: Sql, email: Sql): Sql {
  return isRefusedFor("bounced", companyId, email);
}

/** SQL: whether the phone number of a contact (SQL, in international form) has refused calls of the company. */
export function isCallRefused(companyId: Sql, number: Sql): Sql {
  return isNumberRefused("call", companyId, number);
}
