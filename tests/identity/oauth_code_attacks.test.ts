/** Attacks on the authorization code grant from the OAuth security guides. */
import assert from "node:assert/strict";
import * as oauth from "oauth4webapi";
import type { Statement } from "../../src/platform/database/database.ts";
import { send, startApp, type TestApp } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import {
  authorizePath,
  codeFor,
  openConsentShop,
  password,
  redeem,
  redirect_uri,
  signIn,
} from "../support/consent.ts";
import { askToken } from "../support/oauth.ts";

async function makeChallenge(verifier: string): Promise<Record<string, string>> {
  const code_challenge = await oauth.calculatePKCECodeChallenge(verifier);
  return { code_challenge, code_challenge_method: "S256" };
}

Deno.test("a verifier must be 43 to 128 unreserved characters, even if its hash matches", async () => {
  await using app = await startApp();
  const { client, email } = await openConsentShop(app);
  for (
    const [verifier, status] of [
      ["v".repeat(42), 400],
      ["v".repeat(43), 200],
      ["v~._-".repeat(25) + "vvv", 200],
      ["v".repeat(129), 400],
      ["v".repeat(42) + "+", 400],
      ["v".repeat(42) + "\n", 400],
    ] as const
  ) {
    const back = await codeFor(app, client.client_id, email, await makeChallenge(verifier));
    const reply = await redeem(app, client, back.searchParams.get("code"), { code_verifier: verifier });
    assert.deepEqual([reply.status, reply.body.error], [
      status,
      status === 400 ? "invalid_grant" : undefined,
    ]);
  }
});

Deno.test("the challenge is not accepted as verifier: there is no plain PKCE", async () => {
  await using app = await startApp();
  const { client, email, browser } = await openConsentShop(app);
  const challenge = await makeChallenge(oauth.generateRandomCodeVerifier());
  const back = await codeFor(app, client.client_id, email, challenge);
  const code = back.searchParams.get("code");
  const reply = await redeem(app, client, code, { code_verifier: challenge.code_challenge });
  assert.deepEqual([reply.status, reply.body.error], [400, "invalid_grant"]);
  await signIn(browser, "/auth/sign-in", email);
  const methods: Record<string, string>[] = [{ code_challenge_method: "plain" }, {
    code_challenge_method: "s256",
  }, {}];
  for (const method of methods) {
    const asked: Record<string, string> = { code_challenge: challenge.code_challenge!, ...method };
    const { status, headers } = await browser.get(authorizePath(client.client_id, asked));
    assert.equal(status, 303);
    assert.equal(new URL(headers.get("location")!).searchParams.get("error"), "invalid_request");
  }
});

Deno.test("an empty parameter counts as absent: state, challenge and verifier", async () => {
  await using app = await startApp();
  const { client, email } = await openConsentShop(app);
  const empty = { state: "", code_challenge: "", code_challenge_method: "", scope: "" };
  const back = await codeFor(app, client.client_id, email, empty);
  assert.equal(back.searchParams.has("state"), false);
  const reply = await redeem(app, client, back.searchParams.get("code"), { code_verifier: "" });
  assert.equal(reply.status, 200, reply.text);
  const bound = await codeFor(app, client.client_id, email, await makeChallenge("v".repeat(43)));
  const stripped = await redeem(app, client, bound.searchParams.get("code"), { code_verifier: "" });
  assert.equal(stripped.body.error, "invalid_grant");
});

Deno.test("a code is redeemed with the redirect_uri of its request, never without", async () => {
  await using app = await startApp();
  const { client, email } = await openConsentShop(app);
  const code = (await codeFor(app, client.client_id, email)).searchParams.get("code");
  for (
    const [given, error] of [[undefined, "invalid_request"], ["", "invalid_request"], [
      redirect_uri.toUpperCase(),
      "invalid_grant",
    ]]
  ) {
    const reply = await redeem(app, client, code, { redirect_uri: given });
    assert.deepEqual([reply.status, reply.body.error], [400, error]);
  }
  assert.equal((await redeem(app, client, code)).status, 200);
});

