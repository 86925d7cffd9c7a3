import assert from "node:assert/strict";
import * as oauth from "oauth4webapi";
import { makeBasicHeader, newClient, type TestClient, withPassword } from "../support/oauth.ts";
import { loopback, openShop, pageTest, password, press, readHeading, signIn } from "./world.ts";

pageTest(
  "with the keyboard alone a person signs in, consents and is sent to the application, which redeems the code",
  async (world) => {
    const { app, company, email, page, looks, focusOrder } = world;
    await using shop = await openShop(app, company.admin);
    const verifier = oauth.generateRandomCodeVerifier();
    await page.goto(shop.asking({
      state: "s1",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }));
    await page.locator("#email:focus").waitFor();
    await page.keyboard.type(email);
    await page.keyboard.press("Tab");
    await page.keyboard.type(password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Allow Shop & Sons to use your account?" }).waitFor();
    await looks("consent");
    assert.deepEqual(await focusOrder(), ["Allow", "Deny", "Use another account"]);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    const back = await shop.back();
    assert.equal(back.searchParams.get("state"), "s1");
    const token = await shop.redeem(back, verifier);
    assert.equal((await app.call(token, "GET", "/v1/me")).body.id, company.admin.id);
  },
);

pageTest(
  "without scripts a person can sign in and decide; denying sends them back without a code",
  async (world) => {
    const { app, company, email, page } = world;
    await using shop = await openShop(app, company.admin);
    await page.goto(shop.asking({ state: "s2", ...await withChallenge() }));
    await signIn(world, email);
    await press(page, "Deny");
    const back = await shop.back();
    assert.equal(back.searchParams.get("error"), "access_denied");
    assert.equal(back.searchParams.get("state"), "s2");
    assert.equal(back.searchParams.get("code"), null);
  },
  { javaScriptEnabled: false },
);

pageTest(
  "an application gets the errors of its request once a person has signed in, also at the second try",
  async (world) => {
    const { app, company, email, page } = world;
    await using shop = await openShop(app, company.admin);
    await page.goto(shop.asking({ response_type: "token" }));
    await signIn(world, email, "wrong horse");
    await page.getByRole("alert").waitFor();
    await signIn(world, email);
    const back = await shop.back();
    assert.equal(back.searchParams.get("error"), "unsupported_response_type");
  },
);

pageTest(
  "another person can sign in and continue to the same application; one of another company cannot allow it",
  async (world) => {
    const { app, company, email, page, looks } = world;
    await using shop = await openShop(
      app,
      company.admin,
      "A_very_long_name_without_any_place_to_break_it_".repeat(3),
    );
    const stranger = await withPassword(app, (await app.company("Other")).admin, password);
    await page.goto(shop.asking(await withChallenge()));
    await signIn(world, stranger);
    assert.equal(await readHeading(page), "This application belongs to another company");
    await looks("other-company");
    await press(page, "Use another account");
    await signIn(world, email);
    assert.match(await readHeading(page), /^Allow A_very_long/);
    await looks("consent-long-name");
  },
);

pageTest(
  "an unsafe request shows a page, and redirects nowhere",
  async ({ app, company, page, looks }) => {
    await using shop = await openShop(app, company.admin);
    await page.goto(`${app.url}/auth/?response_type=code&client_id=nobody`);
    assert.equal(await readHeading(page), "This application is unknown");
    await looks("unknown-application");
    await page.goto(shop.asking({ redirect_uri: "https://evil.example.org/" }));
    assert.equal(await readHeading(page), "This request is not safe");
    assert.equal(new URL(page.url()).origin, app.url);
  },
);

pageTest(
  "a person allows a device by its code, typed in groups; a wrong code is an error, and a device can be denied",
  async (world) => {
    const { app, email, page, looks, focusOrder } = world;
    const client: oauth.Client & TestClient = { ...await newClient(app, true) };
    const issuer = new URL(app.url);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...loopback }),
    );
    const start = async () => {
      const auth = oauth.ClientSecretBasic(client.client_secret);
      const answer = await oauth.deviceAuthorizationRequest(server, client, auth, {}, loopback);
      return await oauth.processDeviceAuthorizationResponse(server, client, answer);
    };
    const poll = async (code: string) => {
      app.clock.move(10_000);
      const form = { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: code };
      const headers = makeBasicHeader(client.client_id, client.client_secret);
      const reply = await fetch(`${app.url}/auth/token`, {
        method: "POST",
        body: new URLSearchParams(form),
        headers,
      });
      const body = await reply.json();
      return body.error ?? Object.keys(body)[0];
    };
    const first = await start();
    await page.goto(first.verification_uri);
    await signIn(world, email);
    assert.equal(await readHeading(page), "Connect a device");
    await looks("device");
    await page.locator("#code:focus").waitFor();
    await page.keyboard.type("0000 0000");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    await looks("device-wrong");
    assert.deepEqual(await focusOrder(), ["Code", "Continue", "Use another account"]);
    const code = String(first.user_code);
    await page.getByLabel("Code").fill(`${code.slice(0, 4)} ${code.slice(4)}`);
    await press(page, "Continue");
    assert.match(await readHeading(page), /^Allow .+ to use your account\?$/);
    await looks("device-consent");
    assert.deepEqual(await focusOrder(), ["Allow", "Deny", "Use another account"]);
    await press(page, "Allow");
    assert.equal(await readHeading(page), "The device is connected");
    await looks("device-allowed");
    assert.equal(await poll(first.device_code), "access_token");
    const second = await start();
    await page.goto(second.verification_uri_complete!);
    assert.equal(await page.getByLabel("Code").inputValue(), String(second.user_code));
    await press(page, "Continue");
    await press(page, "Deny");
    assert.equal(await readHeading(page), "The device was denied");
    assert.equal(await poll(second.device_code), "access_denied");
  },
);

/** An application on the person's own machine must send a challenge. */
async function withChallenge() {
  const challenge = await oauth.calculatePKCECodeChallenge(oauth.generateRandomCodeVerifier());
  return { code_challenge: challenge, code_challenge_method: "S256" };
}
