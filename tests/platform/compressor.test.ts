import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Json, placeConstant, toJson } from "../../src/core/json.ts";
import { type Encoding, makeCompressor } from "../../src/platform/compressor.ts";

const part = 128 * 1024;
/** Options of a field, whose bytes are longer than a part. */
const options = placeConstant({ name: "c".repeat(40), text: `["${"Côte ".repeat(part)}"]`, shared: true });
/** Many short pieces, one with a pair of surrogates where a part ends, an empty one, and one of several parts. */
const pieces = [
  ...Array.from({ length: 5_000 }, (_, n) => `{"id":${n},"name":"Müller"},`),
  "x".repeat(part - 1) + "😀",
  "",
  "ü😀".repeat(part),
  ...toJson({ one: "é", options, two: options }).pieces,
];
const body = new Json(pieces);
const { text } = body;
const decoded: Readonly<Record<Encoding | "none", (bytes: Uint8Array) => Uint8Array>> = {
  br: (bytes) => brotliDecompressSync(bytes),
  gzip: (bytes) => gunzipSync(bytes),
  none: (bytes) => bytes,
};

for (const encoding of ["br", "gzip", null] as const) {
  Deno.test(`other calls run between the parts of a large text (${encoding ?? "uncompressed"})`, async () => {
    let ended = false;
    let turns = 0;
    const others = (async () => {
      for (; !ended; turns++) await setImmediate();
    })();
    const bytes = await makeCompressor().compressInParts(body, encoding);
    ended = true;
    await others;
    assert.equal(new TextDecoder().decode(decoded[encoding ?? "none"](bytes)), text);
    assert.ok(turns >= Math.floor(text.length / part), `${turns} turns`);
  });
}