const likeIt: Record<string, (registered: URL) => string> = {
  "another host": ({ pathname }) => `https://evil.example.org${pathname}`,
  "a host below": ({ host, pathname }) => `https://evil.${host}${pathname}`,
  "a host that begins like it": ({ host, pathname }) => `https://${host}.evil.org${pathname}`,
  "another scheme": ({ host, pathname }) => `http://${host}${pathname}`,
  "user information": ({ host, pathname }) => `https://evil@${host}${pathname}`,
  "its host as user information": ({ host, pathname }) => `https://${host}@evil.org${pathname}`,
  "another port": ({ hostname, pathname }) => `https://${hostname}:8443${pathname}`,
  "the default port": ({ hostname, pathname }) => `https://${hostname}:443${pathname}`,
  "a path through its parent": ({ origin, pathname }) => `${origin}${pathname}/../evil`,
  "a path that leads back": ({ origin, pathname }) => `${origin}/x/..${pathname}`,
  "an encoded path": ({ href }) => `${href}/%2e%2e/evil`,
  "an encoded letter": ({ href }) => href.replace("back", "%62ack"),
  "a slash at the end": ({ href }) => `${href}/`,
  "a part more": ({ href }) => `${href}/more`,
  "an added query": ({ href }) => `${href}?to=evil`,
  "an added fragment": ({ href }) => `${href}#evil`,
  "other letter case in the path": ({ href }) => href.replace("back", "Back"),
  "other letter case in the host": ({ href }) => href.replace("shop", "SHOP"),
  "a backslash": ({ host }) => `https://evil.org\\@${host}/back`,
  "a line break": ({ href }) => `${href}\r\nLocation: https://evil.org`,
  "a space before": ({ href }) => ` ${href}`,
  "javascript": () => "javascript:alert(1)",
  "data": () => "data:text/html,x",
};

Deno.test("only the exact registered redirect_uri is redirected to; similar ones get a page", async (t) => {
  await using app = await startApp();
  const registered = new URL("https://shop.example.org/back");
  const { client: { client_id }, email, browser } = await openConsentShop(app, registered.href);
  const signedIn = new Browser(app.url);
  const consent = await signIn(signedIn, authorizePath(client_id, { redirect_uri: registered.href }), email);
  for (const [what, change] of Object.entries(likeIt)) {
    await t.step(what, async () => {
      const path = authorizePath(client_id, { redirect_uri: change(registered) });
      for (const page of [await browser.get(path), await signedIn.get(path)]) {
        assert.deepEqual([page.status, page.headers.get("location")], [400, null]);
        assert.ok(!page.text.includes("evil"));
      }
      const posted = await signedIn.submit(consent, "/auth/consent", { decision: "allow", next: path });
      assert.equal(posted.headers.get("location")?.startsWith("http") ?? false, false);
    });
  }
  const good = await signedIn.submit(consent, "/auth/consent", { decision: "allow" });
  assert.ok(good.headers.get("location")!.startsWith(`${registered.href}?code=`));
  assert.deepEqual(await app.sql("select count(*) as n from authorization_codes"), [{ n: 1 }]);
});

Deno.test("another port of localhost is not the registered one", async () => {
  await using app = await startApp();
  const registered = "http://localhost:8080/back";
  const { client: { client_id }, browser } = await openConsentShop(app, registered);
  assert.equal((await browser.get(authorizePath(client_id, { redirect_uri: registered }))).status, 200);
  for (
    const other of [
      "http://localhost:8081/back",
      "http://localhost/back",
      "http://127.0.0.1:8080/back",
      "http://[::1]:8080/back",
      "https://localhost:8080/back",
    ]
  ) {
    const page = await browser.get(authorizePath(client_id, { redirect_uri: other }));
    assert.deepEqual([page.status, page.headers.get("location")], [400, null], other);
  }
});

Deno.test("an application without a registered redirect_uri gets no code", async () => {
  await using app = await startApp();
  const { client: { client_id }, browser } = await openConsentShop(app, null);
  for (const uri of [redirect_uri, "", "null"]) {
    const page = await browser.get(authorizePath(client_id, { redirect_uri: uri }));
    assert.deepEqual([page.status, page.headers.get("location")], [400, null]);
  }
});

Deno.test("a signed-in person is asked each time: only a posted consent gives a code", async () => {
  await using app = await startApp();
  const { client: { client_id }, email, browser } = await openConsentShop(app);
  const path = authorizePath(client_id);
  const consent = await signIn(browser, path, email);
  await browser.submit(consent, "/auth/consent", { decision: "allow" });
  const again = await browser.get(path);
  assert.equal(again.status, 200);
  assert.match(again.text, /action="\/auth\/consent"/);
  const query = new URLSearchParams({ decision: "allow", next: path });
  assert.equal((await browser.get(`/auth/consent?${query}`)).status, 405);
  assert.deepEqual(await app.sql("select count(*) as n from authorization_codes"), [{ n: 1 }]);
});

