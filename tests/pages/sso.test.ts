import assert from "node:assert/strict";
import { connect, setDrivers } from "../identity/sso_world.ts";
import { startProvider } from "../support/openid.ts";
import { pageTest, readHeading } from "./world.ts";

pageTest(
  "a person finds the company's provider by its number, signs in there and comes back",
  async (world) => {
    const { app, company, email, page, looks, focusOrder } = world;
    await using provider = startProvider(() => app.clock.now());
    await page.goto(`${app.url}/auth/sign-in`);
    await page.getByRole("link", { name: "Use single sign-on" }).click();
    assert.equal(await readHeading(page), "Single sign-on");
    await looks("sso");
    assert.deepEqual(await focusOrder(), ["Company number", "Continue", "Sign in with a password"]);
    await page.getByLabel("Company number").fill(String(company.id));
    await page.getByRole("button", { name: "Continue" }).click();
    assert.match(await page.getByRole("alert").innerText(), /No single sign-on/);
    await looks("sso-none");
    const driver = { issuer: provider.issuer, ...provider.client };
    // Setting the password ended the admin's tokens.
    const admin = await company.user({ type: "admin" });
    await setDrivers({ ...company, admin }, [{ provider_name: "Acme ID", ...driver }, {
      provider_name: "Other",
      ...driver,
    }]);
    await page.getByRole("button", { name: "Continue" }).click();
    await looks("sso-choose");
    await page.getByRole("link", { name: "Continue with Acme ID" }).click();
    assert.equal(await readHeading(page), "No user has this account");
    await looks("sso-nobody");
    await connect(app, company.admin.id, "4711");
    await page.goto(`${app.url}/auth/sso?company_id=${company.id}`);
    await page.getByRole("link", { name: "Continue with Acme ID" }).click();
    assert.equal(await readHeading(page), "Today");
    await page.goto(`${app.url}/auth/sign-in`);
    assert.match(await page.getByRole("main").innerText(), new RegExp(email));
  },
);
