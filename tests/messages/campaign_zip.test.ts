/** A ZIP of more entries than the old format counts: `ZIP_ENTRIES`. */
import assert from "node:assert/strict";
import { nameOf } from "../../src/messages/campaigns/letters.ts";
import { zipStream } from "../../src/messages/campaigns/zip.ts";

const count = Number(Deno.env.get("ZIP_ENTRIES") ?? 2_000);
const signatures = { end: 0x06054b50, end64: 0x06064b50, locator: 0x07064b50 };

Deno.test("a ZIP counts its entries, with ZIP64 beyond 65,535, and streams them", async () => {
  let taken = 0;
  async function* entries() {
    for (let n = 1; n <= count; n++) {
      await Promise.resolve();
      taken++;
      yield { name: nameOf(n, "x"), lastModified: new Date(0), input: new Uint8Array([n % 256]) };
    }
  }
  let last = new Uint8Array();
  let bytes = 0;
  let ahead = 0;
  for await (const chunk of zipStream(entries())) {
    bytes += chunk.length;
    last = new Uint8Array([...last, ...chunk].slice(-200));
    // Each local entry takes at least 40 bytes.
    ahead = Math.max(ahead, taken - bytes / 40);
  }
  const view = new DataView(last.buffer);
  const at = (signature: number) => {
    for (let place = last.length - 22; place >= 0; place--) {
      if (view.getUint32(place, true) === signature) return place;
    }
    return -1;
  };
  const is64 = count > 0xffff;
  assert.equal(view.getUint16(at(signatures.end) + 10, true), is64 ? 0xffff : count);
  assert.equal(at(signatures.locator) >= 0, is64);
  if (is64) assert.equal(Number(view.getBigUint64(at(signatures.end64) + 32, true)), count);
  assert.ok(ahead < 100, `${ahead} entries were read before their bytes were taken`);
});
