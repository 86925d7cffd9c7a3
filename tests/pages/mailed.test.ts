import assert from "node:assert/strict";
import { makeId } from "../../src/core/ids.ts";
import { unsubscribeUrl } from "../../src/messages/unsubscribe/links.ts";
import { invite } from "../identity/invited.ts";
import { pageTest, type PageWorld, press, readHeading, signIn } from "./world.ts";

const fresh = "new horse battery";

/** Opens the last mail like a mail program, and returns the link in its text. */
async function link({ app, another }: PageWorld, name: string): Promise<string> {
  await app.idle();
  const { text, html } = app.mailer.sent.at(-1)!;
  const [address] = /^http.*$/m.exec(text)!;
  await using reader = await another();
  const { page, looks } = reader;
  await page.setContent(html!);
  const shown = await page.evaluate("[...document.links].map(({ href }) => href)");
  assert.deepEqual(shown, [address, address]);
  await looks(name);
  return address;
}

pageTest(
  "a person who forgot the password gets a link from the sign-in page, and signs in with a new one",
  async (world) => {
    const { app, email, page, looks, focusOrder } = world;
    await page.goto(`${app.url}/auth/sign-in`);
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    assert.equal(await readHeading(page), "Forgot your password?");
    await looks("forgot-password");
    assert.deepEqual(await focusOrder(), ["E-mail address", "Send the link", "Back to sign in"]);
    await page.getByLabel("E-mail address").fill(email);
    await press(page, "Send the link");
    assert.equal(await readHeading(page), "Check your mail");
    await looks("forgot-password-sent");
    const address = await link(world, "mail-reset");
    await page.goto(address);
    assert.equal(await readHeading(page), "Choose a new password");
    await looks("reset-password");
    await page.getByLabel("New password").fill("short");
    await press(page, "Choose a new password");
    const fault = "The password needs at least 10 characters.";
    assert.equal(await page.getByText(fault).count(), 1);
    assert.equal(await page.getByRole("alert").textContent(), fault);
    assert.equal(await page.evaluate("document.activeElement.id"), "password");
    await looks("reset-password-short");
    await page.getByLabel("New password").fill(fresh);
    await press(page, "Choose a new password");
    assert.equal(await readHeading(page), "Your password is changed");
    await looks("reset-password-done");
    await page.getByRole("link", { name: "Sign in again" }).click();
    // The browser reports typing before the page's own first focus.
    await page.locator("#email:focus").waitFor();
    await signIn(world, email, fresh);
    assert.equal(await readHeading(page), "Today");
    await page.goto(address);
    assert.equal(await readHeading(page), "This link no longer works");
    await looks("reset-password-gone");
  },
);

pageTest("an invited person joins by the link in the mail, and is signed in", async (world) => {
  const { company, page, looks, focusOrder } = world;
  const admin = await company.user({ type: "admin" });
  await invite({ ...company, admin }, { email: "charles@example.org" });
  const address = await link(world, "mail-invitation");
  await page.goto(address);
  assert.equal(await readHeading(page), "Join Acme");
  await looks("invitation");
  assert.deepEqual(await focusOrder(), ["E-mail address", "First name", "Last name", "New password", "Join"]);
  await page.getByLabel("First name").fill("Charles");
  await page.getByLabel("Last name").fill("x".repeat(256));
  await page.getByLabel("New password").fill("short");
  await press(page, "Join");
  assert.equal(await page.getByRole("alert").getByRole("link").count(), 2);
  assert.equal(await page.getByLabel("First name").inputValue(), "Charles");
  assert.equal(await page.evaluate("document.activeElement.id"), "last_name");
  await looks("invitation-faults");
  await page.getByLabel("Last name").fill("Babbage");
  await page.getByLabel("New password").fill(fresh);
  await press(page, "Join");
  assert.equal(await readHeading(page), "Today");
  await using late = await world.another();
  await late.page.goto(address);
  assert.equal(await readHeading(late.page), "This invitation no longer works");
  await late.looks("invitation-gone");
});

pageTest(
  "a contact unsubscribes by the button of the page that the link in an e-mail leads to",
  async (world) => {
    const { app, page, looks, focusOrder } = world;
    const { admin } = await app.company("Fleet & Co");
    const of = { companyId: admin.companyId, contactId: makeId(0), aboutId: makeId(0) };
    await page.goto(unsubscribeUrl(app.deps.secretsKey, app.url, of));
    assert.equal(await readHeading(page), "Unsubscribe from e-mails?");
    assert.equal(await page.getByText("Fleet & Co will send you no more").count(), 1);
    await looks("unsubscribe");
    assert.deepEqual(await focusOrder(), ["Unsubscribe"]);
    await press(page, "Unsubscribe");
    assert.equal(await readHeading(page), "You are unsubscribed");
    await looks("unsubscribe-done");
    await page.goto(`${app.url}/unsubscribe/wrong`);
    assert.equal(await readHeading(page), "This link does not work");
    await looks("unsubscribe-dead");
  },
);
