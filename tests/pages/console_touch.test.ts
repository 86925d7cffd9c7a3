/** Every page of the console on a telephone, in German: what a finger can press, what comes first, and its words. */
import assert from "node:assert/strict";
import { languages } from "../../src/console/texts/languages.ts";
import { fillCompany, listPlaces } from "../console/places.ts";
import { signedIn } from "../console/world.ts";
import { startApp } from "../support/app.ts";
import { browserTest } from "./chromium.ts";
import { bringSession, goTo, visit } from "./visitor.ts";

/** Texts of the company that look like those of the console or of the API. */
const ofCompany = ["Phone", "Mine", "last_name"];

const findFaults = (foreign: readonly string[]) =>
  `(() => {
  const main = document.querySelector("main");
  const sized = [...main.querySelectorAll("button, a.button, summary, .chips a, .tabs a, select")]
    .concat([...main.querySelectorAll(".rows > li > a, .rows .what > a")])
    .concat([...main.querySelectorAll(".pair > .choice, :not(.pair) > .choice > label")]);
  const height = (element) => Math.ceil(element.getBoundingClientRect().height);
  const small = sized.filter((element) => height(element) > 0 && height(element) < 44)
    .map((element) => height(element) + " px: " + element.textContent.trim());
  const first = [...main.querySelectorAll("button:not(.quiet, .bad), a.button:not(.quiet)")]
    .filter((element) => height(element) > 0).map((element) => element.textContent);
  const foreign = new Set(${JSON.stringify(foreign)});
  const ofCompany = new Set(${JSON.stringify(ofCompany)});
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode.data.trim());
  const ours = texts.filter((text) => !ofCompany.has(text));
  return [
    ...small,
    ...first.length > 1 ? ["several main buttons: " + first.join(", ")] : [],
    ...ours.filter((text) => foreign.has(text)).map((text) => "English: " + text),
    ...ours.filter((text) => /^[a-z]+(_[a-z]+)+$/.test(text)).map((text) => "a word of the API: " + text),
  ];
})()`;

/** Returns all texts of a language that need no value. */
function listTexts(texts: unknown): string[] {
  if (typeof texts === "string") return [texts];
  return typeof texts === "object" && texts !== null ? Object.values(texts).flatMap(listTexts) : [];
}

browserTest("a telephone shows large targets, one main button a page, and only German", async (browser) => {
  await using app = await startApp();
  const admin = await fillCompany(app);
  await app.deps.db.write([{ sql: "update users set locale = 'de-DE'", args: [] }]);
  const session = await signedIn(app, admin);
  await using visitor = await visit(browser, { viewport: { width: 375, height: 667 } });
  const { page } = visitor;
  await bringSession(page, session);
  const german = new Set(listTexts(languages.de));
  const foreign = listTexts(languages.en).filter((text) => !german.has(text));
  assert.ok(foreign.length > 300, String(foreign.length));
  const faults: string[] = [];
  for (const address of await listPlaces(app)) {
    await goTo(page, `${app.url}${address}`);
    await page.evaluate("document.querySelectorAll('main details').forEach((one) => one.open = true)");
    const found = new Set(await page.evaluate<string[]>(findFaults(foreign)));
    faults.push(...[...found].map((fault) => `${address}: ${fault}`));
  }
  assert.deepEqual(faults, []);
});
