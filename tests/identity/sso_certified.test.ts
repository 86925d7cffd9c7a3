import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { signInThere, startCertified } from "../support/certified.ts";
import { connect, leave, setDrivers, signedInAs } from "./sso_world.ts";

Deno.test("people sign in through a certified provider", async () => {
  await using app = await startApp();
  app.clock.set(Date.now());
  const company = await app.company();
  await using provider = await startCertified(`${app.url}/auth/sso/${company.id}/Acme%20ID/callback`);
  const { issuer, client } = provider;
  await setDrivers(company, [{ provider_name: "Acme ID", issuer, ...client }]);
  const user = await company.user();
  await connect(app, user.id, "4711");
  const browser = new Browser(app.url);
  const enter = async (login: string) => {
    const left = await leave(browser, `/auth/sso/${company.id}/Acme%20ID`);
    return await browser.get(await signInThere(provider, left.headers.get("location")!, login));
  };
  assert.equal((await enter("4712")).status, 403);
  assert.equal(await signedInAs(browser), null);
  const entered = await enter("4711");
  assert.equal(entered.status, 303, entered.text);
  const [row] = await app.sql("select email from users where id = ?", user.id);
  assert.equal(await signedInAs(browser), row!.email);
});
