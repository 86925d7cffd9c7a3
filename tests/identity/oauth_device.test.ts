import assert from "node:assert/strict";
import * as oauth from "oauth4webapi";
import { startApp, type TestApp } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { askToken, newClient, withPassword } from "../support/oauth.ts";

const loopback = { [oauth.allowInsecureRequests]: true };

async function device(app: TestApp) {
  const company = await app.company();
  const client = await newClient(app, true);
  const ask = (more: object = {}) => askToken(app, { grant_type: "device_code", ...client, ...more });
  const { status, body } = await ask();
  assert.equal(status, 200);
  const poll = async () => {
    const reply = await ask({ device_code: body.device_code });
    return reply.body.error ?? reply.status;
  };
  const activate = (code: unknown) => company.admin.call("POST", "/v1/device-activation", { code });
  return { company, client, ask, started: body, poll, activate };
}

Deno.test("a device gets a code of eight digits, waits for a user, and gets tokens once", async () => {
  await using app = await startApp();
  const { company, ask, started, poll, activate } = await device(app);
  assert.deepEqual(Object.keys(started), ["verification_uri", "user_code", "device_code", "interval"]);
  assert.equal(started.verification_uri, `${app.url}/auth/device`);
  assert.ok(Number.isInteger(started.user_code) && /^[1-9]\d{7}$/.test(String(started.user_code)));
  assert.equal(started.interval, 5);
  app.clock.move(5000);
  assert.equal(await poll(), "authorization_pending");
  assert.equal((await activate(started.user_code)).status, 204);
  app.clock.move(5000);
  const { status, body } = await ask({ device_code: started.device_code });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ["access_token", "token_type", "expires_in", "refresh_token"]);
  assert.equal((await app.call(body.access_token, "GET", "/v1/me")).body.id, company.admin.id);
  app.clock.move(5000);
  assert.equal(await poll(), "invalid_grant");
});

Deno.test("polling too fast gives slow_down, and adds five seconds to the interval", async () => {
  await using app = await startApp();
  const { poll } = await device(app);
  app.clock.move(4999);
  assert.equal(await poll(), "slow_down");
  app.clock.move(9999);
  assert.equal(await poll(), "slow_down");
  app.clock.move(15_000);
  assert.equal(await poll(), "authorization_pending");
  app.clock.move(14_999);
  assert.equal(await poll(), "slow_down");
});

Deno.test("a device code ends after ten minutes", async () => {
  await using app = await startApp();
  const { started, poll, activate } = await device(app);
  app.clock.move(599_999);
  assert.equal(await poll(), "authorization_pending");
  app.clock.move(1);
  assert.equal(await poll(), "expired_token");
  const reply = await activate(started.user_code);
  assert.deepEqual([reply.status, reply.body.errors[0].path], [422, "code"]);
});

Deno.test("a device code works for its own client, and only for trusted ones", async () => {
  await using app = await startApp();
  const { company, started } = await device(app);
  const other = await newClient(app, true);
  const ask = (client: object, more: object) =>
    askToken(app, { grant_type: "device_code", ...client, ...more });
  assert.equal((await ask(other, { device_code: started.device_code })).body.error, "invalid_grant");
  const plain = await newClient(app, false, company.admin);
  assert.equal((await ask(plain, {})).body.error, "unauthorized_client");
});

Deno.test("after ten wrong codes in ten minutes a user gets 429, also for the right code, and others do not", async () => {
  await using app = await startApp();
  const { company, started, activate } = await device(app);
  for (let n = 0; n < 10; n++) assert.equal((await activate(n)).status, 422);
  const limited = await activate(started.user_code);
  assert.deepEqual([limited.status, limited.body.code], [429, "rate_limited"]);
  assert.equal(limited.headers.get("retry-after"), "600");
  assert.equal(limited.headers.get("ratelimit"), '"device-code";r=0;t=600');
  const other = await company.user();
  const reply = await other.call("POST", "/v1/device-activation", { code: started.user_code });
  assert.equal(reply.status, 204);
  app.clock.move(600_000);
  assert.equal((await activate(1)).status, 422);
});

