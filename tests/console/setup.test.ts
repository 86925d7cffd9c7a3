/** The first company is made at `/app/setup`, with the code, and once. */
import assert from "node:assert/strict";
import { makeSetupCode, reportSetup } from "../../src/console/setup_code.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { Browser, type Shown } from "../support/browser.ts";

const filled = {
  name: "Nordlicht Autohaus",
  country: "DE",
  timezone: "Europe/Berlin",
  language: "de",
  currency: "EUR",
  first_name: "Ada",
  last_name: "Lovelace",
  email: "ada@example.org",
  password: "correct horse battery",
  example: "on",
};

const listReported = (app: TestApp) => app.log.entries.filter(({ event }) => event === "setup");

const makeCode = (app: TestApp) => makeSetupCode(app.deps.secretsKey);

async function send(browser: Browser, page: Shown, fields: Record<string, string>): Promise<Shown> {
  return await browser.submit(page, "/app/setup", { ...filled, ...fields });
}

Deno.test("without a company the console leads to the set-up, which makes one and signs its admin in", async () => {
  await using app = await startApp();
  assert.match(makeCode(app), /^[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{2}$/);
  const browser = new Browser(app.url);
  for (const path of ["/app", "/app/leads", "/auth/sign-in"]) {
    const led = await browser.get(path);
    assert.deepEqual([led.status, led.headers.get("location")], [303, "/app/setup"], path);
  }
  const page = await browser.get(`/app/setup?code=${makeCode(app)}`);
  assert.match(page.text, /<h1>Set up Wayline CRM<\/h1>/);
  assert.ok(page.text.includes(`value="${makeCode(app)}"`));
  const done = await send(browser, page, { code: makeCode(app).toLowerCase().replaceAll("-", "") });
  assert.deepEqual([done.status, done.headers.get("location")], [303, "/app"], done.text);
  const me = await browser.get("/app/me");
  assert.equal(me.status, 200);
  assert.match(me.text, /<html lang="de">/);
  assert.match(me.text, /Willkommen bei Wayline CRM\./);
  assert.deepEqual(await app.sql("select locale, language, currency, timezone, country from companies"), [
    { locale: "de-DE", language: "de", currency: "EUR", timezone: "Europe/Berlin", country: "DE" },
  ]);
  assert.deepEqual(await app.sql("select name from lead_types"), [{ name: "Website enquiry" }]);
  assert.deepEqual(await app.sql("select count(*) as n from activity_types"), [{ n: 5 }]);
  assert.equal((await browser.get("/app/setup")).status, 404);
  assert.equal((await send(browser, page, { code: makeCode(app) })).status, 404);
});

Deno.test("a wrong code, and a form that is not whole, are named at their fields and change nothing", async () => {
  await using app = await startApp();
  const browser = new Browser(app.url);
  const page = await browser.get("/app/setup");
  const wrong = await send(browser, page, { code: "AAAA-AAAA-AA" });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /Set-up code: The set-up code is wrong\./);
  assert.match(wrong.text, /value="Nordlicht Autohaus"/);
  const faulty = await send(browser, page, { code: makeCode(app), name: "", email: "x", password: "short" });
  assert.equal(faulty.status, 422);
  for (const label of ["Company name", "E-mail address", "Password"]) {
    assert.match(faulty.text, new RegExp(`${label}: `));
  }
  assert.match(faulty.text, /Password: At least 10\./);
  assert.deepEqual(await app.sql("select id from companies"), []);
});

Deno.test("the choices of the set-up have names in the language of the page", async () => {
  await using app = await startApp();
  const { text } = await new Browser(app.url, "de-AT").get("/app/setup");
  for (const name of ["Österreich", "Deutsch", "Euro (EUR)"]) {
    assert.match(text, new RegExp(`>${name.replace(/[()]/g, "\\$&")}<`));
  }
  assert.match(text, /<option value="AT" selected[^>]*>Österreich</);
  const { text: english } = await new Browser(app.url, "en-GB").get("/app/setup");
  assert.match(english, />Austria</);
});

Deno.test("the eleventh wrong code within ten minutes is 429, and the right one then too", async () => {
  await using app = await startApp();
  const browser = new Browser(app.url);
  const page = await browser.get("/app/setup");
  for (let n = 0; n < 10; n++) {
    assert.equal((await send(browser, page, { code: "AAAA-AAAA-AA" })).status, 422);
  }
  assert.equal((await send(browser, page, { code: "AAAA-AAAA-AA" })).status, 429);
  assert.equal((await send(browser, page, { code: makeCode(app) })).status, 429);
  app.clock.move(600_000);
  assert.equal((await send(browser, page, { code: makeCode(app) })).status, 303);
});

Deno.test("two people who send the form at once make one company", async () => {
  await using app = await startApp();
  const people = await Promise.all(["ada", "charles"].map(async (name) => {
    const browser = new Browser(app.url);
    return { browser, page: await browser.get("/app/setup"), email: `${name}@example.org` };
  }));
  const answers = await Promise.all(
    people.map(({ browser, page, email }) => send(browser, page, { code: makeCode(app), email })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 404]);
  assert.deepEqual(await app.sql("select count(*) as n from companies"), [{ n: 1 }]);
});

Deno.test("the fields of the set-up stand in groups that have names", async () => {
  await using app = await startApp();
  const groups = {
    en: { "Your company": 5, "Your account": 4 },
    de: { "Ihre Firma": 5, "Ihr Konto": 4 },
  };
  for (const [language, named] of Object.entries(groups)) {
    const { text } = await new Browser(app.url, language).get("/app/setup");
    const parts = [...text.matchAll(/<fieldset class="group"><legend>([^<]*)<\/legend>(.*?)<\/fieldset>/gs)];
    const read = parts.map(([, name, fields]) => [name, fields!.match(/<label /g)!.length]);
    assert.deepEqual(Object.fromEntries(read), named);
    const names = [...text.matchAll(/ id="setup-(\w+)"/g)].map(([, name]) => name);
    assert.deepEqual(names, ["code", ...Object.keys(filled)], "their order stays");
  }
});

Deno.test("the start logs the address and the code once, until there is a company", async () => {
  await using app = await startApp();
  await reportSetup(app.deps, app.url);
  const [line, ...more] = listReported(app);
  assert.deepEqual([line!.url, line!.code, more], [`${app.url}/app/setup`, makeCode(app), []]);
  await app.company();
  await reportSetup(app.deps, app.url);
  assert.equal(listReported(app).length, 1);
});
