import assert from "node:assert/strict";
import * as oauth from "oauth4webapi";
import { startApp, type TestApp } from "../support/app.ts";
import { Browser, type Shown } from "../support/browser.ts";
import {
  authorizePath,
  codeFor,
  openConsentShop,
  password,
  redeem,
  redirect_uri,
  signIn,
} from "../support/consent.ts";
import { askToken, withPassword } from "../support/oauth.ts";

const loopback = { [oauth.allowInsecureRequests]: true };

async function works(app: TestApp, token: string): Promise<boolean> {
  return (await app.call(token, "GET", "/v1/me")).status === 200;
}

Deno.test("a standard client gets a code with PKCE after consent, redeems and refreshes it", async () => {
  await using app = await startApp();
  const { company, client: { client_id, client_secret }, email } = await openConsentShop(app);
  const issuer = new URL(app.url);
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...loopback }),
  );
  assert.equal(server.authorization_endpoint, `${app.url}/auth/`);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const back = await codeFor(app, client_id, email, {
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  assert.equal(back.searchParams.get("from"), "crm");
  const client: oauth.Client = { client_id };
  const parameters = oauth.validateAuthResponse(server, client, back, state);
  const auth = oauth.ClientSecretBasic(client_secret);
  const tokens = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(
      server,
      client,
      auth,
      parameters,
      redirect_uri,
      verifier,
      loopback,
    ),
  );
  assert.equal(tokens.expires_in, 3600);
  assert.equal((await app.call(tokens.access_token, "GET", "/v1/me")).body.id, company.admin.id);
  const next = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, auth, tokens.refresh_token!, loopback),
  );
  assert.equal(await works(app, next.access_token), true);
});

Deno.test("a code lives 60 seconds", async () => {
  for (const [age, status] of [[59_999, 200], [60_000, 400]] as const) {
    await using app = await startApp();
    const { client, email } = await openConsentShop(app);
    const code = (await codeFor(app, client.client_id, email)).searchParams.get("code");
    app.clock.move(age);
    const reply = await redeem(app, client, code);
    assert.equal(reply.status, status);
    if (status === 400) assert.equal(reply.body.error, "invalid_grant");
  }
});

Deno.test("a second use of a code ends the tokens of the first, including refreshed ones", async () => {
  await using app = await startApp();
  const { client, email } = await openConsentShop(app);
  const code = (await codeFor(app, client.client_id, email)).searchParams.get("code");
  const { body: first } = await redeem(app, client, code);
  const { body: next } = await askToken(app, {
    grant_type: "refresh_token",
    ...client,
    refresh_token: first.refresh_token,
  });
  app.clock.move(120_000);
  assert.equal((await redeem(app, client, code)).body.error, "invalid_grant");
  assert.deepEqual([await works(app, first.access_token), await works(app, next.access_token)], [
    false,
    false,
  ]);
});

Deno.test("of a hundred concurrent redemptions of a code one succeeds, and its tokens end", async () => {
  await using app = await startApp();
  const { client, email } = await openConsentShop(app);
  const code = (await codeFor(app, client.client_id, email)).searchParams.get("code");
  const replies = await Promise.all(Array.from({ length: 100 }, () => redeem(app, client, code)));
  const won = replies.filter(({ status }) => status === 200);
  assert.equal(won.length, 1);
  assert.equal(replies.filter(({ body }) => body.error === "invalid_grant").length, 99);
  assert.equal(await works(app, won[0]!.body.access_token), false);
});

