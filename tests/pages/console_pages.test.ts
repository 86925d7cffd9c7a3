/** Every page of the console with the demo company: its words, both themes, and narrow windows. */
import assert from "node:assert/strict";
import { pages } from "../../src/console/console.ts";
import { fill } from "../../src/cli/seed/fill.ts";
import { startApp } from "../support/app.ts";
import { signedIn } from "../console/world.ts";
import { browserTest } from "./chromium.ts";
import { visit } from "./visitor.ts";

/** Pages that are no documents: they lead to a file, or stand in a frame. */
const bare = [
  "/app/files/:file_id/download",
  "/app/cases/:case_id/correspondences/:correspondence_id",
  "/app/cases/:case_id/correspondences/:correspondence_id/pdf",
];
/** Ids for the parameters of paths, by SQL. */
const ids: Readonly<Record<string, string>> = {
  ":lead_id": "select id from leads where state = 'assigned' limit 1",
  ":case_id": "select id from cases where status = 'open' order by activity_count desc limit 1",
  ":account_id": "select account_id as id from contacts where b2c = 0 limit 1",
  ":contact_id": "select id from contacts where b2c = 0 limit 1",
  ":milestone_id": "select id from activity_types where set_status = 'closed' limit 1",
  ":user_id": "select id from users order by id desc limit 1",
  ":team_id": "select id from teams limit 1",
  ":relations_path_id": "select id from relations_paths limit 1",
  ":lead_type_id": "select id from lead_types limit 1",
};

/** What a page needs in its address. */
const queries: Readonly<Record<string, string>> = {
  "/app/cases/new": "?contact_id=:contact_id",
  "/app/cases/:case_id/move": "?milestone_id=:milestone_id",
  "/app/search": "?q=a",
};

browserTest("every page is accessible in both themes and fits narrow windows", async (browser) => {
  await using app = await startApp();
  const { adminId } = await fill(app.deps.db, {
    seed: 1,
    now: app.clock.now(),
    contacts: 60,
    accounts: 20,
    cases: 20,
    leads: 30,
    teams: 4,
    users: 9,
    passwordHash: "none",
  });
  const session = await signedIn(app, { id: adminId } as Parameters<typeof signedIn>[1]);
  await using visitor = await visit(browser);
  const { page } = visitor;
  await page.context().addCookies([
    { name: "session", value: session.cookies.get("session")!, url: app.url, httpOnly: true },
  ]);
  const known = new Map<string, string>();
  for (const [name, sql] of Object.entries(ids)) {
    const [row] = await app.sql(sql);
    known.set(name, String(row?.id));
  }
  const faults: string[] = [];
  for (const { path } of pages.filter(({ path }) => !bare.includes(path))) {
    const address = `${path}${queries[path] ?? ""}`.replaceAll(/:\w+/g, (name) => known.get(name) ?? name);
    const answer = await page.goto(`${app.url}${address}`);
    if (answer!.status() !== 200) faults.push(`${address}: ${answer!.status()}`);
    const text = await page.locator("main").innerText();
    const odd = /\[object|undefined|NaN|null/.exec(text);
    if (odd) faults.push(`${address}: ${odd}`);
    faults.push(...(await visitor.faults()).map((fault) => `${address}: ${fault}`));
  }
  assert.deepEqual(faults, []);
});
