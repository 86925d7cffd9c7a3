/** Merging on the console: what is proposed, both side by side, the merge, its progress and its undo. */
import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import { copy } from "../customers/deletion_world.ts";
import { createCustomer } from "../integration/merges_world.ts";
import { makeSales, nameFields, type World } from "../sales/leads_world.ts";
import { startApp } from "../support/app.ts";
import type { Shown } from "../support/browser.ts";
import { signedIn } from "./world.ts";

const at = (answer: Shown) => answer.headers.get("location")!;

/** The chosen side of a field; null for a field without a choice. */
function chosen({ text }: Shown, name: string): string | null {
  const inputs = [...text.matchAll(/<input type="radio"[^>]*>/g)].map(([tag]) => tag);
  const found = inputs.find((tag) => tag.includes(`name="take.${name}"`) && / checked/.test(tag));
  return found === undefined ? null : / value="(\w+)"/.exec(found)![1]!;
}

async function createContact({ admin }: World, account: string, fields: Record<string, unknown>) {
  const path = `/v1/accounts/${account}/contacts`;
  const reply = await admin.call("POST", path, {
    fixed_fields: nameFields(fields),
    consent: { email: { consent_given: fields.last_name !== "Lovelace" } },
  });
  assert.equal(reply.status, 201, reply.text);
  return reply.body.id as string;
}

Deno.test("a contact that may be the same is proposed, compared field by field, merged, and comes back", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, company } = place;
  const { account } = await createCustomer(place, "Alpha", { people: 1 });
  const email = "ada@example.org";
  const ada = await createContact(place, account.id, { last_name: "Byron", first_name: "Ada", email });
  const also = await createContact(place, account.id, {
    last_name: "Lovelace",
    first_name: "Ada",
    email: "ADA@example.org",
    title: "Countess",
  });
  const note = { note: "Wrote the first program", contact_id: also, account_id: account.id };
  assert.equal((await admin.call("POST", "/v1/notes", note)).status, 201);
  const browser = await signedIn(app, await company.user({ type: "admin" }));
  const shown = await browser.get(`/app/contacts/${ada}`);
  assert.ok(shown.text.includes(`href="/app/contacts/${ada}/merge"`));
  const choose = await browser.get(`/app/contacts/${ada}/merge`);
  assert.match(choose.text, /<h1>Merge Ada Byron<\/h1>/);
  assert.match(choose.text, /data-list="contacts" data-total="1"/);
  assert.match(choose.text, /Same: e-mail address/);
  const address = `/app/contacts/${ada}/merge?from_id=${also}`;
  assert.ok(choose.text.includes(`href="${address}"`));
  const searched = await browser.get(`/app/contacts/${ada}/merge?search=alpha`);
  assert.match(searched.text, /data-list="contacts" data-total="1"/);

  const page = await browser.get(address);
  assert.match(page.text, /1 note/);
  assert.deepEqual(["last_name", "title", "first_name"].map((name) => chosen(page, name)), [
    "this",
    "other",
    null,
  ]);
  assert.match(page.text, /Consent: e-mail[\s\S]*?Refused/, "a refusal stays");
  const fields = { "take.last_name": "other", "take.title": "this", "take.email": "this" };
  const merged = await browser.submit(page, `/app/contacts/${ada}/merge`, fields);
  assert.equal(at(merged), `/app/contacts/${ada}`, merged.text);
  const twice = await browser.submit(page, `/app/contacts/${ada}/merge`, fields);
  assert.deepEqual([twice.status, at(twice)], [303, at(merged)]);
  const after = await browser.follow(merged);
  assert.match(after.text, /Merged\./);
  assert.match(after.text, /<h1>Ada Lovelace<\/h1>/);
  assert.doesNotMatch(after.text, /Countess/);
  assert.match(after.text, /Wrote the first program/);
  assert.equal((await browser.get(`/app/contacts/${also}`)).status, 404);

  const undo = / action="(\/app\/merges\/[\w-]+)"/.exec(after.text)![1]!;
  const record = await browser.get(undo);
  assert.match(record.text, /data-status="done"[\s\S]*1 note/);
  const undone = await browser.submit(after, undo, {});
  assert.equal(at(undone), `/app/contacts/${ada}`, undone.text);
  const back = await browser.follow(undone);
  assert.match(back.text, /The merge is undone\.[\s\S]*<h1>Ada Byron<\/h1>/);
  assert.match((await browser.get(`/app/contacts/${also}`)).text, /Countess[\s\S]*Wrote the first program/);
  assert.match((await browser.get(undo)).text, /data-status="undone"/);
  const again = await browser.submit(record, undo, {});
  assert.deepEqual([again.status, /role="alert"[^]*?undone already/.test(again.text)], [409, true]);
});

