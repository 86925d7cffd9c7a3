import assert from "node:assert/strict";
import { get, type IncomingHttpHeaders } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { chooseEncoding } from "../../src/http/accepted_encoding.ts";
import { type Actor, startApp } from "../support/app.ts";

interface Raw {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Uint8Array;
}

/** Sends a GET and returns the body without decompressing it. */
function rawGet(url: string, headers: Record<string, string>): Promise<Raw> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      const parts: Uint8Array[] = [];
      response.on("data", (part: Uint8Array) => parts.push(part));
      response.on("end", () => {
        const bytes = new Uint8Array(parts.flatMap((part) => [...part]));
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes });
      });
    }).on("error", reject);
  });
}

const unpacked = {
  br: (bytes: Uint8Array) => brotliDecompressSync(bytes),
  gzip: (bytes: Uint8Array) => gunzipSync(bytes),
} as const;

const account = (admin: Actor) =>
  admin.call("POST", "/v1/accounts", { fixed_fields: [{ name: "name", value: "Ada Ltd" }] });

Deno.test("encodings are chosen by weight, and only accepted ones", () => {
  const cases: [string | null, string | null][] = [
    [null, null],
    ["", null],
    ["identity", null],
    ["deflate, zstd", null],
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["br;q=0.5, gzip;q=0.8", "gzip"],
    ["br; q=0.5 , gzip ;q=0.5", "br"],
    ["br;q=0, gzip;q=0.001", "gzip"],
    ["gzip;q=0", null],
    ["*", "br"],
    ["*;q=0.1, br;q=0", "gzip"],
    ["gzip, *;q=0", "gzip"],
    ["identity;q=1, gzip;q=0.5", null],
    ["gzip;q=much", null],
  ];
  assert.equal(chooseEncoding("br, gzip", ["gzip", "br"]), "gzip");
  for (const [accepted, chosen] of cases) assert.equal(chooseEncoding(accepted), chosen, String(accepted));
});

Deno.test("answers of 1 KiB or more are compressed as the request accepts, smaller ones are not", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { body: { id } } = await account(admin);
  const Authorization = `Bearer ${admin.token}`;
  for (const path of [`/v1/accounts/${id}`, "/v1/accounts", "/openapi.json"]) {
    const plain = await rawGet(app.url + path, { Authorization });
    assert.equal(plain.headers["content-encoding"], undefined, path);
    assert.equal(plain.headers.vary, "Accept-Encoding", path);
    for (const encoding of ["br", "gzip"] as const) {
      const sent = await rawGet(app.url + path, { Authorization, "Accept-Encoding": encoding });
      assert.equal(sent.headers["content-encoding"], encoding, path);
      assert.equal(sent.headers.vary, "Accept-Encoding", path);
      assert.ok(sent.bytes.length < plain.bytes.length, path);
      assert.deepEqual(new Uint8Array(unpacked[encoding](sent.bytes)), plain.bytes, path);
    }
  }
  // Bodies that are stored compressed use the smallest encoding; bodies for one request use a fast one.
  for (const [path, encoding] of [["/openapi.json", "br"], ["/v1/accounts", "gzip"]] as const) {
    const sent = await rawGet(app.url + path, { Authorization, "Accept-Encoding": "gzip, br" });
    assert.equal(sent.headers["content-encoding"], encoding, path);
  }
  const small = await rawGet(`${app.url}/health`, { "Accept-Encoding": "br" });
  assert.deepEqual([small.headers["content-encoding"], small.headers.vary], [undefined, undefined]);
});

Deno.test("each encoding of a record has its own ETag, and each names the record's version", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { body: { id } } = await account(admin);
  const path = `/v1/accounts/${id}`;
  const ask = (headers: Record<string, string>) =>
    rawGet(app.url + path, { Authorization: `Bearer ${admin.token}`, ...headers });
  const encodings = ["identity", "gzip", "br"];
  const tags = await Promise.all(
    encodings.map(async (accepted) => String((await ask({ "Accept-Encoding": accepted })).headers.etag)),
  );
  assert.equal(new Set(tags).size, 3);
  for (const tag of tags) {
    assert.match(tag, /^"[^"]+"$/, "a strong tag");
    const again = await ask({ "Accept-Encoding": "gzip", "If-None-Match": tag });
    assert.deepEqual([again.status, again.bytes.length], [304, 0]);
    assert.deepEqual([again.headers.vary, again.headers.etag], ["Accept-Encoding", tags[1]]);
    assert.equal(again.headers["content-encoding"], undefined);
    const same = { fixed_fields: [{ name: "name", value: "Ada Ltd" }] };
    assert.equal((await admin.call("PUT", path, same, { "If-Match": tag })).status, 200, tag);
  }
  const changed = { fixed_fields: [{ name: "name", value: "Grace Ltd" }] };
  assert.equal((await admin.call("PUT", path, changed)).status, 200);
  for (const tag of tags) {
    assert.equal((await admin.call("PUT", path, changed, { "If-Match": tag })).status, 412, tag);
    assert.equal((await ask({ "If-None-Match": tag })).status, 200, tag);
  }
});
