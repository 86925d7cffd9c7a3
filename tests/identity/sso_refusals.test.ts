import assert from "node:assert/strict";
import { contributions } from "../../src/contributions.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { type Claims, type Lies } from "../support/openid.ts";
import { leave, signedInAs, signInAtProvider, type SsoWorld, ssoWorld, thereAndBack } from "./sso_world.ts";

/** Signs on at a provider that lies, and asserts that nobody is signed in. */
async function assertRefused(app: TestApp, world: SsoWorld, lies: Lies, status = 502): Promise<string> {
  world.provider.lies = lies;
  const browser = new Browser(app.url);
  const back = await thereAndBack(browser, world.path);
  world.provider.lies = {};
  assert.equal(back.status, status, back.text);
  assert.equal(await signedInAs(browser), null);
  assert.deepEqual(await app.sql("select * from sessions"), []);
  return back.text;
}

const saying = (more: (claims: Claims) => Claims): Lies => ({
  claims: (claims) => ({ ...claims, ...more(claims) }),
});

Deno.test("an id_token counts only for this sign-in, client and issuer, and while it is valid", async (t) => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  const seconds = () => Math.floor(app.clock.now() / 1000);
  const lies: Record<string, Lies> = {
    "another nonce": saying(() => ({ nonce: "another" })),
    "no nonce": saying(() => ({ nonce: undefined })),
    "another audience": saying(() => ({ aud: "another" })),
    "no audience": saying(() => ({ aud: undefined })),
    "given to another of several": saying(({ aud }) => ({ aud: [aud, "another"], azp: "another" })),
    "another issuer": saying(() => ({ iss: "https://evil.example.org" })),
    "expired": saying(() => ({ exp: seconds() - 31 })),
    "no end": saying(() => ({ exp: undefined })),
    "not yet valid": saying(() => ({ nbf: seconds() + 60 })),
    "no subject": saying(() => ({ sub: undefined })),
    "a number as subject": saying(() => ({ sub: 4711 })),
  };
  for (const [name, lie] of Object.entries(lies)) {
    await t.step(name, async () => void await assertRefused(app, world, lie));
  }
  await t.step("a valid one afterwards is accepted", async () => {
    const browser = new Browser(app.url);
    assert.equal((await thereAndBack(browser, world.path)).status, 303);
    assert.equal(await signedInAs(browser), world.email);
  });
});

Deno.test("an id_token counts only if signed with a published key of the issuer", async (t) => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  for (
    const signed of [
      "by a key that it does not publish",
      "by nobody",
      "with the client's secret",
      "and changed",
    ] as const
  ) {
    await t.step(signed, async () => void await assertRefused(app, world, { signed }));
  }
  await t.step("for all metadata", async () => {
    const all = (metadata: Claims) => ({
      ...metadata,
      id_token_signing_alg_values_supported: ["none", "HS256", "RS256"],
    });
    app.clock.move(301_000);
    for (const signed of ["by nobody", "with the client's secret"] as const) {
      await assertRefused(app, world, { signed, metadata: all });
    }
  });
  await t.step("no id_token at all", async () => {
    const token = () => Response.json({ access_token: "x", token_type: "Bearer" });
    await assertRefused(app, world, { answer: { "/token": token } });
  });
});

Deno.test("a state works once, in the browser that began", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  const browser = new Browser(app.url);
  const back = await signInAtProvider(browser, world.path);
  const thief = new Browser(app.url);
  await thief.get("/auth/sign-in");
  assert.equal((await thief.get(back)).status, 400);
  assert.equal((await new Browser(app.url).get(back)).status, 400);
  assert.equal((await browser.get(back)).status, 303);
  assert.equal((await browser.get(back)).status, 400);
  assert.equal(world.provider.asked.filter((asked) => asked === "POST /token").length, 1);
});

Deno.test("of one answer sent many times at once one signs in", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  const browser = new Browser(app.url);
  const back = await signInAtProvider(browser, world.path);
  const cookie = `session=${browser.cookies.get("session")}`;
  const replies = await Promise.all(Array.from({ length: 10 }, async () => {
    const response = await fetch(back, { redirect: "manual", headers: { cookie } });
    await response.body?.cancel();
    return response.status;
  }));
  assert.deepEqual(replies.toSorted(), [303, ...Array(9).fill(400)]);
  assert.equal((await app.sql("select * from sessions")).length, 1);
});

