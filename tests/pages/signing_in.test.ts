import assert from "node:assert/strict";
import { pageTest, press, readHeading, signIn } from "./world.ts";

pageTest(
  "a wrong password shows an error and keeps the address; the right one signs in, and signing out works",
  async (world) => {
    const { app, email, page, looks, focusOrder } = world;
    await page.goto(`${app.url}/auth/sign-in`);
    await looks("sign-in");
    assert.deepEqual(await focusOrder(), [
      "E-mail address",
      "Password",
      "Sign in",
      "Forgot your password?",
      "Use single sign-on",
    ]);
    await signIn(world, email, "wrong");
    assert.equal(await page.getByRole("alert").innerText(), "The e-mail address or the password is wrong.");
    assert.equal(await page.getByLabel("E-mail address").inputValue(), email);
    assert.equal(await page.getByLabel("Password", { exact: true }).inputValue(), "");
    await page.locator("#password:focus").waitFor();
    await looks("wrong-password");
    await signIn(world, email);
    assert.equal(await readHeading(page), "Today");
    await page.goto(`${app.url}/auth/sign-in`);
    assert.equal(await readHeading(page), "You are signed in");
    await looks("signed-in");
    await press(page, "Sign out");
    assert.equal(await readHeading(page), "You are signed out");
    await looks("signed-out");
    await page.getByRole("link", { name: "Sign in again" }).click();
    assert.equal(await readHeading(page), "Sign in");
  },
);

pageTest("an expired form, and too many attempts, show a page", async (world) => {
  const { app, email, page, looks } = world;
  await page.goto(`${app.url}/auth/sign-in`);
  await page.context().clearCookies();
  await signIn(world, email);
  assert.equal(await readHeading(page), "This form has expired");
  await looks("expired");
  await page.goto(`${app.url}/auth/sign-in`);
  await signIn(world, email, "wrong");
  await app.deps.db.write([{ sql: "update attempts set failures = 100", args: [] }]);
  await signIn(world, email);
  assert.equal(await readHeading(page), "Too many attempts");
  await looks("too-many");
});
