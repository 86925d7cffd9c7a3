import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { startChild } from "../support/process.ts";
import { programArguments } from "../support/programs.ts";
import { makeLetterName } from "../../src/messages/campaigns/letters_zip.ts";
import {
  createCampaign,
  createConsumer,
  everybody,
  listMessages,
  postRecord,
  runWork,
  sendingCompany,
  soon,
} from "./campaign_world.ts";
import { fileRow } from "../library/library_world.ts";

const letter = { ...soon, type: "letter", message: { content: "<p>Dear {{contact.full_name}}</p>" } };
const address = { account: { address: "Street 1", city: "Graz" } };

/** Names and sizes by the central directory of a ZIP. */
function readDirectory(bytes: Uint8Array): { name: string; size: number; at: number }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = [];
  for (let at = 0; at + 46 <= bytes.length; at++) {
    if (view.getUint32(at, true) !== 0x02014b50) continue;
    const length = view.getUint16(at + 28, true);
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + length)),
      size: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
    });
    at += 45 + length;
  }
  return entries;
}

Deno.test("a campaign by letter makes a PDF for each recipient and offers them as one ZIP", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  const ada = await createConsumer(admin, { first_name: "Ada", last_name: "Lovelace" }, address);
  await createConsumer(admin, { first_name: "Grace", last_name: "Hopper" }, address);
  const template = await postRecord(admin, "/v1/templates", {
    type: "letter",
    title: "L",
    content: "<h1>Hi</h1>{{content}}",
  });
  const { id } = await createCampaign(admin, { ...letter, template_id: template.id });
  const path = `/v1/campaigns/${id}/letters`;
  const waiting = await admin.call("GET", path);
  assert.deepEqual([waiting.status, waiting.body], [202, { url: null, progress: { done: 0, total: 0 } }]);
  app.clock.move(3_600_000);
  await runWork(app);
  const { status, body } = await admin.call("GET", path);
  assert.deepEqual([status, body.progress], [200, { done: 2, total: 2 }]);
  const page = await fetch(body.url);
  assert.equal(page.headers.get("content-type"), "application/zip");
  const zip = new Uint8Array(await page.arrayBuffer());
  const entries = readDirectory(zip);
  assert.deepEqual(entries.map(({ name }) => name), ["0001 Lovelace Ada.pdf", "0002 Hopper Grace.pdf"]);
  const start = entries[0]!.at + 30 + 21;
  assert.ok(new TextDecoder().decode(zip.subarray(start, start + 60)).includes("%PDF"));
  const campaign = (await admin.call("GET", `/v1/campaigns/${id}`)).body;
  assert.deepEqual([campaign.status, campaign.total_sent], ["sent", 2]);
  const { body: notifications } = await admin.call("GET", "/v1/notifications");
  assert.equal(notifications.data[0].type, "campaign_sent");
  const [first] = await listMessages(admin, id);
  const shown = await admin.call("GET", `/v1/campaigns/${id}/messages/${first.id}`);
  assert.equal(shown.body.content, "<h1>Hi</h1><p>Dear Ada Lovelace</p>");

  app.clock.move(301_000);
  assert.equal((await fetch(body.url)).status, 404);
  // Deleting the contact deletes its letter.
  const contact = `/v1/accounts/${ada.account.id}/contacts/${ada.id}`;
  assert.equal((await admin.call("DELETE", contact)).status, 204);
  const again = await admin.call("GET", path);
  const left = readDirectory(new Uint8Array(await (await fetch(again.body.url)).arrayBuffer()));
  assert.deepEqual(left.map(({ name }) => name), ["0001 Hopper Grace.pdf"]);
  const objects = await app.sql("select count(*) as n from objects where removed_from is null");
  assert.equal(objects[0]!.n, 1);
});

