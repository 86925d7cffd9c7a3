/** The work of people at the console, from signing in to the end of it, in each language and with each browser. */
import { german } from "../../src/identity/auth/pages/texts_de.ts";
import { english } from "../../src/identity/auth/pages/texts_en.ts";
import assert from "node:assert/strict";
import type { Browser, Locator, Page } from "playwright-core";
import { makeSetupCode } from "../../src/console/setup_code.ts";
import { languages } from "../../src/console/texts/languages.ts";
import type { WrittenLanguage } from "../../src/core/languages.ts";
import { makeSales } from "../sales/leads_world.ts";
import { type Actor, startApp, type TestApp } from "../support/app.ts";
import { withPassword } from "../support/oauth.ts";
import { goTo, visit, type Visitor } from "./visitor.ts";
import { password, signIn } from "./world.ts";

export interface Desk {
  readonly language: WrittenLanguage;
  readonly javaScript: boolean;
  readonly width: 375 | 1280;
  readonly scheme: "light" | "dark";
}

export const nameDesk = ({ language, javaScript, width, scheme }: Desk) =>
  `${language}, ${javaScript ? "with" : "without"} a script, ${width} px, ${scheme}`;

/** Every desk there is. */
export const desks: readonly Desk[] = (["en", "de"] as const).flatMap((language) =>
  [true, false].flatMap((javaScript) =>
    ([375, 1280] as const).flatMap((width) =>
      (["light", "dark"] as const).map((scheme) => ({ language, javaScript, width, scheme }))
    )
  )
);

interface Person extends Visitor {
  readonly app: TestApp;
  readonly desk: Desk;
}

async function at(browser: Browser, desk: Desk, app: TestApp, work: (person: Person) => Promise<void>) {
  const { language, javaScript, width, scheme } = desk;
  await using visitor = await visit(browser, {
    javaScriptEnabled: javaScript,
    viewport: { width, height: 800 },
    colorScheme: scheme,
    locale: language === "de" ? "de-DE" : "en-GB",
  });
  await work({ ...visitor, app, desk });
  // The checker of pages is a script of its own.
  if (javaScript) assert.deepEqual(await visitor.faults(), []);
}

/** Signs in at the address that the person is asked for. */
async function begin({ app, page, desk, ...visitor }: Person, actor: Actor): Promise<void> {
  const email = await withPassword(app, actor, password);
  const locale = desk.language === "de" ? "de-DE" : "en-GB";
  await app.deps.db.write([{ sql: "update users set locale = ? where id = ?", args: [locale, actor.id] }]);
  await goTo(page, `${app.url}/app`);
  const words = desk.language === "de" ? german : english;
  await signIn({ ...visitor, page }, email, password, words);
  await page.waitForURL("**/app");
}

const press = (within: Page | Locator, name: string) =>
  within.getByRole("button", { name, exact: true }).first().click();

/** Waits for the words of the status, on the page that follows. */
const waitForStatus = (page: Page, text: string) =>
  page.getByRole("status").filter({ hasText: text }).waitFor();

const fill = (within: Page | Locator, label: string, text: string) =>
  within.getByLabel(label, { exact: true }).fill(text);

/** Waits for the page with the heading. */
const waitForTitle = (page: Page, name: string) =>
  page.getByRole("heading", { level: 1, name, exact: true }).waitFor();

/** The entry of a list with the words. */
const entry = (page: Page, entity: string, text: string) =>
  page.locator(`[data-entity=${entity}]`).filter({ hasText: text });

/** Goes to a section; on a telephone the rest stands behind "More". */
async function goToSection(
  { page, desk }: Person,
  section: keyof typeof languages.en.sections,
): Promise<void> {
  const texts = languages[desk.language];
  const nav = page.getByRole("navigation", { name: texts.main });
  const link = nav.getByRole("link", { name: texts.sections[section], exact: true });
  if (!await link.isVisible()) await nav.getByText(texts.more, { exact: true }).click();
  await link.click();
  await page.getByRole("heading", { level: 1, name: texts.sections[section] }).waitFor();
}