Deno.test("of a hundred concurrent wrong codes and the right one, the right one after ten wrong ones is refused", async () => {
  await using app = await startApp();
  const { started, activate } = await device(app);
  const codes = [...Array.from({ length: 100 }, (_, n) => n), started.user_code];
  const replies = await Promise.all(codes.map(activate));
  assert.equal(replies.at(-1)!.status, 429);
});

Deno.test("a standard client connects a device by RFC 8628", async () => {
  await using app = await startApp();
  const { company, client: { client_id, client_secret }, activate } = await device(app);
  const issuer = new URL(app.url);
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...loopback }),
  );
  const client: oauth.Client = { client_id };
  const auth = oauth.ClientSecretPost(client_secret);
  const started = await oauth.processDeviceAuthorizationResponse(
    server,
    client,
    await oauth.deviceAuthorizationRequest(server, client, auth, {}, loopback),
  );
  assert.deepEqual([started.expires_in, started.interval], [600, 5]);
  const poll = async () =>
    await oauth.processDeviceCodeResponse(
      server,
      client,
      await oauth.deviceCodeGrantRequest(server, client, auth, started.device_code, loopback),
    );
  app.clock.move(5000);
  await assert.rejects(poll, { error: "authorization_pending" });
  assert.equal((await activate(Number(started.user_code))).status, 204);
  app.clock.move(5000);
  const tokens = await poll();
  assert.equal((await app.call(tokens.access_token, "GET", "/v1/me")).body.id, company.admin.id);
});

Deno.test("a person allows or denies a device at its page, after signing in", async () => {
  await using app = await startApp();
  const { company, client, started, poll } = await device(app);
  const password = "correct horse";
  const email = await withPassword(app, company.admin, password);
  const browser = new Browser(app.url);
  const page = await browser.get(`/auth/device?user_code=${started.user_code}`);
  const signedIn = await browser.submit(page, "/auth/sign-in", { email, password });
  const form = await browser.follow(signedIn);
  assert.ok(form.text.includes(`value="${started.user_code}"`), form.text);
  assert.ok(form.text.includes(email) && !form.text.includes("decision"), "the code comes first");
  const wrong = await browser.submit(form, "/auth/device", { code: "1", decision: "allow" });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /role="alert"/);
  const spaced = String(started.user_code).replace(/^(.{4})/, "$1 ");
  const stranger = new Browser(app.url);
  await stranger.get("/auth/device");
  assert.equal(
    (await stranger.submit(form, "/auth/device", { code: spaced, decision: "allow" })).status,
    403,
  );
  const named = await browser.submit(form, "/auth/device", { code: spaced });
  assert.match(named.text, /<h1>Allow [^<]+ to use your account\?<\/h1>/);
  assert.ok(named.text.includes("everything that you can see and change"));
  app.clock.move(5000);
  assert.equal(await poll(), "authorization_pending", "showing the application allows nothing");
  const unknown = await browser.submit(form, "/auth/device", { code: "2" });
  assert.equal(unknown.status, 422);
  const allowed = await browser.submit(named, "/auth/device", { decision: "allow" });
  assert.equal(allowed.status, 200);
  app.clock.move(5000);
  assert.equal(await poll(), 200);

  const { body: second } = await askToken(app, { grant_type: "device_code", ...client });
  const denied = await browser.submit(form, "/auth/device", {
    code: String(second.user_code),
    decision: "deny",
  });
  assert.equal(denied.status, 200);
  app.clock.move(5000);
  const reply = await askToken(app, {
    grant_type: "device_code",
    ...client,
    device_code: second.device_code,
  });
  assert.equal(reply.body.error, "access_denied");
  for (let n = 0; n < 8; n++) await browser.submit(form, "/auth/device", { code: "2", decision: "allow" });
  const limited = await browser.submit(form, "/auth/device", { code: "2", decision: "allow" });
  assert.deepEqual([limited.status, limited.headers.get("retry-after")], [429, "585"]);
});
