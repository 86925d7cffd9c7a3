/** The steps of an OAuth authorization in tests: sign in, consent, redeem the code. */
import assert from "node:assert/strict";
import type { TestApp } from "./app.ts";
import { Browser, type Shown } from "./browser.ts";
import { askToken, withPassword } from "./oauth.ts";

export const redirect_uri = "https://shop.example.org/back?from=crm";
export const password = "correct horse";

/** Creates a company, an application that registered the address, and a password for the company's admin. */
export async function openConsentShop(app: TestApp, registered: string | null = redirect_uri) {
  const company = await app.company();
  const trusted = await company.token(company.admin.id, true);
  const { body } = await app.call(trusted, "POST", "/v1/applications", {
    name: "Shop & Co",
    redirect_uri: registered,
  });
  const email = await withPassword(app, company.admin, password);
  const client: { client_id: string; client_secret: string } = body;
  return { company, client, email, browser: new Browser(app.url) };
}

/** Returns the path to which an application sends a person. */
export function authorizePath(client_id: string, more: Record<string, string> = {}): string {
  return `/auth/?${new URLSearchParams({ response_type: "code", client_id, redirect_uri, ...more })}`;
}

/** Opens the path, signs in and returns the page that follows. */
export async function signIn(browser: Browser, path: string, email: string): Promise<Shown> {
  const page = await browser.get(path);
  assert.equal(page.status, 200, page.text);
  return await browser.follow(await browser.submit(page, "/auth/sign-in", { email, password }));
}

/** Signs in and consents. Returns the address of the redirect, with the code in its query. */
export async function codeFor(
  app: TestApp,
  client_id: string,
  email: string,
  more: Record<string, string> = {},
) {
  const browser = new Browser(app.url);
  const consent = await signIn(browser, authorizePath(client_id, more), email);
  const sent = await browser.submit(consent, "/auth/consent", { decision: "allow" });
  assert.equal(sent.status, 303, sent.text);
  return new URL(sent.headers.get("location")!);
}

/** Redeems a code at the token endpoint, as the application would. */
export function redeem(app: TestApp, client: object, code: string | null, more: object = {}) {
  return askToken(app, { grant_type: "authorization_code", ...client, redirect_uri, code, ...more });
}