/** A dealer accepts a lead on Today, plans a task with an activity and a mail, does it, and closes the case. */
export async function dealersDay(browser: Browser, desk: Desk): Promise<void> {
  await using app = await startApp();
  const { member, lead } = await makeSales(app);
  await lead({ interest: "A red one" });
  const texts = languages[desk.language];
  const { cases, messages } = texts;
  await at(browser, desk, app, async (person) => {
    const { page } = person;
    await begin(person, member);
    assert.equal(await page.locator("html").getAttribute("lang"), desk.language);
    const waiting = entry(page, "lead", "A red one");
    const button = waiting.getByRole("button", { name: new RegExp(`^${texts.leads.accept}`) });
    const box = await button.boundingBox();
    assert.ok(box && box.y + box.height < 800, "the first thing to do is on the first screen");
    await button.click();
    await waitForStatus(page, messages.accepted);
    assert.match(await page.getByRole("heading", { level: 1 }).innerText(), /1: Ada Byron$/);

    const activity = page.getByRole("form", { name: cases.newActivity });
    await activity.getByLabel("Offer", { exact: true }).check();
    await activity.getByLabel(cases.channel, { exact: true }).selectOption("phone");
    await fill(activity, cases.note, "She likes it.\nShe comes on Friday.");
    await activity.getByText(cases.nextTask, { exact: true }).click();
    await activity.getByLabel(cases.taskType, { exact: true }).selectOption("call");
    await activity.locator("summary").filter({ hasText: cases.email }).click();
    await fill(activity, cases.subject, "Your offer");
    await fill(activity, cases.message, "Dear Ada,\nhere it is.");
    await activity.getByLabel(cases.sendNow, { exact: true }).check();
    await press(activity, cases.saveActivity);
    await waitForStatus(page, messages.activitySaved);
    await page.getByText("She comes on Friday.").first().waitFor();
    assert.equal(
      await activity.getByLabel(cases.note, { exact: true }).inputValue(),
      "",
      "the form is empty again",
    );
    await app.idle();
    assert.deepEqual(app.mailer.sent.map(({ subject }) => subject).at(-1), "Your offer");

    const note = page.getByRole("form", { name: cases.newNote });
    await fill(note, cases.newNote, "Has a dog <b>");
    await press(note, cases.addNote);
    await waitForStatus(page, messages.noteAdded);
    await page.getByText("Has a dog <b>").first().waitFor();

    await goToSection(person, "today");
    const task = entry(page, "task", "Ada Byron");
    await task.getByRole("button", { name: new RegExp(`^${texts.today.done}`) }).click();
    await waitForStatus(page, messages.taskDone);
    await press(page.getByRole("status"), texts.undo);
    await waitForStatus(page, messages.taskOpened);
    await entry(page, "task", "Ada Byron").getByRole("button", { name: new RegExp(`^${texts.today.done}`) })
      .click();
    await waitForStatus(page, messages.taskDone);

    await goToSection(person, "cases");
    const card = entry(page, "case", "Ada Byron");
    await card.getByText(texts.board.move, { exact: true }).first().click();
    await card.getByLabel(texts.board.moveTo).selectOption({ label: "Order" });
    await press(card, texts.board.move);
    await page.getByRole("heading", { level: 1, name: /\?$/ }).waitFor();
    await press(page, texts.board.close);
    await waitForStatus(page, messages.moved("Order"));
    assert.deepEqual(await app.sql("select status from cases"), [{ status: "closed" }]);
  });
}

/** An operator assigns, records a call, and finds what was rejected, called and revoked in the lists of the agency. */
export async function operatorsDay(browser: Browser, desk: Desk): Promise<void> {
  await using app = await startApp();
  const { agent, member, dealer, lead } = await makeSales(app);
  await lead({ team_id: undefined, interest: "Waits for a dealer" });
  const rejected = await lead({ interest: "Sent back" });
  const answer = await member.call("PUT", `/v1/leads/${rejected.id}/reject`, { rejection_reason: "Too far" });
  assert.equal(answer.status, 200, answer.text);
  const texts = languages[desk.language];
  const { leads, messages, today } = texts;
  await at(browser, desk, app, async (person) => {
    const { page } = person;
    await begin(person, agent);
    const agency = page.getByRole("region", { name: today.agency }).or(
      page.locator("section").filter({ has: page.getByRole("heading", { name: today.agency, exact: true }) }),
    ).first();
    const list = async (
      name: "assignable" | "rejected" | "escalated" | "called" | "revoked",
      total: number,
    ) => {
      if (new URL(page.url()).pathname !== "/app") await goToSection(person, "today");
      await agency.getByRole("link", { name: new RegExp(`^${today[name]}`) }).click();
      // Today has lists of leads, too.
      await page.waitForURL("**/app/leads?**");
      await page.locator(`[data-list=leads][data-total="${total}"]`).waitFor();
    };
    await list("escalated", 0);
    await list("rejected", 1);
    await entry(page, "lead", "Sent back").getByRole("link").first().click();
    await page.getByText("Too far").first().waitFor();
    const assign = page.getByRole("form", { name: leads.assign });
    await assign.getByLabel(leads.assignTeam, { exact: true }).selectOption(String(dealer));
    await press(assign, leads.assign);
    await waitForStatus(page, messages.assigned);

    await list("assignable", 1);
    await entry(page, "lead", "Waits for a dealer").getByRole("link").first().click();
    const again = page.getByRole("form", { name: leads.assign });
    await again.getByLabel(leads.assignTeam, { exact: true }).selectOption(String(dealer));
    await press(again, leads.assign);
    await waitForStatus(page, messages.assigned);
    await list("assignable", 0);
    await list("rejected", 0);
    await list("called", 0);
    await list("revoked", 0);
    assert.deepEqual(await app.sql("select distinct state from leads"), [{ state: "assigned" }]);
  });
}

