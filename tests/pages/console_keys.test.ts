/** The console by its keys, without a session, without a connection, and while others change what is shown. */
import assert from "node:assert/strict";
import { signedIn } from "../console/world.ts";
import { makeSales } from "../sales/leads_world.ts";
import { bringSession, goTo } from "./visitor.ts";
import { pageTest, type PageWorld, press, readHeading, signIn } from "./world.ts";

async function open({ app, page }: PageWorld, path: string, actor: Parameters<typeof signedIn>[1]) {
  const browser = await signedIn(app, actor);
  await bringSession(page, browser);
  assert.equal(await goTo(page, `${app.url}${path}`), 200);
  return browser;
}

pageTest("a dialog names the keys, and keys lead through lists and sections", async (place) => {
  const { app, page, looks } = place;
  const { admin, lead, company } = await makeSales(app);
  const [first, second] = [await lead({ interest: "One" }), await lead({ interest: "Two" })];
  await open(place, "/app/leads?view=all", admin);
  const readFocus = () => page.evaluate<string>("document.activeElement.getAttribute('href') ?? ''");
  await page.keyboard.press("j");
  const top = await readFocus();
  await page.keyboard.press("j");
  const next = await readFocus();
  assert.deepEqual([top, next].toSorted(), [first, second].map(({ id }) => `/app/leads/${id}`).toSorted());
  await page.keyboard.press("k");
  assert.equal(await readFocus(), top);
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await page.keyboard.press("?");
  await dialog.waitFor();
  await looks("console-shortcuts");
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  assert.equal(await readFocus(), top, "the focus returns");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${top}`);
  await page.locator("h1:focus, #status:focus").waitFor();
  for (
    const [key, path] of [["c", "/app/cases"], ["u", "/app/customers"], ["l", "/app/leads"], ["t", "/app"]]
  ) {
    await page.keyboard.press("g");
    await page.keyboard.press(key!);
    await page.waitForURL(`**${path}`);
    await page.locator("h1:focus").waitFor();
  }
  await page.getByRole("searchbox", { name: "Search" }).or(page.getByRole("combobox", { name: "Search" }))
    .focus();
  await page.keyboard.type("?gl");
  assert.equal(await dialog.isVisible(), false, "in a field they are text");
  assert.equal(new URL(page.url()).pathname, "/app");

  const ground = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
  await page.emulateMedia({ colorScheme: "light" });
  const light = await ground();
  const chosen = { theme: "dark", shortcuts: false };
  await app.call(await company.token(admin.id), "PUT", "/v1/me/preferences", chosen);
  await goTo(page, `${app.url}/app/leads?view=all`);
  assert.notEqual(await ground(), light, "the theme of the person holds on any device");
  await page.keyboard.press("?");
  await page.keyboard.press("j");
  assert.equal(await dialog.isVisible(), false);
  assert.equal(await readFocus(), "", "single keys do nothing");
  await page.keyboard.press("Control+k");
  await page.locator("form.search input:focus").waitFor();
});

pageTest(
  "what is typed stays when the session has ended or the service is away, and is sent after signing in again",
  async (place) => {
    const { app, page, email, company } = place;
    const { admin, lead } = await makeSales(app);
    const { id } = await lead();
    await open(place, `/app/leads/${id}`, admin);
    const reason = page.getByLabel("Reason");
    await reason.fill("Bought elsewhere");
    await page.route("**/app/**", (route) => route.abort());
    await press(page, "Reject");
    const away = page.getByRole("alert").filter({ hasText: "No connection" });
    await away.waitFor();
    assert.equal(await reason.inputValue(), "Bought elsewhere");
    await page.unroute("**/app/**");
    await away.waitFor({ state: "detached" });

    await app.deps.db.write([{ sql: "delete from sessions", args: [] }]);
    await press(page, "Reject");
    const again = page.getByRole("alert").getByRole("link", { name: "Sign in again" });
    await again.waitFor();
    assert.equal(await reason.inputValue(), "Bought elsewhere");
    const opened = page.waitForEvent("popup");
    await again.click();
    const window = await opened;
    const [user] = await app.sql("select email from users where id = ?", admin.id);
    await signIn({ ...place, page: window }, user!.email as string);
    await window.waitForURL(`**/app/leads/${id}`);
    await page.bringToFront();
    await again.waitFor({ state: "detached" });
    await press(page, "Reject");
    await page.getByRole("status").filter({ hasText: "Lead rejected." }).waitFor();
    assert.ok(email && company);
  },
);

pageTest("what others change comes while somebody types, and takes nothing away", async (place) => {
  const { app, page } = place;
  const { admin, member, lead } = await makeSales(app);
  const accepted = await member.call("PUT", `/v1/leads/${(await lead()).id}/accept`, {});
  const path = `/app/cases/${accepted.body.case_id}`;
  await open(place, path, member);
  await page.getByText("Mention", { exact: true }).first().click();
  const note = page.getByRole("form", { name: "New note" }).getByLabel("New note");
  await note.fill("Half a sen");
  await page.getByRole("link", { name: "Skip to the content" }).focus();
  const change = await admin.call("POST", "/v1/notes", {
    case_id: accepted.body.case_id,
    note: "From a colleague",
  });
  assert.equal(change.status, 201, change.text);
  await page.getByText("From a colleague").waitFor();
  assert.equal(await note.inputValue(), "Half a sen");
  assert.equal(await page.getByRole("group", { name: "Mention" }).isVisible(), true);
  const declined = await admin.call("PUT", `/v1${path.slice(4)}/decline`, { reason: "Too late" });
  assert.equal(declined.status, 200, declined.text);
  await page.locator("[data-entity=case][data-status=declined]").waitFor();
  assert.equal(await note.inputValue(), "Half a sen", "also when the form is offered no more");
  assert.match(await readHeading(page), /^Case 1: /);
});
