/** Exports of the lists of customers and leads, by forms alone. */
import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import { makeSales } from "../sales/leads_world.ts";
import { createCustomer } from "../integration/merges_world.ts";
import { startApp, type TestApp } from "../support/app.ts";
import type { Browser } from "../support/browser.ts";
import { signedIn } from "./world.ts";

/** Sends the form of the list, and returns the page of the export once it is done. */
async function exportList(app: TestApp, browser: Browser, list: string, format: string) {
  const page = await browser.get(list);
  const action = `${list.split("?")[0]}/export`;
  const sent = await browser.submit(page, action, { format });
  assert.equal(sent.status, 303, sent.text);
  const address = sent.headers.get("location")!;
  assert.match(address, /^\/app\/exports\/[\w-]{36}$/);
  assert.match((await browser.follow(sent)).text, /<h1>Export<\/h1>/);
  for (let tries = 0; tries < 20; tries++) {
    await app.idle();
    const { text } = await browser.get(address);
    if (!/data-live="true"/.test(text)) return text;
    app.clock.move(60_000);
    assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  }
  throw new Error("The export does not end.");
}

/** Downloads the file that the page links to. */
async function downloadFile(app: TestApp, browser: Browser, page: string): Promise<string> {
  const path = /href="(\/app\/files\/[\w-]+\/download)"/.exec(page)![1]!;
  const to = (await browser.get(path)).headers.get("location")!;
  return await (await fetch(new URL(to, app.url))).text();
}

Deno.test("customers are exported as their list is filtered, and leads too", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  await createCustomer(place, "Alpha", { people: 1 });
  await createCustomer(place, "Beta", { people: 1 });
  const { company } = place;
  const browser = await signedIn(app, await company.user({ type: "admin" }));
  const all = await exportList(app, browser, "/app/customers?kind=accounts", "csv");
  assert.match(all, /data-status="done"/);
  const accounts = await downloadFile(app, browser, all);
  for (const name of ["Alpha", "Beta"]) assert.ok(accounts.includes(name), name);
  const filter = "field=account.name&operator=eq&value=Beta";
  const some = await exportList(app, browser, `/app/customers?kind=contacts&${filter}`, "ndjson");
  const contacts = await downloadFile(app, browser, some);
  assert.match(contacts, /p0@beta\.example/);
  assert.doesNotMatch(contacts, /alpha/);
  const leads = await exportList(app, browser, "/app/leads?view=all", "csv");
  assert.match(await downloadFile(app, browser, leads), /lead_source/);
  assert.match((await browser.get("/app/exports")).text, /data-list="exports" data-total="3"/);
  const searched = await browser.get("/app/customers?kind=contacts&search=beta");
  assert.match(searched.text, /not the words of the search/);
});

Deno.test("who may not export is offered none, and sees no export of others", async () => {
  await using app = await startApp();
  const { company } = await makeSales(app);
  const team = await company.team();
  const clerk = await signedIn(app, await company.user({ teams: [team], rights: ["reports.export"] }));
  const colleague = await signedIn(app, await company.user({ teams: [team] }));
  const sent = await clerk.submit(await clerk.get("/app/customers"), "/app/customers/export", {
    format: "csv",
  });
  assert.equal(sent.status, 303, sent.text);
  const address = sent.headers.get("location")!;
  for (const list of ["/app/customers", "/app/leads"]) {
    assert.doesNotMatch((await colleague.get(list)).text, /\/export/);
  }
  for (const path of [address, "/app/exports"]) assert.equal((await colleague.get(path)).status, 403, path);
  const other = await signedIn(app, await company.user({ teams: [team], rights: ["reports.export"] }));
  assert.equal((await other.get(address)).status, 404);
  const wrong = await clerk.submit(await clerk.get("/app/customers"), "/app/customers/export", {
    format: "csv",
    filter: "{",
  });
  assert.deepEqual([wrong.status, /role="alert"/.test(wrong.text)], [422, true]);
});
