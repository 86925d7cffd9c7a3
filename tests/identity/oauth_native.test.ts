import assert from "node:assert/strict";
import * as oauth from "oauth4webapi";
import { startApp } from "../support/app.ts";
import { authorizePath, openConsentShop, password, redeem, signIn } from "../support/consent.ts";

const verifier = oauth.generateRandomCodeVerifier();
const pkce = {
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: "S256",
};

/** Signs in, consents and redeems the code. Returns the policy of the consent page and the final status. */
async function journey(registered: string, redirect_uri: string) {
  await using app = await startApp();
  const { client, email, browser } = await openConsentShop(app, registered);
  const consent = await signIn(browser, authorizePath(client.client_id, { redirect_uri, ...pkce }), email);
  const sent = await browser.submit(consent, "/auth/consent", { decision: "allow" });
  assert.equal(sent.status, 303, sent.text);
  const back = new URL(sent.headers.get("location")!);
  assert.equal(back.href.split("?")[0], redirect_uri);
  const more = { redirect_uri, code_verifier: verifier };
  const redeemed = await redeem(app, client, back.searchParams.get("code"), more);
  return { policy: consent.headers.get("content-security-policy")!, page: consent.text, redeemed };
}

for (
  const [registered, sent, source, shown] of [
    ["http://127.0.0.1/back", "http://127.0.0.1:51004/back", "http://127.0.0.1:51004", "127.0.0.1:51004"],
    ["http://127.0.0.1:8080/back", "http://127.0.0.1:9/back", "http://127.0.0.1:9", "127.0.0.1:9"],
    ["http://[::1]:3000/back", "http://[::1]:51004/back", "http:", "[::1]:51004"],
    ["com.example.app:/back", "com.example.app:/back", "com.example.app:", "com.example.app"],
  ] as const
) {
  Deno.test(`an app on the person's machine that registered ${registered} gets its code at ${sent}`, async () => {
    const { policy, page, redeemed } = await journey(registered, sent);
    assert.match(policy, new RegExp(`form-action 'self' ${RegExp.escape(source)}$`));
    assert.ok(page.includes(`sent to ${shown}.`), page);
    assert.equal(redeemed.status, 200, JSON.stringify(redeemed.body));
  });
}

Deno.test("only the port of a loopback address may differ", async () => {
  await using app = await startApp();
  const { client: { client_id }, browser } = await openConsentShop(app, "http://127.0.0.1:8080/back");
  const https = await openConsentShop(app, "https://127.0.0.1:8080/back");
  const named = await openConsentShop(app, "http://localhost:8080/back");
  const requests: [string, string][] = [
    [client_id, "http://127.0.0.1:8080/back/"],
    [client_id, "http://127.0.0.1:8080/BACK"],
    [client_id, "http://127.0.0.1:8080/back?x=1"],
    [client_id, "http://127.0.0.1:99999/back"],
    [client_id, "http://127.0.0.1:80@evil.example.org/back"],
    [client_id, "http://127.0.0.1.evil.example.org/back"],
    [client_id, "http://[::1]:8080/back"],
    [client_id, "https://127.0.0.1:8080/back"],
    [https.client.client_id, "https://127.0.0.1:8081/back"],
    [named.client.client_id, "http://localhost:8081/back"],
  ];
  for (const [id, redirect_uri] of requests) {
    const page = await browser.get(authorizePath(id, { redirect_uri, ...pkce }));
    assert.deepEqual([page.status, page.headers.get("location")], [400, null], redirect_uri);
  }
});

Deno.test("an app on the person's machine must use PKCE", async () => {
  await using app = await startApp();
  const addresses = [
    "http://127.0.0.1:8080/back",
    "com.example.app:/back",
    "HTTP://127.0.0.1/back",
    "http:/127.0.0.1/back",
    "http://app:x@127.0.0.1/back",
    "http://127.1/back",
    "http://[0::1]/back",
  ];
  for (const redirect_uri of addresses) {
    const { client: { client_id }, email, browser } = await openConsentShop(app, redirect_uri);
    const page = await browser.get(authorizePath(client_id, { redirect_uri }));
    const next = await browser.submit(page, "/auth/sign-in", { email, password });
    const refused = await browser.get(next.headers.get("location")!);
    const back = new URL(refused.headers.get("location")!);
    assert.equal(back.searchParams.get("error"), "invalid_request");
    assert.match(back.searchParams.get("error_description")!, /code_challenge/);
  }
});