Deno.test("a code works for its own client, redirect_uri and verifier; mistakes do not use it up", async () => {
  await using app = await startApp();
  const { company, client, email } = await openConsentShop(app);
  const trusted = await company.token(company.admin.id, true);
  const { body: other } = await app.call(trusted, "POST", "/v1/applications", {
    name: "Other",
    redirect_uri,
  });
  const verifier = oauth.generateRandomCodeVerifier();
  const back = await codeFor(app, client.client_id, email, {
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  const code = back.searchParams.get("code");
  const mistakes = [
    await redeem(app, { client_id: other.client_id, client_secret: other.client_secret }, code, {
      code_verifier: verifier,
    }),
    await redeem(app, client, code, {
      code_verifier: verifier,
      redirect_uri: "https://shop.example.org/back",
    }),
    await redeem(app, client, code, { code_verifier: oauth.generateRandomCodeVerifier() }),
    await redeem(app, client, code),
    await redeem(app, client, "unknown", { code_verifier: verifier }),
  ];
  assert.deepEqual(mistakes.map(({ status, body }) => [status, body.error]), [
    [400, "invalid_grant"],
    [400, "invalid_grant"],
    [400, "invalid_grant"],
    [400, "invalid_grant"],
    [400, "invalid_grant"],
  ]);
  assert.equal((await redeem(app, client, code, { code_verifier: verifier })).status, 200);
});

Deno.test("a verifier for a code without a challenge is refused", async () => {
  await using app = await startApp();
  const { client, email } = await openConsentShop(app);
  const code = (await codeFor(app, client.client_id, email)).searchParams.get("code");
  const reply = await redeem(app, client, code, { code_verifier: oauth.generateRandomCodeVerifier() });
  assert.equal(reply.body.error, "invalid_grant");
});

Deno.test("a wrong client or redirect address is shown and never redirected", async () => {
  await using app = await startApp();
  const { client: { client_id }, browser } = await openConsentShop(app);
  const good = { response_type: "code", client_id, redirect_uri };
  for (
    const query of [
      new URLSearchParams({ response_type: "code", redirect_uri }),
      new URLSearchParams({ ...good, client_id: "unknown" }),
      new URLSearchParams({ ...good, redirect_uri: "https://evil.example.org/" }),
      new URLSearchParams({ ...good, redirect_uri: `${redirect_uri}/` }),
      new URLSearchParams({ response_type: "code", client_id }),
      `${new URLSearchParams(good)}&redirect_uri=${encodeURIComponent("https://evil.example.org/")}`,
    ]
  ) {
    const page = await browser.get(`/auth/?${query}`);
    assert.equal(page.status, 400, `${query}`);
    assert.equal(page.headers.get("location"), null);
    assert.match(page.headers.get("content-type")!, /^text\/html/);
  }
});

Deno.test("other errors are redirected to the application, with its state", async () => {
  await using app = await startApp();
  const { client: { client_id }, email, browser } = await openConsentShop(app);
  await signIn(browser, "/auth/sign-in", email);
  const challenge = "x".repeat(43);
  for (
    const [more, error] of [
      [{ response_type: "token" }, "unsupported_response_type"],
      [{ response_type: "" }, "invalid_request"],
      [{ code_challenge: challenge }, "invalid_request"],
      [{ code_challenge: challenge, code_challenge_method: "plain" }, "invalid_request"],
      [{ code_challenge: "short", code_challenge_method: "S256" }, "invalid_request"],
      [{ code_challenge_method: "S256" }, "invalid_request"],
    ] as [Record<string, string>, string][]
  ) {
    const reply = await browser.get(authorizePath(client_id, { state: "a&b", ...more }));
    assert.equal(reply.status, 303);
    const back = new URL(reply.headers.get("location")!);
    assert.equal(back.origin + back.pathname, "https://shop.example.org/back");
    assert.deepEqual([back.searchParams.get("error"), back.searchParams.get("state")], [error, "a&b"]);
    assert.equal(back.searchParams.get("code"), null);
  }
});

Deno.test("the consent page names the application, its company, its access, the account and the host", async () => {
  await using app = await startApp();
  const { client: { client_id }, email, browser } = await openConsentShop(app);
  const { text } = await signIn(browser, authorizePath(client_id), email);
  const said = text.slice(text.indexOf("<main>")).replaceAll(/<[^>]*>/g, " ");
  for (const words of ["Shop &amp; Co", "belongs to Acme.", "see and change", email, "shop.example.org."]) {
    assert.ok(said.includes(words), `${words} in ${said}`);
  }
});

Deno.test("denying sends access_denied to the application", async () => {
  await using app = await startApp();
  const { client: { client_id }, email, browser } = await openConsentShop(app);
  const consent = await signIn(browser, authorizePath(client_id, { state: "s" }), email);
  assert.ok(consent.text.includes("Shop &amp; Co") && consent.text.includes(email));
  const sent = await browser.submit(consent, "/auth/consent", { decision: "deny" });
  const back = new URL(sent.headers.get("location")!);
  assert.deepEqual([back.searchParams.get("error"), back.searchParams.get("state")], ["access_denied", "s"]);
});

Deno.test("people authorize applications of their own company, and trusted ones", async () => {
  await using app = await startApp();
  const { client: { client_id } } = await openConsentShop(app);
  const other = await app.company();
  const email = await withPassword(app, other.admin, password);
  const browser = new Browser(app.url);
  const page = await signIn(browser, authorizePath(client_id), email);
  assert.equal(page.status, 403);
  const forced = await browser.submit(page, "/auth/sign-out", {});
  assert.equal(forced.status, 303);
  const again = new Browser(app.url);
  const refused = await signIn(again, authorizePath(client_id), email);
  const posted = await again.post("/auth/consent", {
    ...readHidden(refused),
    decision: "allow",
  });
  assert.equal(posted.status, 403);
  await app.deps.db.write([{
    sql: "update applications set trusted = 1 where client_id = ?",
    args: [client_id],
  }]);
  const back = await codeFor(app, client_id, email);
  assert.ok(back.searchParams.get("code"));
});

function readHidden(page: Shown): Record<string, string> {
  const token = /name="token" value="([^"]*)"/.exec(page.text)![1]!;
  const next = /name="next" value="([^"]*)"/.exec(page.text)![1]!.replaceAll("&amp;", "&");
  return { token, next };
}