/** An admin sets the service up, makes process, lead type, team and colleague, and takes the first lead. */
export async function adminsFirstHour(browser: Browser, desk: Desk): Promise<void> {
  await using app = await startApp();
  const texts = languages[desk.language];
  const { setup, admin, leads, messages } = texts;
  const isGerman = desk.language === "de";
  await at(browser, desk, app, async (person) => {
    const { page } = person;
    await goTo(page, `${app.url}/app`);
    await page.getByRole("heading", { level: 1, name: setup.title }).waitFor();
    await fill(page, setup.code, makeSetupCode(app.deps.secretsKey));
    await fill(page, setup.companyName, "Nordlicht");
    await page.getByLabel(setup.country, { exact: true }).selectOption(isGerman ? "DE" : "GB");
    await page.getByLabel(setup.language, { exact: true }).selectOption(isGerman ? "de" : "en");
    await page.getByLabel(setup.currency, { exact: true }).selectOption("EUR");
    await page.getByLabel(setup.timezone, { exact: true }).selectOption("Europe/Berlin");
    await fill(page, setup.firstName, "Ada");
    await fill(page, setup.lastName, "Lovelace");
    await fill(page, setup.email, "ada@example.org");
    await fill(page, setup.password, "correct horse battery");
    await page.getByLabel(setup.example, { exact: true }).uncheck();
    await press(page, setup.create);
    await waitForStatus(page, messages.welcome);
    const missing = page.locator("section").filter({ hasText: texts.today.gettingStarted });

    await missing.getByRole("link", { name: texts.today.missing.process }).click();
    await waitForTitle(page, admin.newProcess);
    await fill(page, admin.name, "New cars");
    await fill(page, admin.milestoneName(1), "Offer");
    await fill(page, admin.milestoneChance(1), "40");
    await fill(page, admin.milestoneName(2), "Order");
    await page.getByLabel(admin.milestoneThen(2), { exact: true }).selectOption("closed");
    await press(page, admin.createProcess);
    await waitForStatus(page, messages.processCreated);

    await goToSection(person, "today");
    await missing.getByRole("link", { name: texts.today.missing.leadType }).click();
    await waitForTitle(page, admin.newLeadType);
    await fill(page, admin.name, "Test drive");
    await fill(page, admin.acceptWithin, "60");
    await fill(page, admin.firstActivityWithin, "120");
    await press(page, admin.createLeadType);
    await waitForStatus(page, messages.leadTypeCreated);

    await goToSection(person, "administration");
    await page.locator("main").getByRole("link", { name: admin.pages.teams }).click();
    await page.locator("main").getByRole("link", { name: admin.newTeam }).first().click();
    await waitForTitle(page, admin.newTeam);
    await fill(page, admin.name, "Kiel");
    await page.getByLabel(admin.type, { exact: true }).selectOption("dealer");
    await press(page, admin.createTeam);
    await waitForStatus(page, messages.teamCreated);

    await goToSection(person, "administration");
    await page.locator("main").getByRole("link", { name: admin.pages.users }).click();
    await page.locator("main").getByRole("link", { name: admin.newUser }).first().click();
    await waitForTitle(page, admin.newUser);
    await fill(page, leads.firstName, "Grace");
    await fill(page, leads.lastName, "Hopper");
    await fill(page, setup.email, "grace@example.org");
    await fill(page, setup.password, "battery horse staple");
    await page.getByLabel("Kiel", { exact: true }).check();
    await press(page, admin.createUser);
    await waitForStatus(page, messages.userCreated);

    await goToSection(person, "leads");
    await page.locator("main").getByRole("link", { name: leads.newLead }).first().click();
    await waitForTitle(page, leads.newLead);
    await fill(page, leads.source, "Fair");
    await fill(page, leads.interest, "A red one");
    await fill(page, leads.accountName, "Ada Ltd");
    await fill(page, leads.firstName, "Charles");
    await fill(page, leads.lastName, "Babbage");
    await fill(page, leads.email, "charles@example.org");
    await page.getByLabel(leads.assignTeam, { exact: true }).selectOption({ label: "Kiel" });
    await press(page, leads.createLead);
    await waitForStatus(page, messages.leadCreated);
    assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), "Charles Babbage");
    await goToSection(person, "today");
    await entry(page, "lead", "A red one").waitFor();
    assert.equal(await missing.count(), 0, "nothing is missing any more");
  });
}
