/** Sign-ins at a provider. Each works once, for ten minutes, in the same browser. */
import { lifetimes } from "../../core/lifetimes.ts";
import { randomToken } from "../../core/ids.ts";
import type { Author } from "../../db/commit.ts";
import { insert, sql } from "../../db/statements.ts";
import { open, seal, sha256 } from "../../platform/crypto.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import type { Away } from "./openid.ts";
import type { Driver } from "./queries.ts";
import { signOns } from "./table.ts";

/** Milliseconds. */
const lives = lifetimes.signOn;

/** A driver, by company and name. */
export interface Way {
  readonly company_id: number;
  readonly provider_name: string;
}

interface Kept {
  readonly nonce: string;
  readonly verifier: string;
  /** The driver at the start of the sign-in; the answer is sent to no other. */
  readonly issuer: string;
  readonly client_id: string;
  /** The path of our page to continue at. */
  readonly next: string;
}

/** The path of a driver's sign-in page. */
export function pathOfWay({ company_id, provider_name }: Way): string {
  return `/auth/sso/${company_id}/${encodeURIComponent(provider_name)}`;
}

/** Each driver has its own address, so that an answer of one provider never counts for another. */
export function redirectUriOf(origin: string, way: Way): string {
  return `${origin}${pathOfWay(way)}/callback`;
}

export function newAway(): Away {
  return { state: randomToken(), nonce: randomToken(), verifier: randomToken() };
}

/** Remembers that the browser with this cookie has gone to the provider. */
export function leave(author: Author, way: Way, driver: Driver, away: Away, cookie: string, next: string) {
  const { issuer, client_id } = driver;
  const kept: Kept = { nonce: away.nonce, verifier: away.verifier, issuer, client_id, next };
  return insert(signOns, {
    hash: sha256(away.state),
    browser: sha256(cookie),
    ...way,
    kept: seal(author.deps.secretsKey, JSON.stringify(kept)),
    expires_at: author.now + lives,
    created_at: author.at,
  });
}

/**
 * Takes what was stored for the state, so that it works once; null when nothing is stored for this browser.
 */
export async function comeBack(
  { deps, now }: Author,
  way: Way,
  state: string,
  cookie: string,
): Promise<Away & Kept | null> {
  const [taken] = await deps.db.write([
    sql`delete from sign_ons where hash = ${sha256(state)} and browser = ${
      sha256(cookie)
    } and company_id = ${way.company_id} and provider_name = ${way.provider_name}
      and expires_at > ${now} returning kept`,
  ]);
  const row = taken!.rows[0];
  return row ? { state, ...JSON.parse(open(deps.secretsKey, row.kept as string)) as Kept } : null;
}

/** Refuses the batch when the user is deleted, or the driver has changed. */
export function guardSignOn(way: Way, driver: Driver, userId: number): Statement {
  return guardThat(
    "sso",
    sql`exists (select 1 from users u join companies c on c.id = u.company_id
      join sso_drivers d on d.company_id = u.company_id and d.provider_name = u.sso_provider
      where u.id = ${userId} and u.company_id = ${way.company_id} and u.deleted_at is null
      and c.deleted_at is null and d.provider_name = ${way.provider_name} and d.issuer = ${driver.issuer}
      and d.client_id = ${driver.client_id})`,
  );
}
