/** Sign-ins through a provider. Each works once, within ten minutes, in the browser that began it. */
import { and, eq, gt } from "drizzle-orm";
import { lifetimes } from "../../core/lifetimes.ts";
import { makeToken } from "../../core/ids.ts";
import type { Author } from "../../db/commit.ts";
import { drizzle, type Param, prepareQuery } from "../../db/prepared_statements.ts";
import { insert, sql } from "../../db/statements.ts";
import { open, seal, sha256 } from "../../platform/crypto.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import type { SignOnSecrets } from "./openid.ts";
import type { Driver, DriverKey } from "./queries.ts";
import { signOns } from "./table.ts";

/** Milliseconds. */
const lives = lifetimes.signOn;

interface StoredSignOn {
  readonly nonce: string;
  readonly verifier: string;
  /** Issuer and client id of the driver at the start; the sign-in fails when they have changed. */
  readonly issuer: string;
  readonly client_id: string;
  /** The path of our page to continue at. */
  readonly next: string;
}

/** The path of a driver's sign-in page. */
export function composeDriverPath({ company_id, provider_name }: DriverKey): string {
  return `/auth/sso/${company_id}/${encodeURIComponent(provider_name)}`;
}

/** Returns the redirect address of a driver. Each has its own, so that no provider can answer for another. */
export function composeRedirectUri(origin: string, key: DriverKey): string {
  return `${origin}${composeDriverPath(key)}/callback`;
}

export function makeSignOnSecrets(): SignOnSecrets {
  return { state: makeToken(), nonce: makeToken(), verifier: makeToken() };
}

/** Stores the sign-in that the browser with this cookie begins at the provider. */
export function beginSignOn(
  author: Author,
  key: DriverKey,
  driver: Driver,
  secrets: SignOnSecrets,
  cookie: string,
  next: string,
) {
  const { issuer, client_id } = driver;
  const signOn: StoredSignOn = { nonce: secrets.nonce, verifier: secrets.verifier, issuer, client_id, next };
  return insert(signOns, {
    hash: sha256(secrets.state),
    browser: sha256(cookie),
    ...key,
    kept: seal(author.deps.secretsKey, JSON.stringify(signOn)),
    expires_at: author.now + lives,
    created_at: author.at,
  });
}

/**
 * Deletes and returns the stored sign-in of the state, so that it works once; null when none is stored for
 * this browser.
 */
export async function takeSignOn(
  { deps, now }: Author,
  key: DriverKey,
  state: string,
  cookie: string,
): Promise<SignOnSecrets & StoredSignOn | null> {
  const [taken] = await deps.db.write([
    takeStored(sha256(state), sha256(cookie), key.company_id, key.provider_name, now),
  ]);
  const row = takeStored.row(taken);
  return row ? { state, ...JSON.parse(open(deps.secretsKey, row.kept)) as StoredSignOn } : null;
}

const takeStored = prepareQuery(
  (
    hash: Param<string>,
    browser: Param<string>,
    companyId: Param<number>,
    providerName: Param<string>,
    now: Param<number>,
  ) =>
    drizzle.delete(signOns).where(and(
      eq(signOns.hash, hash),
      eq(signOns.browser, browser),
      eq(signOns.company_id, companyId),
      eq(signOns.provider_name, providerName),
      gt(signOns.expires_at, now),
    )).returning({ kept: signOns.kept }),
);

/** Refuses the batch when the user is deleted, or the driver has changed. */
export function guardSignOn(key: DriverKey, driver: Driver, userId: number): Statement {
  return guardThat(
    "sso",
    sql`exists (select 1 from users u join companies c on c.id = u.company_id
      join sso_drivers d on d.company_id = u.company_id and d.provider_name = u.sso_provider
      where u.id = ${userId} and u.company_id = ${key.company_id} and u.deleted_at is null
      and c.deleted_at is null and d.provider_name = ${key.provider_name} and d.issuer = ${driver.issuer}
      and d.client_id = ${driver.client_id})`,
  );
}
