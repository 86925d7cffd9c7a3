/** Of a deleted person nothing stays in merges, in what the console keeps, and in kept answers. */
import assert from "node:assert/strict";
import { longestAfter } from "../src/core/personal_data.ts";
import { companyErasureWork } from "../src/erase.ts";
import { runStaged } from "../src/staged/run.ts";
import { signedIn } from "./console/world.ts";
import { posted, put } from "./messages/campaign_world.ts";
import { day, env, marks, named, ofContact, pass, placesOf, type Scene, scene } from "./personal_data_world.ts";
import { type Actor, startApp, type TestApp } from "./support/app.ts";
import type { Browser } from "./support/browser.ts";

/** Values of records that became the person's by a merge, and of the person before a change. */
const ofWings = [
  ...ofContact,
  "zqcontactext",
  "zqcity",
  "zqsite",
  "zqaccountext",
  "zqother",
  "zqtitle",
  "zqwish",
  "zqtwinext",
  "zqthird",
  "zqchanged",
];

async function consumerOf(admin: Actor, external_id: string, values: Record<string, string>) {
  const account = await posted(admin, "/v1/accounts", {
    b2c: true,
    external_id: `${external_id}account`,
    fixed_fields: named({ city: "Zqcity", website: "https://zqsite.example" }),
  });
  await posted(admin, `/v1/accounts/${account.id}/contacts`, {
    fixed_fields: named({ ...marks, ...values }),
    custom_fields: named({ wish: "Zqwish" }),
    external_id,
  });
  return account;
}

/** Merges two others into the person, of whom the console then shows all; calls keep answers. */
async function wings(app: TestApp, { company, account, contact, member }: Scene): Promise<Browser> {
  const { admin } = company;
  await posted(admin, "/v1/fields/contact", { label: "Wish", type: "text" });
  const twin = await consumerOf(admin, "zqtwinext", { email: "zqother@example.org", title: "Zqtitle" });
  const merge = (from_id: string, more = {}) =>
    posted(admin, `/v1/accounts/${account.id}/merge`, { from_id, ...more });
  await merge(twin.id, { take: { city: "other" } });
  const third = await consumerOf(admin, "zqthird", {});
  const { merge_id } = await merge(third.id);
  await posted(admin, `/v1/merges/${merge_id}/undo`, {});
  await merge(third.id);
  const browser = await signedIn(app, member);
  const path = `/app/contacts/${contact.id}`;
  for (const each of [`/app/accounts/${account.id}`, `/app/customers?search=${marks.first_name}`, path]) {
    assert.equal((await browser.get(each)).status, 200, each);
  }
  const noted = await browser.submit(await browser.get(path), `${path}/notes`, { note: marks.first_name });
  assert.equal(noted.status, 303, noted.text);
  const read = { method: "GET", path: `/v1/contacts/${contact.id}` };
  await admin.call("POST", "/v1/batch", { requests: [read] }, { "Idempotency-Key": "read" });
  const email = { fixed_fields: named({ email: "zqchanged@example.org" }) };
  await put(admin, `/v1/accounts/${account.id}/contacts/${contact.id}`, email);
  await app.idle();
  return browser;
}

Deno.test("of a deleted contact nothing stays in merges and in what the console keeps", async () => {
  await using app = await startApp(env);
  const set = await scene(app);
  await wings(app, set);
  const before = await placesOf(app, ofWings);
  for (const table of ["merges", "idempotency_keys", "custom_values", "notes"]) {
    assert.ok(before.some((place) => place.startsWith(`table ${table}.`)), table);
  }
  assert.equal((await set.company.admin.call("DELETE", `/v1/accounts/${set.account.id}`)).status, 204);
  const afterwards = await placesOf(app, ofWings);
  assert.deepEqual(afterwards.filter((place) => place.startsWith("table merge")), []);
  await pass(app, longestAfter / day + 1);
  assert.deepEqual(await placesOf(app, ofWings), []);
  await set.close();
});

Deno.test("kept answers go with their company, those to forms of the console too", async () => {
  await using app = await startApp({ ...env, ERASE_AFTER: "0" });
  const set = await scene(app);
  await wings(app, set);
  const kept = () => app.sql("select distinct client_id from idempotency_keys order by 1");
  assert.equal((await kept()).length, 2);
  assert.equal((await set.company.admin.call("DELETE", `/v1/companies/${set.company.id}`)).status, 204);
  await runStaged(app.deps, app.clock.now() + 60_000, [companyErasureWork]);
  assert.deepEqual(await kept(), []);
  await set.close();
});
