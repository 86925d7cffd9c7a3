/** People who are signed in at the console. */
import assert from "node:assert/strict";
import type { Actor, TestApp } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { withPassword } from "../support/oauth.ts";

const password = "correct horse";

/** Signs the person in, as a browser without scripts. */
export async function signedIn(app: TestApp, actor: Actor): Promise<Browser> {
  await withPassword(app, actor, password);
  return await signedInAgain(app, actor);
}

/** Signs in a person who has signed in before, in a further browser. */
export async function signedInAgain(app: TestApp, actor: Actor): Promise<Browser> {
  const [row] = await app.sql("select email from users where id = ?", actor.id);
  const browser = new Browser(app.url);
  const page = await browser.get("/auth/sign-in");
  const answer = await browser.submit(page, "/auth/sign-in", { email: row!.email as string, password });
  assert.equal(answer.headers.get("location"), "/app");
  return browser;
}
