/**
 * Refusals belong to addresses, not to contacts: they hold for every contact that has the address, now or
 * later. Each is kept as a keyed hash: of an e-mail address, or of a phone number in international form.
 */
import { foldText } from "../../core/text.ts";
import { composeCaseFold } from "../../db/case_fold.ts";
import { identifier, literal, type Sql, sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { isUntouched } from "../../identity/companies/begin_erasure.ts";
import { hashWithKey } from "../../platform/crypto.ts";
import type { Statement } from "../../platform/database/database.ts";
import type { NumberChannel, RefusalReason, RefusedChannel } from "./reasons.ts";

type Keyed = Pick<Deps, "secretsKey">;

interface OfCompany {
  /** The number of the company, or SQL for it. */
  readonly company_id: number | Sql;
}

/** An e-mail address of a company's contacts. */
export interface EmailAddress extends OfCompany {
  readonly email: string;
}

/** A phone number in international form. In another form it is an address of many people. */
export interface NumberAddress extends OfCompany {
  readonly channel: NumberChannel;
  readonly e164: string;
}

export type Address = EmailAddress | NumberAddress;

/** Records that an address is not written to, also for a deleted company, which may come back. `at`: a wire timestamp. */
export function refuseAddress(deps: Keyed, of: Address, reason: RefusalReason, at: string): Statement {
  const { company, channel, column, key, hash, holder } = parts(deps, of);
  return sql`insert or ignore into refusals (company_id, hash, reason, channel, ${column}, created_at)
    select c.id, ${hash}, ${reason}, ${channel}, (select ${key} where exists (select 1 from contacts o
      where o.company_id = c.id and ${holder(sql`${key}`)})), ${at}
    from companies c where c.id = ${company} and ${isUntouched}`;
}

/** Applies the refusals of an address to a contact that has just got it. */
export function applyKnownRefusals(deps: Keyed, of: Address): Statement {
  const { company, column, key, hash } = parts(deps, of);
  return sql`update refusals set ${column} = ${key} where company_id = ${company} and hash = ${hash}`;
}

/**
 * Refuses a number that a contact has just got, if another contact has it and refuses the channel. People who
 * shared the number before that refusal speak for themselves: a reception or a family has one for all. `agreedAt`: a
 * wire timestamp, when the contact agreed earlier; only what others have refused since counts then.
 */
export function refuseWithOthers(
  deps: Keyed,
  of: NumberAddress,
  contactId: string,
  at: string,
  agreedAt: string | null = null,
): Statement {
  const { company, channel, column, key, hash, holder } = parts(deps, of);
  const since = agreedAt === null
    ? sql``
    : sql` and ${identifier("o", `consent_${channel}_at`)} >= ${agreedAt}`;
  return sql`insert or ignore into refusals (company_id, hash, reason, channel, ${column}, created_at)
    select o.company_id, ${hash}, 'unsubscribed', ${channel}, ${key}, ${at} from contacts o
    where o.company_id = ${company} and ${holder(sql`${key}`)}
    and ${identifier("o", `consent_${channel}`)} = 0${since}
    and o.id <> ${contactId} limit 1`;
}

/**
 * Lifts the refusal of the person whose address it is, who agrees again. `agreedAt`: a wire timestamp, when that was not
 * just now; what the address has refused since stays.
 */
export function liftUnsubscription(deps: Keyed, of: Address, agreedAt: string | null = null): Statement {
  const { company, hash } = parts(deps, of);
  const earlier = agreedAt === null ? sql`` : sql` and created_at < ${agreedAt}`;
  return sql`delete from refusals where company_id = ${company} and hash = ${hash} and reason = 'unsubscribed'${earlier}`;
}

/** Reads the refusals of addresses. */
export function selectRefusals(deps: Keyed, all: readonly Address[]): Statement {
  return sql`select channel, reason, created_at from refusals where ${isAmong(deps, all)}
    order by channel, reason desc`;
}

/** The address as refusals keep it. */
export function hashRefusal(deps: Keyed, of: Address): string {
  return parts(deps, of).hash;
}

/** SQL: selects the hashes, among these, of addresses whose people have unsubscribed. */
export function selectUnsubscribed(companyId: number, hashes: readonly string[]): Sql {
  return sql`select hash from refusals where company_id = ${companyId} and reason = 'unsubscribed'
    and hash in (select value from json_each(${JSON.stringify(hashes)}))`;
}

/** Lifts all refusals of addresses. */
export function liftRefusals(deps: Keyed, all: readonly Address[]): Statement {
  return sql`delete from refusals where ${isAmong(deps, all)}`;
}

/** SQL: whether the e-mail address of contacts (SQL, in its compared form) is refused for the reason. */
export function isRefusedFor(reason: RefusalReason, companyId: Sql, email: Sql): Sql {
  return sql`exists (select 1 from refusals refusal where refusal.company_id = ${companyId}
    and refusal.email_key = ${email} and refusal.reason = ${reason})`;
}

/** SQL: whether the phone number of a contact (SQL, in international form) is refused for the channel. */
export function isNumberRefused(channel: NumberChannel, companyId: Sql, number: Sql): Sql {
  return sql`exists (select 1 from refusals refusal where refusal.company_id = ${companyId}
    and refusal.e164 = ${number} and refusal.channel = ${literal(channel)})`;
}

/** Returns the address of a contact on a channel; null when it has none that others can have too. */
export function findAddress(
  channel: RefusedChannel,
  { company_id, email, e164 }: {
    readonly company_id: number;
    readonly email: string | null;
    readonly e164: string | null;
  },
): Address | null {
  if (channel === "email") return email ? { company_id, email } : null;
  return e164 === null ? null : { company_id, channel, e164 };
}

function isAmong(deps: Keyed, all: readonly Address[]): Sql {
  const hashes = all.map((each) => parts(deps, each).hash);
  return sql`company_id = ${parts(deps, all[0]!).company}
    and hash in (select value from json_each(${JSON.stringify(hashes)}))`;
}

interface Parts {
  readonly company: Sql;
  readonly channel: RefusedChannel;
  readonly column: Sql;
  readonly key: string;
  readonly hash: string;
  /** SQL: whether the contact `o` has the address. */
  readonly holder: (key: Sql) => Sql;
}

function parts({ secretsKey }: Keyed, of: Address): Parts {
  const company = typeof of.company_id === "number" ? sql`${of.company_id}` : of.company_id;
  if ("email" in of) {
    const key = foldText(of.email.trim());
    return {
      company,
      channel: "email",
      column: identifier("email_key"),
      key,
      hash: hashOnce(secretsKey, "refused address", withAsciiDomain(key)),
      holder: (key) => sql`${composeCaseFold("o", "email")} = ${key}`,
    };
  }
  const { channel, e164: key } = of;
  return {
    company,
    channel,
    column: identifier("e164"),
    key,
    hash: hashOnce(secretsKey, `refused ${channel}`, key),
    holder: (key) => sql`o.e164 = ${key}`,
  };
}

/** The hashes that were needed last, by the key, and by purpose and text. */
const lastHashes = new WeakMap<Uint8Array, Map<string, string>>();
/** More than the addresses of a step of an import. */
const mostHashes = 500;

/** A keyed hash. Several statements of a change need that of one address, and it takes time. */
function hashOnce(secretsKey: Uint8Array, purpose: string, text: string): string {
  const last = lastHashes.get(secretsKey) ?? new Map<string, string>();
  lastHashes.set(secretsKey, last);
  const name = `${purpose}\n${text}`;
  const known = last.get(name);
  if (known !== undefined) return known;
  const hash = hashWithKey(secretsKey, purpose, text);
  if (last.size >= mostHashes) last.clear();
  last.set(name, hash);
  return hash;
}

/** A domain in lower case that is its own ASCII form: without encoded labels, and no IPv4 address. */
const asciiDomain = /^(?!.*xn--)[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]+$/;

/** The address with its domain in the ASCII form, in which mail servers compare international domains. */
function withAsciiDomain(key: string): string {
  const at = key.lastIndexOf("@");
  if (asciiDomain.test(key.slice(at + 1))) return key;
  const url = `http://${key.slice(at + 1)}`;
  return at >= 0 && URL.canParse(url) ? key.slice(0, at + 1) + new URL(url).hostname : key;
}
