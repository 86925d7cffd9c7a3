import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { newClient, withPassword } from "../support/oauth.ts";
import { connect, setDrivers, signedInAs, signInAtProvider, ssoWorld, thereAndBack } from "./sso_world.ts";

Deno.test("a person signs in through the company's provider and continues where they began", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  const browser = new Browser(app.url);
  const next = "/auth/device?user_code=12345678";
  const back = await thereAndBack(browser, `${world.path}?${new URLSearchParams({ next })}`);
  assert.equal(back.status, 303, back.text);
  assert.equal(back.headers.get("location"), next);
  assert.equal(await signedInAs(browser), world.email);
  assert.deepEqual(world.provider.asked, [
    "GET /.well-known/openid-configuration",
    "GET /authorize",
    "POST /token",
    "GET /jwks",
  ]);
});

Deno.test("an application's sign-in page offers its company's providers, and its authorization continues", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  const { company } = world;
  const path = `/v1/applications`;
  const trusted = await company.token(company.admin.id, true);
  const made = await app.call(trusted, "POST", path, {
    name: "Shop",
    redirect_uri: "https://shop.example/cb",
  });
  const request = `/auth/?${new URLSearchParams({
    response_type: "code",
    client_id: made.body.client_id,
    redirect_uri: "https://shop.example/cb",
    state: "s",
  })}`;
  const browser = new Browser(app.url);
  const page = await browser.get(request);
  const link = /href="([^"]+)">Continue with Acme ID</.exec(page.text)?.[1]?.replaceAll("&amp;", "&");
  assert.ok(link, page.text);
  assert.match(page.text, /Shop asks you to sign in/);
  assert.doesNotMatch(page.text, /Use single sign-on/, "the providers are on the page");
  const wrong = await browser.submit(page, "/auth/sign-in", { email: world.email, password: "wrong" });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /Continue with Acme ID/);
  assert.match(wrong.text, /Shop asks you to sign in/);
  const consent = await browser.follow(await thereAndBack(browser, link));
  assert.match(consent.text, /Allow Shop to use your account/);
  const given = await browser.submit(consent, "/auth/consent", { decision: "allow" });
  assert.match(given.headers.get("location")!, /^https:\/\/shop\.example\/cb\?code=/);

  const other = await app.company();
  const elsewhere = await app.call(await other.token(other.admin.id, true), "POST", path, {
    name: "Else",
    redirect_uri: "https://else.example/cb",
  });
  const foreign = request.replace(made.body.client_id, elsewhere.body.client_id)
    .replace("shop.example", "else.example");
  assert.doesNotMatch((await new Browser(app.url).get(foreign)).text, /Continue with/);
  const refused = await browser.get(foreign);
  assert.equal(refused.status, 403);
  assert.match(refused.text, /belongs to another company/);
});

Deno.test("the page of a company number shows its providers, and an unknown number looks like a company without any", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  const browser = new Browser(app.url);
  const first = await browser.get("/auth/sign-in");
  assert.match(first.text, /href="\/auth\/sso[^"]*">Use single sign-on</);
  assert.match((await browser.get("/auth/sso")).text, /name="company_id"/);
  const page = await browser.get(`/auth/sso?company_id=${world.company.id}&next=/auth/device`);
  assert.match(
    page.text,
    new RegExp(
      `href="/auth/sso/${world.company.id}/Acme%20ID\\?next=%2Fauth%2Fdevice&amp;token=[^"]+">Continue with Acme ID<`,
    ),
  );
  const without = (await app.company()).id;
  const [none, unknown] = await Promise.all(
    [without, 99_999].map(async (id) =>
      (await browser.get(`/auth/sso?company_id=${id}`)).text.replace(`value="${id}"`, "")
    ),
  );
  assert.match(none!, /role="alert"/);
  assert.equal(none, unknown);
  for (const odd of ["x", "-1", "1e3", "%00", "9".repeat(30)]) {
    assert.equal((await browser.get(`/auth/sso?company_id=${odd}`)).status, 200, odd);
  }
});

Deno.test("signing on changes the cookie, so that a planted one is worth nothing", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  const browser = new Browser(app.url);
  await browser.get("/auth/sign-in");
  const before = browser.cookies.get("session")!;
  await thereAndBack(browser, world.path);
  assert.notEqual(browser.cookies.get("session"), before);
  const thief = new Browser(app.url);
  thief.cookies.set("session", before);
  assert.equal(await signedInAs(thief), null);
});

Deno.test("a link that is not from a page of this visitor starts no sign-in; the person has to choose it", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  const [visitor, other] = [new Browser(app.url), new Browser(app.url)];
  const page = await other.get(world.path);
  const link = /href="([^"]+)">Continue with/.exec(page.text)![1]!.replaceAll("&amp;", "&");
  for (const path of [world.path, `${world.path}?token=`, link]) {
    const shown = await visitor.get(path);
    assert.deepEqual([shown.status, shown.headers.get("location")], [200, null], path);
    assert.match(shown.text, />Continue with Acme ID</);
  }
  assert.deepEqual(await app.sql("select * from sign_ons"), []);
  assert.deepEqual(world.provider.asked, []);
  assert.equal((await other.get(link)).status, 303);
});

Deno.test("signing on redirects only to our own pages", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  for (const next of ["https://evil.example.org/", "//evil.example.org/", "/\\evil.example.org", "/v1/me"]) {
    const back = await thereAndBack(new Browser(app.url), `${world.path}?${new URLSearchParams({ next })}`);
    assert.equal(back.headers.get("location"), "/app", next);
  }
});

Deno.test("a provider that supports it gets the secret in the form", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app, ["client_secret_basic", "client_secret_post"]);
  const browser = new Browser(app.url);
  assert.equal((await thereAndBack(browser, world.path)).status, 303);
  assert.equal(await signedInAs(browser), world.email);
});

