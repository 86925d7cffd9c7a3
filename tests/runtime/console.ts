/** The console in workerd: every page, a form, and a live page that is asked again. */
import assert from "node:assert/strict";
import { fillCompany, listPlaces } from "../console/places.ts";
import type { TestApp } from "../support/app.ts";
import { Browser } from "../support/browser.ts";
import { withPassword } from "../support/oauth.ts";
import type { InWorkerd } from "./in_workerd.ts";

const password = "correct horse";

export interface Console {
  readonly email: string;
  /** The addresses of all pages. */
  readonly places: readonly string[];
}

/** A made-up company whose admin can sign in. */
export async function makeConsole(app: TestApp): Promise<Console> {
  const admin = await fillCompany(app);
  // Files of exports end after days of true time, and the clock of this world stands earlier.
  const until = Date.now() + 86_400_000;
  await app.deps.db.write([{ sql: "update exports set expires_at = ?", args: [until] }]);
  const email = await withPassword(app, admin, password, { asServed: true });
  return { email, places: await listPlaces(app) };
}

export async function checkConsole({ worker }: InWorkerd, { email, places }: Console): Promise<void> {
  const browser = new Browser(worker.url);
  const page = await browser.get("/auth/sign-in?next=/app");
  const signedIn = await browser.submit(page, "/auth/sign-in", { email, password });
  assert.deepEqual([signedIn.status, signedIn.headers.get("location")], [303, "/app"], signedIn.text);
  const today = await browser.follow(signedIn);
  for (const [, asset] of today.text.matchAll(/(?:href|src)="(\/app\/assets\/[^"#]+)/g)) {
    const { status, text } = await browser.get(asset!);
    assert.deepEqual([status, text.length > 0], [200, true], asset);
  }
  for (const place of places) assert.equal((await browser.get(place)).status, 200, place);
  const cookie = `session=${browser.cookies.get("session")}`;
  const again = async (etag: string) => {
    const answer = await fetch(`${worker.url}/app`, { headers: { cookie, "If-None-Match": etag } });
    await answer.body?.cancel();
    return answer.status;
  };
  // A first view brings the rest of the page up to date, such as the record that was opened last.
  const etag = (await browser.get("/app")).headers.get("etag")!;
  assert.equal(await again(etag), 304, "nothing has changed");
  const path = places.find((place) => /^\/app\/cases\/[\w-]{36}$/.test(place))!;
  const noted = await browser.submit(await browser.get(path), `${path}/notes`, { note: "1 < 2\nyes" });
  assert.match((await browser.follow(noted)).text, /1 &lt; 2<br \/>yes/);
}
