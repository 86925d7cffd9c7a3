/** The words that search finds leads by. */
import { extractPhoneDigits } from "../../core/reference.ts";
import { searchTokens } from "../../core/text.ts";
import { sql } from "../../db/statements.ts";
import type { Database, Row } from "../../platform/database/database.ts";
import type { Embedded } from "./parts.ts";

/** Leads in one step, so that it holds the write lock for well under 100 ms. */
const stepRows = 200;
/** Steps of one run. The next run continues. */
const mostSteps = 200;

/** The texts that a lead brings and is found by. */
interface Brought extends Embedded {
  readonly interest: string | null;
}

/** Returns the texts by which a lead is found, by the names of their fields. */
export function listFoundTexts({ account, contact, interest }: Brought): [string, string | null][] {
  const { first_name = null, last_name = null, email = null, phone_number = null } = contact?.fixed ?? {};
  return [
    ["account.name", account?.fixed.name ?? null],
    ["contact.first_name", first_name],
    ["contact.last_name", last_name],
    ["contact.email", email],
    ["contact.phone_number", phone_number && [phone_number, ...extractPhoneDigits(phone_number)].join(" ")],
    ["interest", interest],
  ];
}

/**
 * Returns the words that the lead itself brings. Triggers put them into the full-text index, with the names of the
 * account and the contact that the lead is about.
 */
export function computeLeadWords(companyId: number, brought: Brought): string {
  return searchTokens(`c${companyId}z`, listFoundTexts(brought).map(([, text]) => text));
}

/** Returns the words of a stored lead (`company_id`, `account`, `contact` and `interest`). */
export function computeStoredLeadWords({ company_id, account, contact, interest }: Row): string {
  return computeLeadWords(Number(company_id), {
    account: account === null ? null : JSON.parse(account as string),
    contact: contact === null ? null : JSON.parse(contact as string),
    interest: interest as string | null,
  });
}

/** Gives words to leads of earlier versions, in steps. Returns the number of leads. */
export async function indexLeads({ db }: { readonly db: Database }): Promise<number> {
  let indexed = 0;
  for (let step = 0; step < mostSteps; step++) {
    const [found] = await db.read([
      sql`select seq, company_id, account, contact, interest from leads where words is null limit ${stepRows} + 0`,
    ]);
    if (found!.rows.length === 0) break;
    const words = found!.rows.map((row) => [row.seq, computeStoredLeadWords(row)]);
    await db.write([
      sql`update leads set words = v.value ->> 1 from json_each(${JSON.stringify(words)}) v
        where leads.seq = v.value ->> 0 and leads.words is null`,
    ]);
    indexed += found!.rows.length;
  }
  return indexed;
}