Deno.test("the answer names its issuer, in success and refusal, and the metadata says so", async () => {
  await using app = await startApp({ PUBLIC_URL: "https://crm.example.org" });
  const { client: { client_id }, email, browser } = await openConsentShop(app);
  const { body } = await app.call(null, "GET", "/.well-known/oauth-authorization-server");
  assert.equal(body.authorization_response_iss_parameter_supported, true);
  const back = await codeFor(app, client_id, email, { state: "s" });
  await signIn(browser, "/auth/sign-in", email);
  const refused = await browser.get(authorizePath(client_id, { response_type: "token" }));
  for (const address of [back, new URL(refused.headers.get("location")!)]) {
    assert.deepEqual(address.searchParams.getAll("iss"), [body.issuer]);
  }
  assert.equal(body.issuer, "https://crm.example.org");
});

Deno.test("redirects are 303, which browsers follow without the form, and are not cached", async () => {
  await using app = await startApp();
  const { client: { client_id }, email, browser } = await openConsentShop(app);
  const consent = await signIn(browser, authorizePath(client_id), email);
  for (const decision of ["deny", "allow"]) {
    const { status, headers, text } = await browser.submit(consent, "/auth/consent", { decision });
    assert.deepEqual([status, headers.get("cache-control"), text], [303, "no-store", ""]);
    assert.equal(headers.get("referrer-policy"), "no-referrer");
  }
});

Deno.test("codes and tokens are never in fragments, and response_type token is refused", async () => {
  await using app = await startApp();
  const { client: { client_id }, email, browser } = await openConsentShop(app);
  const back = await codeFor(app, client_id, email, { response_mode: "fragment" });
  assert.equal(back.hash, "");
  await signIn(browser, "/auth/sign-in", email);
  for (const response_type of ["token", "id_token", "code token", "Code", "none"]) {
    const reply = await browser.get(authorizePath(client_id, { response_type }));
    const { searchParams, hash } = new URL(reply.headers.get("location")!);
    assert.deepEqual([searchParams.get("error"), hash], ["unsupported_response_type", ""], response_type);
  }
});

Deno.test("a repeated parameter is refused: by redirect if the client is known, else on a page", async () => {
  await using app = await startApp();
  const { client, email, browser } = await openConsentShop(app);
  await signIn(browser, "/auth/sign-in", email);
  const path = authorizePath(client.client_id, { state: "s" });
  for (const name of ["response_type", "state", "code_challenge", "code_challenge_method"]) {
    const given = new URL(path, app.url).searchParams.get(name) ?? "x";
    const reply = await browser.get(`${path}&${name}=${given}&${name}=${given}`);
    assert.equal(reply.status, 303, name);
    assert.equal(new URL(reply.headers.get("location")!).searchParams.get("error"), "invalid_request", name);
  }
  for (const name of ["client_id", "redirect_uri"]) {
    const given = encodeURIComponent(new URL(path, app.url).searchParams.get(name)!);
    const reply = await browser.get(`${path}&${name}=${given}`);
    assert.deepEqual([reply.status, reply.headers.get("location")], [400, null], name);
  }
});

Deno.test("a code ends with its user, application or company", async () => {
  type Shop = Awaited<ReturnType<typeof openConsentShop>>;
  const markDeleted = (table: string): Statement => ({
    sql: `update ${table} set deleted_at = created_at`,
    args: [],
  });
  const ends: [string, (app: TestApp, shop: Shop) => Promise<unknown>][] = [
    ["invalid_grant", (app) => app.deps.db.write([markDeleted("users")])],
    ["invalid_client", (app) => app.deps.db.write([markDeleted("companies")])],
    ["invalid_client", async (app, { company, client }) => {
      const trusted = await company.token(company.admin.id, true);
      const reply = await app.call(trusted, "DELETE", `/v1/applications/${client.client_id}`);
      assert.equal(reply.status, 204);
    }],
  ];
  for (const [error, end] of ends) {
    await using app = await startApp();
    const made = await openConsentShop(app);
    const code = (await codeFor(app, made.client.client_id, made.email)).searchParams.get("code");
    await end(app, made);
    assert.equal((await redeem(app, made.client, code)).body.error, error);
  }
});

Deno.test("session cookies do not work at the API, nor tokens at the pages", async () => {
  await using app = await startApp();
  const { client, email, browser } = await openConsentShop(app);
  await signIn(browser, authorizePath(client.client_id), email);
  const cookie = browser.cookies.get("session")!;
  const tokens = await askToken(app, { grant_type: "client_credentials", ...client });
  for (const [name, value] of [["Cookie", `session=${cookie}`], ["Authorization", `Bearer ${cookie}`]]) {
    const headers = { [name!]: value! };
    assert.equal((await send(`${app.url}/v1/me`, "GET", null, undefined, headers)).status, 401);
  }
  const page = await send(`${app.url}/auth/sign-in`, "GET", tokens.body.access_token);
  assert.ok(!page.text.includes(email) && page.text.includes('name="password"'));
  assert.ok(!page.text.includes(password));
});
