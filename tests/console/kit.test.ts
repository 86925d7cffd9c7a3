/** The page of the console's parts, which the service for development alone has. */
import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { startApp } from "../support/app.ts";
import { signedIn } from "./world.ts";

Deno.test("the kit shows the parts of pages in each theme, in development alone", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const browser = await signedIn(app, admin);
  assert.equal((await browser.get("/app/_kit")).status, 404);
  const kit = createApp(app.deps, { kit: true });
  const headers = { cookie: `session=${browser.cookies.get("session")}` };
  for (const theme of ["light", "dark"]) {
    const answer = await kit.request(`http://127.0.0.1/app/_kit?theme=${theme}`, { headers });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    assert.match(text, new RegExp(`<html lang="en" data-theme="${theme}">`));
    for (const part of ["badge warn", "avatar", "countdown", 'type="radio"', "<details>", 'data-empty=""']) {
      assert.ok(text.includes(part), part);
    }
  }
});