Deno.test("letters wait while files of the company leave no room, count as its files, and are made later", async () => {
  const quota = 1_000_000;
  await using app = await startApp({ FILE_QUOTA: `${quota}` });
  const { admin } = await sendingCompany(app);
  const ada = await createConsumer(admin, { last_name: "Lovelace" }, address);
  await createConsumer(admin, { last_name: "Hopper" }, address);
  const owner = { company_id: admin.companyId, user_id: admin.id };
  // One byte of room, then none.
  const large = await fileRow(app, { ...owner, size: quota - 1 });
  const { id } = await createCampaign(admin, letter);
  const run = async () => {
    app.clock.move(3_600_000 * 9);
    await runWork(app);
    const usage = (await admin.call("GET", "/v1/files/usage")).body;
    const { body } = await admin.call("GET", `/v1/campaigns/${id}/letters`);
    const { status, total_sent } = (await admin.call("GET", `/v1/campaigns/${id}`)).body;
    return { usage, progress: body.progress, status, total_sent };
  };
  const waits = { progress: { done: 0, total: 2 }, status: "sent", total_sent: 0 };
  assert.deepEqual(await run(), { ...waits, usage: { files: 1, bytes: quota - 1, quota } });
  await fileRow(app, { ...owner, size: 1 });
  for (let attempt = 0; attempt < 12; attempt++) await run();
  assert.deepEqual(await run(), { ...waits, usage: { files: 2, bytes: quota, quota } });
  const reason = /leave no room for the letter \(FILE_QUOTA\)/;
  for (const { status, error } of await listMessages(admin, id)) {
    assert.equal(status, "pending");
    assert.match(error, reason);
  }
  const { body: { data } } = await admin.call("GET", "/v1/notifications");
  const notices = (data as { message: string | null }[]).filter(({ message }) => reason.test(message ?? ""));
  assert.equal(notices.length, 1);
  assert.deepEqual(await app.sql("select key from objects where key like 'letters/%'"), []);

  assert.equal((await admin.call("DELETE", `/v1/files/${large}`)).status, 204);
  const made = await run();
  assert.deepEqual([made.progress, made.total_sent], [{ done: 2, total: 2 }, 2]);
  const sizes = await app.sql("select contact_id, letter_size as size, error from campaign_messages");
  const bytes = sizes.reduce((sum, { size }) => sum + Number(size), 1);
  assert.deepEqual(made.usage, { files: 1, bytes, quota });
  assert.deepEqual(sizes.map(({ error }) => error), [null, null]);
  await admin.call("DELETE", `/v1/accounts/${ada.account.id}/contacts/${ada.id}`);
  const gone = sizes.find(({ contact_id }) => contact_id === ada.id)!;
  assert.equal((await admin.call("GET", "/v1/files/usage")).body.bytes, bytes - Number(gone.size));
});

Deno.test("letters whose maker is killed are made by the next, each once", async () => {
  const secrets = { SECRETS_KEY: new Uint8Array(32).fill(7).toBase64() };
  await using app = await startApp(secrets);
  const { admin } = await sendingCompany(app);
  for (let n = 0; n < 40; n++) await createConsumer(admin, { last_name: `Hopper ${n}` }, address);
  const { id } = await createCampaign(admin, letter);
  const began = Date.now();
  const maker = startChild(programArguments("tests/messages/campaign_sender.ts"), {
    ...secrets,
    DATABASE_URL: `file:${app.file}`,
    STORAGE_URL: `file:${app.folder}/files`,
    SHARED_CLOCK: String(began),
  });
  const countMade = async () => {
    const [row] = await app.sql("select count(*) as n from campaign_messages where status = 'sent'");
    return Number(row!.n);
  };
  try {
    while (await countMade() < 5) await new Promise((resolve) => setTimeout(resolve, 5));
  } finally {
    await maker.kill("SIGKILL");
  }
  const before = await countMade();
  assert.ok(before < 40, "it was killed while it made letters");
  // The leases of the killed processes end, and objects that they stored without recording them are removed.
  app.clock.move(began + 7_200_000 - app.clock.now());
  await runWork(app);
  await runWork(app);
  const { body } = await admin.call("GET", `/v1/campaigns/${id}/letters`);
  assert.deepEqual(body.progress, { done: 40, total: 40 });
  const entries = readDirectory(await (await fetch(body.url)).bytes());
  assert.equal(new Set(entries.map(({ name }) => name)).size, 40);
  const campaign = (await admin.call("GET", `/v1/campaigns/${id}`)).body;
  assert.deepEqual([campaign.status, campaign.total_sent], ["sent", 40]);
  assert.equal((await app.sql("select key from objects")).length, 40);
});

Deno.test("campaigns that are no approved letters have no ZIP, and each address is one campaign's", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  const draft = { ...letter, approved: false, message: everybody.message };
  for (const body of [draft, { ...everybody, approved: false }]) {
    const { id } = await createCampaign(admin, body);
    const refused = await admin.call("GET", `/v1/campaigns/${id}/letters`);
    assert.deepEqual([refused.status, refused.body.code], [409, "campaign_state"]);
  }
  assert.equal((await fetch(`${app.url}/campaigns/letters/AZOcXn06fD-KVQpL5aGgAQ`)).status, 404);
});

Deno.test("names in a ZIP are safe on every file system, and numbers need no more than they have", () => {
  assert.equal(makeLetterName(7, "Lovelace Ada"), "0007 Lovelace Ada.pdf");
  assert.equal(makeLetterName(12_345, ""), "12345.pdf");
  assert.equal(makeLetterName(1, "../a\\b:c\u202e\u0000 *"), "0001 .. a b c.pdf");
});
