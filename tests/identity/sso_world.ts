/** A company with people who sign on through a provider, and helpers for their way there and back. */
import assert from "node:assert/strict";
import type { TestApp, TestCompany } from "../support/app.ts";
import { Browser, type Shown } from "../support/browser.ts";
import { type Provider, startProvider } from "../support/openid.ts";

export interface SsoWorld extends AsyncDisposable {
  readonly company: TestCompany;
  readonly provider: Provider;
  /** The address of the user with the subject 4711. */
  readonly email: string;
  readonly userId: number;
  /** The path of the sign-in, without `next`. */
  readonly path: string;
}

/** The driver's name is `Acme ID`. */
export async function ssoWorld(app: TestApp, methods?: string[]): Promise<SsoWorld> {
  const provider = startProvider(() => app.clock.now(), methods);
  const company = await app.company();
  await setDrivers(company, [{ provider_name: "Acme ID", issuer: provider.issuer, ...provider.client }]);
  const user = await company.user();
  await connect(app, user.id, "4711");
  const [row] = await app.sql("select email from users where id = ?", user.id);
  return {
    company,
    provider,
    email: row!.email as string,
    userId: user.id,
    path: `/auth/sso/${company.id}/Acme%20ID`,
    [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose](),
  };
}

export async function setDrivers(company: TestCompany, drivers: unknown): Promise<void> {
  const reply = await company.admin.call("PUT", `/v1/companies/${company.id}/sso`, drivers);
  assert.equal(reply.status, 200, reply.text);
}

/** Connects the user to this subject of the provider. */
export async function connect(app: TestApp, userId: number, subject: string): Promise<void> {
  await app.deps.db.write([{
    sql: "update users set sso_provider = 'Acme ID', sso_user_id = ? where id = ?",
    args: [subject, userId],
  }]);
}

/** Follows the link to the provider; returns the page if it has none. */
export async function leave(browser: Browser, path: string): Promise<Shown> {
  const page = await browser.get(path);
  const link = /href="([^"]+)">Continue with/.exec(page.text)?.[1];
  return link ? await browser.get(link.replaceAll("&amp;", "&")) : page;
}

/** Signs in at the provider; returns the address that it sends the person back to. */
export async function signInAtProvider(browser: Browser, path: string): Promise<string> {
  const left = await leave(browser, path);
  assert.equal(left.status, 303, left.text);
  const response = await fetch(left.headers.get("location")!, { redirect: "manual" });
  assert.equal(response.status, 302, await response.text());
  return response.headers.get("location")!;
}

/** Signs in at the provider and comes back. */
export async function thereAndBack(browser: Browser, path: string): Promise<Shown> {
  return await browser.get(await signInAtProvider(browser, path));
}

/** The signed-in person's address; null for none. */
export async function signedInAs(browser: Browser): Promise<string | null> {
  const { text } = await browser.get("/auth/sign-in");
  return /Signed in as (\S+)\./.exec(text)?.[1] ?? null;
}
