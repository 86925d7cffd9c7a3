/** What an empty list says: why it is empty, and what to do. */
import assert from "node:assert/strict";
import { type Actor, startApp } from "../support/app.ts";
import { makeSales, nameFields } from "../sales/leads_world.ts";
import { signedIn } from "./world.ts";

/** Lists that no form of their page fills. */
const filledElsewhere = ["timeline", "correspondences"];

async function makeAccount(admin: Actor): Promise<string> {
  const made = await admin.call("POST", "/v1/accounts", { fixed_fields: nameFields({ name: "Ada Ltd" }) });
  assert.equal(made.status, 201, made.text);
  return made.body.id;
}

async function makeContact(admin: Actor, account: string, last_name: string): Promise<string> {
  const made = await admin.call("POST", `/v1/accounts/${account}/contacts`, {
    fixed_fields: nameFields({ first_name: "Ada", last_name }),
  });
  assert.equal(made.status, 201, made.text);
  return made.body.id;
}

Deno.test("an empty list leads to what fills it", async () => {
  await using app = await startApp();
  const { admin, path } = await makeSales(app);
  const account = await makeAccount(admin);
  const busy = await makeContact(admin, account, "Byron");
  const idle = await makeContact(admin, account, "Lovelace");
  const begun = await admin.call("POST", "/v1/cases", { contact_id: busy, relations_path_id: path });
  assert.equal(begun.status, 201, begun.text);
  const browser = await signedIn(app, admin);
  const wrong: string[] = [];
  let lists = 0;
  for (const page of ["/app/leads?view=all", `/app/contacts/${idle}`, `/app/cases/${begun.body.id}`]) {
    const { text, status } = await browser.get(page);
    assert.equal(status, 200, page);
    for (const [, of, inside] of text.matchAll(/<div data-list="([\w-]+)" data-total="0">(.*?)<\/div>/gs)) {
      lists++;
      const to = / href="([^"]+)"/.exec(inside!)?.[1];
      if (to === undefined && !filledElsewhere.includes(of!)) wrong.push(`${page}: ${of} leads nowhere`);
      if (to?.startsWith("#") && !text.includes(` id="${to.slice(1)}"`)) wrong.push(`${page}: no ${to}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(lists >= 6, `${lists} empty lists`);
});

Deno.test("the page of an account leads to a new case of one of its contacts", async () => {
  await using app = await startApp();
  const { admin, company, path } = await makeSales(app);
  const account = await makeAccount(admin);
  const place = `/app/accounts/${account}`;
  const browser = await signedIn(app, await company.user({ type: "admin" }));
  const early = (await browser.get(place)).text;
  assert.doesNotMatch(early, /\/app\/cases\/new/, "without a contact there is no case");
  assert.match(early, /has no contacts yet\. <a href="[^"]*\/contacts\/new"/);
  const ids = [await makeContact(admin, account, "Byron"), await makeContact(admin, account, "Lovelace")];
  const page = await browser.get(place);
  const to = /href="(\/app\/cases\/new\?contact_id=[\w-]+)"[^>]*>New case</.exec(page.text)?.[1];
  assert.ok(to, page.text);
  const form = await browser.get(to);
  const [, select] = /<select[^>]* name="contact_id"[^>]*>(.*?)<\/select>/s.exec(form.text) ?? [];
  const offered = [...select!.matchAll(/value="([\w-]{36})"/g)].map(([, id]) => id);
  assert.deepEqual(offered.toSorted(), ids.toSorted());
  const chosen = ids.find((id) => !to.endsWith(id))!;
  const made = await browser.submit(form, "/app/cases/new", { contact_id: chosen, relations_path_id: path });
  assert.equal(made.status, 303, made.text);
  const [row] = await app.sql("select contact_id from cases");
  assert.equal(row!.contact_id, chosen);
});
