/**
 * Refusals belong to addresses, not to contacts: they hold for every contact that has the address, now or
 * later. Each is kept as a keyed hash.
 */
import { caseFoldSql } from "../../db/case_fold.ts";
import { type Sql, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { isUntouched } from "../../identity/companies/begin_erasure.ts";
import { emailKey } from "../../identity/email_key.ts";
import { keyedHash } from "../../platform/crypto.ts";
import type { Statement } from "../../platform/database/database.ts";
import type { RefusalReason } from "./reasons.ts";

type Keyed = Pick<Deps, "secretsKey">;

/** An address of a company: the number of the company, or SQL for it. */
export interface Address {
  readonly company_id: number | Sql;
  readonly email: string;
}

/** Records that an address is not written to, also for a deleted company, which may come back. `at`: a wire timestamp. */
export function refuseAddress(deps: Keyed, of: Address, reason: RefusalReason, at: string): Statement {
  const { company, key, hash } = parts(deps, of);
  return sql`insert or ignore into refusals (company_id, hash, reason, email_key, created_at)
    select c.id, ${hash}, ${reason}, (select ${key} where exists (select 1 from contacts o
      where o.company_id = c.id and ${caseFoldSql("o", "email")} = ${key})), ${at}
    from companies c where c.id = ${company} and ${isUntouched}`;
}

/** Applies the refusals of an address to a contact that has just got it. */
export function addressArrived(deps: Keyed, of: Address): Statement {
  const { company, key, hash } = parts(deps, of);
  return sql`update refusals set email_key = ${key} where company_id = ${company} and hash = ${hash}`;
}

/** Lifts the refusal of the person whose address it is, who agrees again. */
export function agreedAgain(deps: Keyed, of: Address): Statement {
  const { company, hash } = parts(deps, of);
  return sql`delete from refusals where company_id = ${company} and hash = ${hash} and reason = 'unsubscribed'`;
}

/** Reads the refusals of an address. */
export function refusalsOf(deps: Keyed, of: Address): Statement {
  const { company, hash } = parts(deps, of);
  return sql`select reason, created_at from refusals where company_id = ${company} and hash = ${hash}
    order by reason desc`;
}

/** Lifts all refusals of an address. */
export function liftRefusals(deps: Keyed, of: Address): Statement {
  const { company, hash } = parts(deps, of);
  return sql`delete from refusals where company_id = ${company} and hash = ${hash}`;
}

/** SQL: whether the address of contacts (SQL, in its compared form) is refused for the reason. */
export function isRefusedFor(reason: RefusalReason, companyId: Sql, email: Sql): Sql {
  return sql`exists (select 1 from refusals refusal where refusal.company_id = ${companyId}
    and refusal.email_key = ${email} and refusal.reason = ${reason})`;
}

function parts({ secretsKey }: Keyed, { company_id, email }: Address) {
  const key = emailKey(email.trim());
  const company = typeof company_id === "number" ? sql`${company_id}` : company_id;
  return { company, key, hash: keyedHash(secretsKey, "refused address", withAsciiDomain(key)) };
}

/** The address with its domain in the ASCII form, in which mail servers compare international domains. */
function withAsciiDomain(key: string): string {
  const at = key.lastIndexOf("@");
  const url = `http://${key.slice(at + 1)}`;
  return at >= 0 && URL.canParse(url) ? key.slice(0, at + 1) + new URL(url).hostname : key;
}
