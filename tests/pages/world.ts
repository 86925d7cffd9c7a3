/** A company with a person who has a password, and a shop that requests access, on loopback. */
import { english, type Texts } from "../../src/identity/auth/pages/texts_en.ts";
import * as oauth from "oauth4webapi";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { type Actor, startApp, type TestApp, type TestCompany } from "../support/app.ts";
import { newClient, type TestClient, withPassword } from "../support/oauth.ts";
import { browserTest } from "./chromium.ts";
import { visit, type Visitor } from "./visitor.ts";

export const loopback = { [oauth.allowInsecureRequests]: true };
export const password = "correct horse";

export interface PageWorld extends Visitor {
  readonly app: TestApp;
  readonly company: TestCompany;
  /** The admin's address. */
  readonly email: string;
  /** A window of another person, without cookies. */
  another(options?: BrowserContextOptions): Promise<Visitor>;
}

/** A test at a browser window, with an app of its own. */
export function pageTest(
  name: string,
  test: (world: PageWorld) => Promise<void>,
  options: BrowserContextOptions = {},
): void {
  browserTest(name, async (browser: Browser) => {
    await using app = await startApp();
    const company = await app.company();
    const email = await withPassword(app, company.admin, password);
    await using visitor = await visit(browser, options);
    await test({ ...visitor, app, company, email, another: (more) => visit(browser, more) });
  });
}

/** Signs in on the page, whose words are those of the browser's language. */
export async function signIn(
  { page }: Visitor,
  email: string,
  secret = password,
  words: Texts = english,
): Promise<void> {
  await page.getByLabel(words.email).fill(email);
  await page.getByLabel(words.password, { exact: true }).fill(secret);
  await press(page, words.signIn);
}

/** Presses a button and waits for the page that follows. */
export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
}

/** The page's heading. */
export async function readHeading(page: Page): Promise<string> {
  return await page.getByRole("heading", { level: 1 }).innerText();
}

export interface Shop extends AsyncDisposable {
  readonly client: TestClient;
  readonly server: oauth.AuthorizationServer;
  readonly redirectUri: string;
  /** The address of an authorization request. */
  asking(more?: Record<string, string>): string;
  /** The address that the first person comes back to; waits for ten seconds. */
  back(): Promise<URL>;
  /** Exchanges the returned code; returns an access token. */
  redeem(back: URL, verifier: string): Promise<string>;
}

/** An application of the actor's company with a web server for the redirect. */
export async function openShop(app: TestApp, actor: Actor, name = "Shop & Sons"): Promise<Shop> {
  const came = Promise.withResolvers<URL>();
  const http = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const url = new URL(request.url);
    if (url.pathname === "/back") came.resolve(url);
    const headers = { "content-type": "text/html" };
    return new Response(
      "<!doctype html><title>Shop</title><link rel='icon' href='data:,'><h1>Thank you</h1>",
      { headers },
    );
  });
  const redirectUri = `http://127.0.0.1:${http.addr.port}/back`;
  const client = await newClient(app, false, actor);
  await app.deps.db.write([{
    sql: "update applications set name = ?, redirect_uri = ? where client_id = ?",
    args: [name, redirectUri, client.client_id],
  }]);
  const issuer = new URL(app.url);
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...loopback }),
  );
  return {
    client,
    server,
    redirectUri,
    async back() {
      const late = setTimeout(() => came.reject(new Error("nobody came back within a minute")), 60_000);
      return await came.promise.finally(() => clearTimeout(late));
    },
    asking(more = {}) {
      const asked = {
        response_type: "code",
        client_id: client.client_id,
        redirect_uri: redirectUri,
        ...more,
      };
      return `${server.authorization_endpoint}?${new URLSearchParams(asked)}`;
    },
    async redeem(url, verifier) {
      const known = { client_id: client.client_id };
      const auth = oauth.ClientSecretBasic(client.client_secret);
      const parameters = oauth.validateAuthResponse(
        server,
        known,
        url,
        url.searchParams.get("state") ?? oauth.expectNoState,
      );
      const answer = await oauth.authorizationCodeGrantRequest(
        server,
        known,
        auth,
        parameters,
        redirectUri,
        verifier,
        loopback,
      );
      return (await oauth.processAuthorizationCodeResponse(server, known, answer)).access_token;
    },
    async [Symbol.asyncDispose]() {
      await http.shutdown();
    },
  };
}
