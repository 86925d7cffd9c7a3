import assert from "node:assert/strict";
import { listen } from "../../src/entry/listen.ts";
import { findCallerAddress, unknownAddress } from "../../src/http/address.ts";
import { sendFrom } from "../support/peers.ts";
import { memoryLog } from "../support/ports.ts";

const findReported = (peer: string | null, forwarded?: string, trusted = true) =>
  findCallerAddress(
    new Request("http://crm.test/", {
      headers: forwarded === undefined ? {} : { "X-Forwarded-For": forwarded },
    }),
    { peer: () => peer },
    trusted,
  );

Deno.test("the address is that of the connection, for IPv4 and IPv6", async () => {
  const server = await listen(
    (request, bindings) => new Response(findCallerAddress(request, bindings, false)),
    { host: "::", port: 0, maxConnections: 10 },
    memoryLog(),
  );
  const { port } = new URL(server.url);
  const from = async (peer: string, to: string) =>
    (await sendFrom(peer, `http://${to}:${port}/`, "GET", undefined, { "X-Forwarded-For": "192.0.2.1" }))
      .text;
  assert.equal(await from("127.0.0.1", "127.0.0.1"), "127.0.0.1");
  assert.equal(await from("127.0.0.2", "127.0.0.1"), "127.0.0.2");
  assert.equal(await from("::1", "[::1]"), "::/64");
  await server.stop();
});

Deno.test("X-Forwarded-For counts only from a trusted proxy, by its last address", () => {
  assert.equal(findReported("10.0.0.1", "192.0.2.1", false), "10.0.0.1");
  assert.equal(findReported("10.0.0.1", "192.0.2.1"), "192.0.2.1");
  assert.equal(findReported("10.0.0.1", "203.0.113.9, 192.0.2.1"), "192.0.2.1");
  assert.equal(findReported("10.0.0.1", "x,, 2001:db8::1 , 192.0.2.1 "), "192.0.2.1");
  assert.equal(findReported("10.0.0.1"), "10.0.0.1");
});

Deno.test("an invalid X-Forwarded-For falls back to the address of the connection", () => {
  const garbage = [
    "",
    ",",
    "192.0.2.1,",
    "unknown",
    "_hidden",
    "192.0.2.256",
    "192.0.2",
    "0x7f000001",
    "1",
    "::g",
  ];
  for (const text of [...garbage, "[192.0.2.1", "[]", "a:80", "x".repeat(5000)]) {
    assert.equal(findReported("10.0.0.1", text), "10.0.0.1", text);
  }
});

Deno.test("ports are ignored, and all spellings of an address count as one", () => {
  for (const text of ["192.0.2.1", "192.0.2.1:4711", "::ffff:192.0.2.1", "[::ffff:c000:201]:80"]) {
    assert.equal(findReported(null, text), "192.0.2.1", text);
  }
  for (
    const text of [
      "2001:db8::1",
      "2001:DB8:0:0:ffff::2",
      "[2001:db8::3]",
      "[2001:db8::4]:443",
      "2001:db8::5%e",
    ]
  ) {
    assert.equal(findReported(null, text), "2001:db8::/64", text);
  }
  assert.notEqual(findReported(null, "2001:db8:0:1::1"), "2001:db8::/64");
});

Deno.test("callers without a known address count together", () => {
  assert.equal(findReported(null), unknownAddress);
  assert.equal(findCallerAddress(new Request("http://crm.test/"), undefined, true), unknownAddress);
});
