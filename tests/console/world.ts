/** People who are signed in at the console. */
import assert from "node:assert/strict";
import type { Actor, TestApp } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { withPassword } from "../support/oauth.ts";

const password = "correct horse";

/** Signs the person in, as a browser without scripts. */
export async function signedIn(app: TestApp, actor: Actor): Promise<Browser> {
  const email = await withPassword(app, actor, password);
  const browser = new Browser(app.url);
  const page = await browser.get("/auth/sign-in");
  const answer = await browser.submit(page, "/auth/sign-in", { email, password });
  assert.equal(answer.headers.get("location"), "/app");
  return browser;
}