Deno.test("a state lives for ten minutes, and expired ones are removed", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  const browser = new Browser(app.url);
  const back = await signInAtProvider(browser, world.path);
  const late = await signInAtProvider(browser, world.path);
  app.clock.move(599_000);
  assert.equal((await browser.get(back)).status, 303);
  browser.cookies.clear();
  const again = await signInAtProvider(browser, world.path);
  app.clock.move(600_000);
  assert.equal((await browser.get(again)).status, 400);
  assert.equal((await browser.get(late)).status, 400);
  const { removeExpired } = await import("../../src/db/expiry.ts");
  await removeExpired(app.deps, app.clock.now(), contributions.lifetimes);
  assert.deepEqual(await app.sql("select * from sign_ons"), []);
});

Deno.test("an unknown, missing or repeated state, and that of another driver, are refused", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  await using other = await ssoWorld(app);
  const browser = new Browser(app.url);
  const back = await signInAtProvider(browser, world.path);
  const [path, query] = back.split("?");
  const wrong = [
    `${path}?code=x`,
    `${path}?code=x&state=unknown`,
    `${back}&state=unknown`,
    `${app.url}${other.path}/callback?${query}`,
  ];
  for (const address of wrong) assert.equal((await browser.get(address)).status, 400, address);
  assert.equal((await browser.get(back)).status, 303);
  assert.ok(![...world.provider.asked, ...other.provider.asked].slice(0, -2).includes("POST /token"));
});

Deno.test("a stored sign-in reveals no state, cookie, nonce or verifier", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  const browser = new Browser(app.url);
  const left = await leave(browser, world.path);
  const asked = new URL(left.headers.get("location")!).searchParams;
  const kept = JSON.stringify(await app.sql("select * from sign_ons"));
  for (const secret of [asked.get("state")!, asked.get("nonce")!, browser.cookies.get("session")!]) {
    assert.ok(secret.length >= 43);
    assert.ok(!kept.includes(secret));
  }
  assert.doesNotMatch(kept, /verifier/);
});

Deno.test("a provider that denies signs nobody in, and the page does not repeat its words", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  const back = (parameters: URLSearchParams) => {
    parameters.delete("code");
    parameters.set("error", "access_denied");
    parameters.set("error_description", "call +1 555 0100 at once");
  };
  const text = await assertRefused(app, world, { back }, 403);
  assert.match(text, /did not confirm who you are/);
  assert.doesNotMatch(text, /555 0100/);
  assert.ok(!world.provider.asked.includes("POST /token"));
});

Deno.test("an answer in the name of another issuer is refused before its code is sent anywhere", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  await assertRefused(app, world, {
    back: (parameters) => parameters.set("iss", "https://honest.example.org"),
  });
  await assertRefused(app, world, { back: (parameters) => parameters.delete("iss") });
  assert.ok(!world.provider.asked.includes("POST /token"));
});

Deno.test("every driver has its own redirect address, and the code is sent with the verifier of its challenge", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  await using other = await ssoWorld(app);
  const asked = await Promise.all([world, other].map(async ({ path }) => {
    const left = await leave(new Browser(app.url), path);
    return new URL(left.headers.get("location")!).searchParams;
  }));
  assert.deepEqual(
    asked.map((query) => query.get("redirect_uri")),
    [world, other].map(({ path }) => `${app.url}${path}/callback`),
  );
  for (const name of ["state", "nonce", "code_challenge"]) {
    assert.notEqual(asked[0]!.get(name), asked[1]!.get(name), name);
  }
  // The provider checks the verifier, so it refuses the code of another sign-in.
  const [browser, victim] = [new Browser(app.url), new Browser(app.url)];
  const stolen = new URL(await signInAtProvider(victim, world.path)).searchParams.get("code")!;
  const back = new URL(await signInAtProvider(browser, world.path));
  back.searchParams.set("code", stolen);
  assert.equal((await browser.get(back.href)).status, 502);
  assert.equal(await signedInAs(browser), null);
});
