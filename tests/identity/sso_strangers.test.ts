import assert from "node:assert/strict";
import { startApp, type TestApp } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { startTarget } from "../support/listener.ts";
import { type Lies, startProvider } from "../support/openid.ts";
import { leave, setDrivers, signedInAs, type SsoWorld, ssoWorld, thereAndBack } from "./sso_world.ts";

const metadataPath = "/.well-known/openid-configuration";

/** Begins a sign-in at a provider with invalid metadata. */
async function notLeft(app: TestApp, world: SsoWorld, lies: Lies): Promise<void> {
  world.provider.lies = lies;
  // The cached metadata have expired by now.
  app.clock.move(301_000);
  const left = await leave(new Browser(app.url), world.path);
  assert.equal(left.status, 502, left.text);
  assert.match(left.text, /not available/);
  assert.deepEqual(await app.sql("select * from sign_ons"), []);
}

Deno.test("redirecting, foreign, too large, malformed and missing metadata are refused", async (t) => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  await using other = startProvider(() => app.clock.now());
  const answering = (answer: () => Response): Lies => ({ answer: { [metadataPath]: answer } });
  const redirect = new Response(null, { status: 302, headers: { location: other.issuer + metadataPath } });
  const lies: Record<string, Lies> = {
    "redirect": answering(() => redirect.clone()),
    "another issuer's": { metadata: (metadata) => ({ ...metadata, issuer: other.issuer }) },
    "too large": { metadata: (metadata) => ({ ...metadata, more: "x".repeat(2 ** 20) }) },
    "no JSON": answering(() => new Response("<!doctype html>")),
    "null": answering(() => Response.json(null)),
    "a list": answering(() => Response.json([])),
    "missing": answering(() => new Response(null, { status: 404 })),
    "empty": answering(() => new Response(null, { status: 204 })),
    "no authorization_endpoint": { metadata: ({ authorization_endpoint: _, ...rest }) => rest },
    "a script for an address": {
      metadata: (metadata) => ({ ...metadata, authorization_endpoint: "javascript:alert(1)" }),
    },
    "a number for an address": { metadata: (metadata) => ({ ...metadata, authorization_endpoint: 7 }) },
  };
  for (const [name, lie] of Object.entries(lies)) await t.step(name, () => notLeft(app, world, lie));
  assert.deepEqual(other.asked, []);
});

Deno.test("a provider that fails, redirects or answers nonsense for tokens or keys signs nobody in", async (t) => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  const target = startTarget();
  const redirect = new Response(null, { status: 307, headers: { location: target.url } });
  const answers: Record<string, () => Response> = {
    "500": () => new Response("oops", { status: 500 }),
    "redirect": () => redirect.clone(),
    "no JSON": () => new Response("hello"),
    "null": () => Response.json(null),
    "an error": () => Response.json({ error: "invalid_client" }, { status: 401 }),
    "endless": () =>
      new Response(
        new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)) }),
        { headers: { "content-type": "application/json" } },
      ),
  };
  for (const path of ["/token", "/jwks"]) {
    for (const [name, answer] of Object.entries(answers)) {
      await t.step(`${name} at ${path}`, async () => {
        world.provider.lies = { answer: { [path]: answer } };
        // Cached keys expire with the metadata.
        app.clock.move(301_000);
        const browser = new Browser(app.url);
        const back = await thereAndBack(browser, world.path);
        assert.equal(back.status, 502, back.text);
        assert.equal(await signedInAs(browser), null);
      });
    }
  }
  assert.deepEqual(target.received, []);
  await target.close();
});

Deno.test("where private targets are not allowed a private provider is not called", async () => {
  await using app = await startApp({ WEBHOOK_ALLOW_PRIVATE: "false" });
  await using allowing = await startApp();
  await using world = await ssoWorld(allowing);
  // A driver from before the rule; all its addresses are private.
  const company = await app.company();
  const { seal } = await import("../../src/platform/crypto.ts");
  await app.deps.db.write([{
    sql: "insert into sso_drivers (company_id, provider_name, issuer, client_id, client_secret, position) " +
      "values (?, 'Acme ID', ?, 'crm', ?, 0)",
    args: [company.id, world.provider.issuer, seal(app.deps.secretsKey, "secret")],
  }]);
  const left = await leave(new Browser(app.url), `/auth/sso/${company.id}/Acme%20ID`);
  assert.equal(left.status, 502);
  assert.deepEqual(world.provider.asked, []);
});

Deno.test("token and key endpoints at forbidden addresses are not called", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  const { provider } = world;
  for (const [name, path] of [["token_endpoint", "/token"], ["jwks_uri", "/jwks"]] as const) {
    const own = provider.issuer + path;
    for (const address of [own.replace("http:", "ftp:"), own.replace("//", "//user:word@")]) {
      provider.lies = { metadata: (metadata) => ({ ...metadata, [name]: address }) };
      app.clock.move(301_000);
      assert.equal((await thereAndBack(new Browser(app.url), world.path)).status, 502, address);
    }
    assert.ok(!provider.asked.some((asked) => asked.endsWith(path)), path);
  }
});

Deno.test("metadata are fetched once in five minutes, after a failure again after ten seconds", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  const { provider } = world;
  const countAsked = () => provider.asked.filter((one) => one === `GET ${metadataPath}`).length;
  const leaves = async () => (await leave(new Browser(app.url), world.path)).status;
  assert.deepEqual(await Promise.all([leaves(), leaves(), leaves()]), [303, 303, 303]);
  app.clock.move(299_000);
  assert.equal(await leaves(), 303);
  assert.equal(countAsked(), 1);
  provider.lies = { answer: { [metadataPath]: () => new Response(null, { status: 503 }) } };
  app.clock.move(1_000);
  assert.deepEqual([await leaves(), await leaves(), countAsked()], [502, 502, 2]);
  provider.lies = {};
  app.clock.move(9_000);
  assert.deepEqual([await leaves(), countAsked()], [502, 2]);
  app.clock.move(1_000);
  assert.deepEqual([await leaves(), countAsked()], [303, 3]);
});

Deno.test("an unavailable provider is a page, and the log has the reason without secrets", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  const closed = startProvider(() => 0);
  await closed[Symbol.asyncDispose]();
  await setDrivers(world.company, [{ provider_name: "Acme ID", issuer: closed.issuer, ...closed.client }]);
  const left = await leave(new Browser(app.url), world.path);
  assert.equal(left.status, 502);
  const entry = app.log.entries.find(({ event }) => event === "sso_failed");
  assert.match(String(entry?.error), /connection refused/);
  assert.equal(entry?.provider_name, "Acme ID");
  world.provider.lies = {
    answer: { "/token": () => Response.json({ error: "invalid_client" }, { status: 401 }) },
  };
  await setDrivers(world.company, [
    { provider_name: "Acme ID", issuer: world.provider.issuer, ...world.provider.client },
  ]);
  await thereAndBack(new Browser(app.url), world.path);
  const lines = JSON.stringify(app.log.entries);
  assert.ok(app.log.entries.filter(({ event }) => event === "sso_failed").length === 2);
  assert.ok(!lines.includes(world.provider.client.client_secret));
  assert.ok(!lines.includes("state="));
});
