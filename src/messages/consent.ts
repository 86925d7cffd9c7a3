/**
 * Who may be written to by a channel. A consent is 1, 0 (refused) or null (nobody asked). Where a company has
 * `consent.enable`, it `asks`: only contacts that have agreed are written to.
 */
import { caseFoldSql } from "../db/case_fold.ts";
import { type Sql, sql } from "../db/statements.ts";

export type Reached = "email" | "letter" | "call";

/** Whether a consent allows to write. */
export function consents(consent: number | null, asks: boolean): boolean {
  return asks ? consent === 1 : consent !== 0;
}

/** SQL: `consents` over SQL of a consent, and of 1 where the company asks. */
export function consentsSql(consent: Sql, asks: Sql): Sql {
  return sql`iif(${asks} = 1, ${consent} is 1, ${consent} is not 0)`;
}

/** SQL: whether any contact of the company with the address (SQL, in lower case) has refused e-mails. */
export function isRefused(companyId: Sql, email: Sql): Sql {
  return sql`exists (select 1 from contacts refusing where refusing.company_id = ${companyId}
    and ${caseFoldSql("refusing", "email")} = ${email} and refusing.consent_email = 0)`;
}