Deno.test("the undo of a merge lists what somebody has changed since", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, company } = place;
  const [a, b] = [await createCustomer(place, "Alpha"), await createCustomer(place, "Beta")];
  const field = await admin.call("POST", "/v1/fields/account", {
    label: "Expected revenue",
    type: "text",
  });
  assert.equal(field.status, 201, field.text);
  const expect = async (id: string, value: string) => {
    const custom_fields = [{ name: field.body.name, value }];
    const reply = await admin.call("PUT", `/v1/accounts/${id}`, { custom_fields });
    assert.equal(reply.status, 200, reply.text);
  };
  await expect(a.account.id, "little");
  await expect(b.account.id, "much");
  const browser = await signedIn(app, await company.user({ type: "admin" }));
  const path = `/app/accounts/${a.account.id}/merge`;
  const page = await browser.get(`${path}?from_id=${b.account.id}`);
  assert.equal(chosen(page, "city"), "this");
  const wrong = await browser.submit(page, path, { "take.city": "neither" });
  assert.match(
    wrong.text,
    /role="alert"[^]*?<a href="#[\w-]+-take\.city">City: Please choose one of the list\.<\/a>/,
  );
  assert.match(wrong.text, /<fieldset id="[\w-]+-take\.city" class="pair" aria-invalid="true"/);
  const merged = await browser.submit(page, path, {
    "take.city": "other",
    "take.name": "this",
    [`take.custom.${field.body.name}`]: "other",
  });
  const { text } = await browser.follow(merged);
  const undo = / action="(\/app\/merges\/[\w-]+)"/.exec(text)![1]!;
  await admin.call("PUT", `/v1/accounts/${a.account.id}`, {
    fixed_fields: nameFields({ city: "Paris <b>" }),
  });
  await expect(a.account.id, "more");
  await admin.call("DELETE", `/v1/cases/${b.cases[0]!.id}`);
  const undone = await browser.submit(await browser.get(undo), undo, {});
  assert.equal(undone.status, 200, undone.text);
  assert.match(undone.text, /<h1>The merge is undone<\/h1>/);
  assert.match(undone.text, /account <bdi>Alpha<\/bdi><\/a>: <bdi>City<\/bdi> – changed since/);
  assert.match(undone.text, /<bdi>Expected revenue<\/bdi> – changed since/);
  assert.match(undone.text, /case<\/span><\/a>: [\s\S]*?deleted since/);
  assert.match((await browser.get(`/app/accounts/${b.account.id}`)).text, /City of Beta/);
});

Deno.test("a large merge shows how far it is, and its undo once it is done", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { company } = place;
  const [a, b] = [await createCustomer(place, "Alpha"), await createCustomer(place, "Beta")];
  const id = "lower(hex(randomblob(4)) || '-0000-7000-8000-' || hex(randomblob(6)))";
  await copy(app, "contacts", `x.id = '${b.contacts[0]!.id}'`, { id, external_id: "null" }, 110);
  const browser = await signedIn(app, await company.user({ type: "admin" }));
  const path = `/app/accounts/${a.account.id}/merge`;
  const page = await browser.get(`${path}?from_id=${b.account.id}`);
  const { write } = app.deps.db;
  let isLocked = false;
  Object.assign(app.deps.db, {
    write: async (statements: Parameters<typeof write>[0]) => {
      if (isLocked) throw new Error("the process has died");
      const results = await write.call(app.deps.db, statements);
      isLocked = statements.some(({ sql }) => sql.startsWith('insert into "merge_locks"'));
      return results;
    },
  });
  const merged = await browser.submit(page, path, {});
  Object.assign(app.deps.db, { write });
  assert.match(at(merged), /^\/app\/merges\//, merged.text);
  const running = await browser.follow(merged);
  assert.match(running.text, /Merging has begun\./);
  assert.match(running.text, /data-status="running"/);
  assert.match(running.text, /data-live="true"/);
  assert.match(running.text, /<progress[^>]* value="0" max="\d{3}"/);
  assert.doesNotMatch(running.text, /Undo the merge/);
  app.clock.move(60_000);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  const done = await browser.get(at(merged));
  assert.match(done.text, /data-status="done"[\s\S]*112 contacts[\s\S]*Undo the merge/);
  assert.doesNotMatch(done.text, /data-live|<progress/);
});

Deno.test("who may not delete is offered no merge, and a pair that does not fit is explained", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, member, company } = place;
  const [a, person] = [
    await createCustomer(place, "Alpha", { people: 1 }),
    await createCustomer(place, "Beta", { b2c: true, people: 1 }),
  ];
  const path = `/app/contacts/${a.contacts[0]!.id}`;
  const other = await signedIn(app, member);
  assert.doesNotMatch((await other.get(path)).text, /\/merge/);
  assert.equal((await other.get(`${path}/merge`)).status, 403);

  const browser = await signedIn(app, await company.user({ type: "admin" }));
  const unfit = {
    [person.contacts[0]!.id]: /People and companies cannot be merged\./,
    [a.contacts[0]!.id]: /A record cannot be merged with itself\./,
    "01939c5e-7d3a-7c3f-8a55-0a4be5a1a010": /The other record does not exist/,
    nonsense: /from_id/,
  };
  for (const [from_id, alert] of Object.entries(unfit)) {
    const { status, text } = await browser.get(`${path}/merge?from_id=${from_id}`);
    assert.equal(status, 200, from_id);
    assert.match(/role="alert">(.*?)</.exec(text)![1]!, alert);
  }
  const second = await createContact(place, a.account.id, { last_name: "Second" });
  const page = await browser.get(`${path}/merge?from_id=${second}`);
  const api = `/v1/accounts/${a.account.id}/contacts/${a.contacts[0]!.id}`;
  const put = await admin.call("PUT", api, { fixed_fields: nameFields({ title: "Dr" }) });
  assert.equal(put.status, 200, put.text);
  const stale = await browser.submit(page, `${path}/merge`, { "take.last_name": "other" });
  assert.equal(stale.status, 412);
  assert.match(stale.text, /role="alert"[^]*?changed/);
  assert.equal(chosen(stale, "last_name"), "other", "what was chosen stays");
  assert.match(stale.text, /Dr/);
  const saved = await browser.submit(stale, `${path}/merge`, { "take.last_name": "other" });
  assert.equal(saved.status, 303, saved.text);
});
