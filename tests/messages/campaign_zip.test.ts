/**
 * The ZIP of a campaign with many letters. `ZIP_ENTRIES` sets their number; from 65,535 on the ZIP needs
 * ZIP64.
 */
import assert from "node:assert/strict";
import { crc32 as zlibCrc } from "node:zlib";
import { sql } from "../../src/db/statements.ts";
import { startApp } from "../support/app.ts";
import { createCampaign, createConsumer, runWork, sendingCompany, soon } from "./campaign_world.ts";

const count = Number(Deno.env.get("ZIP_ENTRIES") ?? 2_000);
const letter = { ...soon, type: "letter", message: { content: "<p>Hello</p>" } };
const address = { account: { address: "Street 1", city: "Graz" } };

/** Reads a ZIP from its end, with ZIP64. Returns the entries with their contents. */
function read(bytes: Uint8Array): { name: string; content: Uint8Array; crc: number }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - 22;
  assert.equal(view.getUint32(end, true), 0x06054b50);
  let [entries, at] = [view.getUint16(end + 10, true), view.getUint32(end + 16, true)];
  const is64 = entries === 0xffff;
  if (is64) {
    assert.equal(view.getUint32(end - 20, true), 0x07064b50);
    const record = Number(view.getBigUint64(end - 12, true));
    assert.equal(view.getUint32(record, true), 0x06064b50);
    entries = Number(view.getBigUint64(record + 32, true));
    at = Number(view.getBigUint64(record + 48, true));
  }
  assert.equal(is64, entries >= 0xffff);
  return Array.from({ length: entries }, () => {
    assert.equal(view.getUint32(at, true), 0x02014b50);
    const [crc, size] = [view.getUint32(at + 16, true), view.getUint32(at + 24, true)];
    const [named, extra] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true)];
    const offset = view.getUint32(at + 42, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + named));
    at += 46 + named + extra;
    assert.equal(view.getUint32(offset, true), 0x04034b50);
    assert.equal(view.getUint32(offset + 14, true), crc);
    const content = offset + 30 + view.getUint16(offset + 26, true);
    return { name, crc, content: bytes.subarray(content, content + size) };
  });
}

Deno.test("a ZIP of any number of letters is read in parts, each without the contents before it", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  await createConsumer(admin, { first_name: "Ada", last_name: "Lovelace" }, address);
  const { id } = await createCampaign(admin, letter);
  app.clock.move(3_600_000);
  await runWork(app);
  // More letters, which share a small object.
  const small = new TextEncoder().encode("%PDF small");
  await app.deps.storage.put("letters/small", small, "application/pdf");
  await app.deps.db.write([
    sql`insert into campaign_messages (company_id, campaign_id, contact_id, status, object,
    letter_size, letter_crc, sent_at, created_at, updated_at)
    with recursive n(i) as (select 2 union all select i + 1 from n where i < ${count})
    select c.company_id, c.id, 'contact ' || n.i, 'sent', 'letters/small', ${small.length}, ${zlibCrc(small)},
    c.sent_at, c.sent_at, c.sent_at from n, campaigns c where c.id = ${id}`,
  ]);
  const { body: { url } } = await admin.call("GET", `/v1/campaigns/${id}/letters`);
  const whole = await fetch(url);
  const etag = whole.headers.get("etag")!;
  const bytes = await whole.bytes();
  assert.equal(Number(whole.headers.get("content-length")), bytes.length);
  const entries = read(bytes);
  assert.equal(entries.length, count);
  assert.deepEqual([entries[0]!.name, entries.at(-1)!.name], [
    "0001 Lovelace Ada.pdf",
    `${String(count).padStart(4, "0")}.pdf`,
  ]);
  assert.ok(new TextDecoder().decode(entries[0]!.content.subarray(0, 8)).startsWith("%PDF-"));
  assert.deepEqual([...entries.at(-1)!.content], [...small]);
  for (const { content, crc } of entries) assert.equal(zlibCrc(content), crc);

  // A download that stops at any byte can be resumed there.
  let [at, parts] = [0, 0];
  while (at < bytes.length) {
    const size = parts < 8 ? 1 + Math.floor(Math.random() * 400) : Math.ceil(bytes.length / 12);
    const part = await fetch(url, {
      headers: { Range: `bytes=${at}-${at + size - 1}`, "If-Range": etag },
    });
    assert.equal(part.status, 206);
    const got = await part.bytes();
    const until = Math.min(bytes.length, at + size);
    assert.equal(part.headers.get("content-range"), `bytes ${at}-${until - 1}/${bytes.length}`);
    assert.ok(
      got.every((byte, index) => byte === bytes[at + index]) && got.length === until - at,
      `at ${at}`,
    );
    at = until;
    parts++;
  }
  const all = await fetch(url, { headers: { Range: `bytes=-${bytes.length + 1}` } });
  assert.deepEqual([all.status, (await all.arrayBuffer()).byteLength], [206, bytes.length]);
  const past = await fetch(url, { headers: { Range: `bytes=${bytes.length}-` } });
  assert.deepEqual([past.status, past.headers.get("content-range")], [416, `bytes */${bytes.length}`]);
  await past.body?.cancel();
});

Deno.test("an archive that changed meanwhile is sent whole, and the end of one asks for no letter", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  const ada = await createConsumer(admin, { first_name: "Ada", last_name: "Lovelace" }, address);
  await createConsumer(admin, { first_name: "Grace", last_name: "Hopper" }, address);
  const { id } = await createCampaign(admin, letter);
  app.clock.move(3_600_000);
  await runWork(app);
  const { body: { url } } = await admin.call("GET", `/v1/campaigns/${id}/letters`);
  const head = await fetch(url, { method: "HEAD" });
  const etag = head.headers.get("etag")!;
  const size = Number(head.headers.get("content-length"));
  // An object is missing, so only the part of the ZIP behind the contents can be read.
  const [first] = await app.sql("select object from campaign_messages where object is not null order by id");
  await app.deps.storage.remove(String(first!.object));
  const end = await fetch(url, { headers: { Range: `bytes=${size - 22}-`, "If-Range": etag } });
  assert.equal(end.status, 206);
  assert.equal(new DataView((await end.bytes()).buffer).getUint32(0, true), 0x06054b50);

  const contact = `/v1/accounts/${ada.account.id}/contacts/${ada.id}`;
  assert.equal((await admin.call("DELETE", contact)).status, 204);
  const changed = await fetch(url, { headers: { Range: "bytes=100-", "If-Range": etag } });
  assert.equal(changed.status, 200);
  assert.deepEqual(read(await changed.bytes()).map(({ name }) => name), ["0001 Hopper Grace.pdf"]);
});