Deno.test("a person without a user here is refused; the case of subjects counts", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  await connect(app, world.userId, "Ada");
  for (const subject of ["stranger", "ada", ""]) {
    world.provider.subject = subject;
    const browser = new Browser(app.url);
    const back = await thereAndBack(browser, world.path);
    assert.equal(back.status, 403, back.text);
    assert.equal(await signedInAs(browser), null);
  }
});

Deno.test("the same subject at another company's provider is another person", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  await using other = await ssoWorld(app);
  const browser = new Browser(app.url);
  await thereAndBack(browser, other.path);
  assert.equal(await signedInAs(browser), other.email);
  await connect(app, other.userId, "somebody else");
  const second = new Browser(app.url);
  assert.equal((await thereAndBack(second, other.path)).status, 403);
  assert.notEqual(world.email, other.email);
});

Deno.test("deleted users, and users of deleted companies, are refused", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  const { company } = world;
  const browser = new Browser(app.url);
  const back = await signInAtProvider(browser, world.path);
  await company.admin.call("DELETE", `/v1/companies/${company.id}/users/${world.userId}`);
  assert.equal((await browser.get(back)).status, 403);
  const later = await signInAtProvider(browser, world.path);
  await company.admin.call("DELETE", `/v1/companies/${company.id}`);
  assert.equal((await browser.get(later)).status, 404);
  assert.equal((await browser.get(world.path)).status, 404);
  assert.doesNotMatch((await browser.get(`/auth/sso?company_id=${company.id}`)).text, /Continue with/);
  assert.deepEqual(await app.sql("select * from sessions"), []);
});

Deno.test("a removed driver signs nobody in, also sign-ins under way, until one of its name is back", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  const driver = { provider_name: "Acme ID", issuer: world.provider.issuer, ...world.provider.client };
  const browser = new Browser(app.url);
  const back = await signInAtProvider(browser, world.path);
  await setDrivers(world.company, []);
  assert.equal((await browser.get(back)).status, 404);
  assert.equal((await browser.get(world.path)).status, 404);
  const reply = await world.company.admin.call(
    "GET",
    `/v1/companies/${world.company.id}/users/${world.userId}`,
  );
  assert.equal(reply.status, 200);
  await setDrivers(world.company, [driver]);
  assert.equal((await thereAndBack(browser, world.path)).status, 303);
  assert.equal(await signedInAs(browser), world.email);
});

Deno.test("a driver that is removed during the sign-in signs nobody in", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  const { provider, company } = world;
  const browser = new Browser(app.url);
  const back = await signInAtProvider(browser, world.path);
  provider.lies = {
    answer: {
      "/jwks": async () => {
        await setDrivers(company, []);
        provider.lies = {};
        return await fetch(`${provider.issuer}/jwks`);
      },
    },
  };
  assert.equal((await browser.get(back)).status, 404);
  assert.deepEqual(await app.sql("select * from sessions"), []);
});

Deno.test("the same subject at two providers of one company is two people", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  const { issuer, client } = world.provider;
  await setDrivers(world.company, [
    { provider_name: "Acme ID", issuer, ...client },
    { provider_name: "Other ID", issuer, ...client },
  ]);
  const browser = new Browser(app.url);
  const back = await thereAndBack(browser, world.path.replace("Acme", "Other"));
  assert.equal(back.status, 403);
  assert.equal(await signedInAs(browser), null);
});

Deno.test("a sign-in at one provider cannot end at another that has taken its name", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  await using other = await ssoWorld(app);
  const browser = new Browser(app.url);
  const back = await signInAtProvider(browser, world.path);
  await setDrivers(world.company, [
    { provider_name: "Acme ID", issuer: other.provider.issuer, ...other.provider.client },
  ]);
  assert.equal((await browser.get(back)).status, 400);
  assert.ok(!other.provider.asked.includes("POST /token"));
});

Deno.test("an unknown driver is a page that says so", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  const browser = new Browser(app.url);
  for (const path of ["Okta", "acme%20id", "%00", "%ff", "x".repeat(3000)]) {
    const shown = await browser.get(`/auth/sso/${world.company.id}/${path}`);
    assert.equal(shown.status, 404, path);
    assert.match(shown.text, /not found/);
  }
  for (const company of ["0", "x", "99999", "1e1", "9".repeat(40)]) {
    assert.equal((await browser.get(`/auth/sso/${company}/Acme%20ID/callback?state=x`)).status, 404, company);
  }
});

Deno.test("a user with a password and single sign-on signs in by either", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  const user = { id: world.userId, companyId: world.company.id, token: "", call: world.company.admin.call };
  const email = await withPassword(app, user, "correct horse");
  const browser = new Browser(app.url);
  const page = await browser.get("/auth/sign-in");
  const signed = await browser.submit(page, "/auth/sign-in", { email, password: "correct horse" });
  assert.equal(signed.status, 303);
  assert.equal((await thereAndBack(new Browser(app.url), world.path)).status, 303);
});

Deno.test("a user without a password cannot sign in by one", async () => {
  await using app = await startApp();
  await using world = await ssoWorld(app);
  const browser = new Browser(app.url);
  const page = await browser.get("/auth/sign-in");
  for (const password of ["", "null", "correct horse"]) {
    const signed = await browser.submit(page, "/auth/sign-in", { email: world.email, password });
    assert.equal(signed.status, 422);
  }
  const client = await newClient(app, true);
  const token = await app.call(null, "POST", "/auth/token", {
    grant_type: "password",
    username: world.email,
    password: "null",
    ...client,
  });
  assert.equal(token.body.error, "invalid_grant");
});
