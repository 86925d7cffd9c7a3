/** The search of the console, without and with the script. */
import assert from "node:assert/strict";
import { type Body } from "../support/app.ts";
import { signedIn } from "../console/world.ts";
import { makeSales } from "../sales/leads_world.ts";
import { bringSession } from "./visitor.ts";
import { pageTest, type PageWorld, readHeading } from "./world.ts";

/** An admin's session in the window, and two customers with a lead and a case. */
async function fillWorld({ app, page }: PageWorld) {
  const place = await makeSales(app);
  const { admin, company, dealer } = place;
  const create = async (path: string, body: object): Promise<Body> => {
    const reply = await admin.call("POST", path, body);
    assert.equal(reply.status, 201, reply.text);
    return reply.body;
  };
  const listFields = (fields: Record<string, string>) =>
    Object.entries(fields).map(([name, value]) => ({ name, value }));
  const account = await create("/v1/accounts", {
    team_id: dealer,
    fixed_fields: listFields({ name: "Ada <b>GmbH" }),
  });
  const contact = await create(`/v1/accounts/${account.id}/contacts`, {
    team_id: dealer,
    fixed_fields: listFields({ first_name: "Ada", last_name: "Lovelace", email: "ada@love.example" }),
  });
  const one = await create("/v1/cases", {
    contact_id: contact.id,
    relations_path_id: place.path,
    team_id: dealer,
  });
  const lead = await place.lead({ interest: "Cabriolet" });
  const stranger = await company.user({ teams: [await company.team()] });
  const browser = await signedIn(app, admin);
  const signIn = async (to = page) => await bringSession(to, browser);
  return { admin, account, contact, one, lead, stranger, browser, signIn };
}

pageTest(
  "people find records by typing, by keys and without the script, in English and German",
  async (place) => {
    const { app, page, looks } = place;
    const { admin, contact, one, lead, stranger, browser, signIn } = await fillWorld(place);

    const plain = await browser.get("/app/search?q=ada");
    assert.match(plain.text, /<h1>Search<\/h1>/);
    assert.match(plain.text, /<input id="search" type="search" name="q" value="ada"/);
    assert.match(plain.text, /data-list="contacts" data-total="1"/);
    assert.match(plain.text, new RegExp(`data-entity="contact" data-id="${contact.id}"`));
    assert.match(plain.text, new RegExp(`data-entity="lead" data-id="${lead.id}" data-status="assigned"`));
    assert.match(
      plain.text,
      new RegExp(`<a href="/app/cases/${one.id}"><bdi>Case ${one.case_number}: Ada Love`),
    );
    assert.match(plain.text, /<a href="\/app\/leads\?view=all&amp;search=ada">Show all leads \(1\)<\/a>/);
    assert.match(plain.text, /Ada &lt;b&gt;GmbH/);
    const number = await browser.get(`/app/search?q=${one.case_number}`);
    assert.match(number.text, new RegExp(`data-entity="case" data-id="${one.id}"`));
    for (const [q, empty] of [["zebra", "Nothing was found for “zebra”"], ["", "Type a name"]] as const) {
      assert.match((await browser.get(`/app/search?q=${q}`)).text, new RegExp(`data-empty="">${empty}`));
    }
    assert.match((await browser.get(`/app/search?q=${"a".repeat(201)}`)).text, /does not exist here: q\./);
    const other = await signedIn(app, stranger);
    assert.match((await other.get("/app/search?q=cabriolet")).text, /data-empty=""/, "what they do not see");

    await signIn();
    await page.goto(`${app.url}/app/me`);
    await looks("console-me");
    const box = page.locator("form.search input[name=q]");
    const focused = page.locator("form.search input[name=q]:focus");
    await page.keyboard.press("/");
    await focused.waitFor();
    assert.equal(await box.inputValue(), "", "the key itself is not typed");
    await box.pressSequentially("c");
    assert.equal(await page.getByRole("listbox").isVisible(), false, "one character is too little");
    await box.pressSequentially("ab/");
    const option = page.getByRole("option", { name: "Ada Byron" });
    await option.waitFor();
    assert.equal(await box.inputValue(), "cab/");
    await looks("console-search-open");
    const chosen = () => page.locator("#found [aria-selected=true]").allInnerTexts();
    assert.deepEqual(await chosen(), []);
    await page.keyboard.press("ArrowDown");
    assert.match((await chosen()).join(), /Ada Byron/);
    assert.equal(await box.getAttribute("aria-activedescendant"), await option.getAttribute("id"));
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Escape");
    assert.equal(await box.getAttribute("aria-expanded"), "false");
    assert.equal(await box.inputValue(), "cab/", "the first Escape closes alone");
    await page.keyboard.press("ArrowDown");
    await option.waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/app/leads/${lead.id}`);

    await page.keyboard.press("Control+k");
    await page.keyboard.type("lovelace");
    await page.getByRole("option", { name: `Case ${one.case_number}: Ada Lovelace` }).click();
    await page.waitForURL(`**/app/cases/${one.id}`);

    await page.keyboard.press("Control+k");
    await page.keyboard.type("ada");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/app/search?q=ada");
    await page.locator("[data-list=contacts]").waitFor();
    assert.equal(await readHeading(page), "Search");
    await looks("console-search");
    await page.keyboard.press("Control+k");
    await focused.waitFor();
    await page.goBack();
    await page.waitForURL(`**/app/cases/${one.id}`);
    // A page that comes back asks for what has changed, and would end the next navigation.
    await page.waitForLoadState("networkidle");

    await app.deps.db.write([{ sql: "update users set locale = 'de-DE' where id = ?", args: [admin.id] }]);
    await page.goto(`${app.url}/app/search?q=ada`);
    assert.equal(await readHeading(page), "Suche");
    await looks("console-search-german");
  },
);
