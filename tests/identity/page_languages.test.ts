/** The languages of the pages of `/auth`: by the browser before signing in, then by the person. */
import assert from "node:assert/strict";
import { german } from "../../src/identity/auth/pages/texts_de.ts";
import { english } from "../../src/identity/auth/pages/texts_en.ts";
import { type Actor, startApp, type TestApp } from "../support/app.ts";
import { Browser, type Shown } from "../support/browser.ts";
import { authorizePath, openConsentShop, password } from "../support/consent.ts";
import { withPassword } from "../support/oauth.ts";

function assertGerman({ text }: Shown, ...said: string[]): void {
  assert.match(text, /^<!doctype html><html lang="de">/);
  for (const one of said) assert.ok(text.includes(one), `${one} is missing in ${text}`);
}

async function inLocale({ deps }: TestApp, { id }: Actor, locale: string): Promise<void> {
  await deps.db.write([{ sql: "update users set locale = ? where id = ?", args: [locale, id] }]);
}

/** The texts and what they are named by. */
function* yieldTexts(node: unknown, name = ""): Generator<[string, string]> {
  if (typeof node === "string") yield [name, node];
  if (typeof node === "function") yield [name, node("x")];
  if (typeof node !== "object" || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    yield* yieldTexts(value, name === "" ? key : `${name}.${key}`);
  }
}

Deno.test("before signing in the pages have the language that the browser prefers", async () => {
  await using app = await startApp();
  await app.company();
  const lang = async (languages: string) => {
    const { text } = await new Browser(app.url, languages).get("/auth/sign-in");
    return /<html lang="(\w+)">/.exec(text)![1];
  };
  assert.equal(await lang("de-AT,de;q=0.9,en;q=0.8"), "de");
  assert.equal(await lang("en-GB,de;q=0.9"), "en");
  assert.equal(await lang("fr,de;q=0.5,en;q=0.4"), "de");
  assert.equal(await lang("fr"), "en");
  assert.equal(await lang("fr,de;q=0"), "en", "weight 0 refuses a language");
  assert.equal(await lang("de;q=x,;;,q=,=;"), "en");
  assert.equal(await lang(`${",".repeat(10_000)}de`), "de");
});

Deno.test("signing in, its faults, and forgotten passwords are German", async () => {
  await using app = await startApp();
  const email = await withPassword(app, (await app.company()).admin, password);
  const browser = new Browser(app.url, "de");
  const page = await browser.get("/auth/sign-in");
  assertGerman(
    page,
    "<h1>Anmelden</h1>",
    ">E-Mail-Adresse</label>",
    ">Passwort</label>",
    "Passwort vergessen?",
  );
  const wrong = await browser.submit(page, "/auth/sign-in", { email, password: "wrong horse" });
  assert.equal(wrong.status, 422);
  assertGerman(wrong, german.wrongPassword);
  const forgot = await browser.get("/auth/forgot-password");
  assertGerman(forgot, "<h1>Passwort vergessen?</h1>", "Link senden");
  const fault = await browser.submit(forgot, "/auth/forgot-password", { email: "nobody" });
  assertGerman(fault, german.faults.email.format);
  assertGerman(await browser.submit(forgot, "/auth/forgot-password", { email }), german.resetAsked.title);
  const dead = await browser.get("/auth/reset-password?token=none");
  assert.equal(dead.status, 404);
  assertGerman(dead, german.resetGone.title, german.sendAnother);
  assertGerman(await browser.post("/auth/sign-in", { email, password }), german.forged.title);
  assertGerman(await browser.get("/auth/?client_id=x"), german.unknownClient.title);
  assertGerman(await browser.get("/auth/signed-out"), german.signedOut.title, german.signInAgain);
  assertGerman(await browser.get("/auth/sso"), german.ssoCompany);
});

Deno.test("after signing in a person's own language counts, not that of the browser", async () => {
  await using app = await startApp();
  for (const [locale, languages, texts] of [["de-DE", "en", german], ["en-GB", "de", english]] as const) {
    const { company, client, email } = await openConsentShop(app);
    await inLocale(app, company.admin, locale);
    const browser = new Browser(app.url, languages);
    await browser.submit(await browser.get("/auth/sign-in"), "/auth/sign-in", { email, password });
    const shows = async (path: string, title: string) => {
      const { text } = await browser.get(path);
      assert.ok(text.includes(`<html lang="${texts.language}">`), text);
      assert.ok(text.includes(`<h1>${title}</h1>`), text);
    };
    await shows("/auth/sign-in", texts.signedIn);
    await shows("/auth/device", texts.device);
    await shows(authorizePath(client.client_id), texts.consent("Shop &amp; Co"));
  }
});

Deno.test("every text is translated", () => {
  const same = new Set(["product", "deviceCode"]);
  const translations = new Map(yieldTexts(german));
  for (const [name, text] of yieldTexts(english)) {
    const translated = translations.get(name);
    assert.ok(translated, name);
    assert.equal(translated === text, same.has(name), name);
  }
});
