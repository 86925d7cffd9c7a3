/** Large bodies are worked on a few at a time, since each is in memory several times over. */
import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { Problem } from "../../src/core/errors.ts";
import { waitForTurn } from "../../src/http/large_bodies.ts";
import { RawBody, startApp } from "../support/app.ts";

const limit = 15 * 1024 * 1024;
const large = 2 * 1024 * 1024;

function request(size: number | null): Request {
  return new Request("http://localhost/", {
    headers: size === null ? {} : { "Content-Length": String(size) },
  });
}

const isPending = async (turn: Promise<unknown>) =>
  await Promise.race([turn.then(() => false), new Promise((resolve) => setTimeout(() => resolve(true)))]);

Deno.test("four large bodies of a company have a turn at once, six of all; small ones wait for nothing", async () => {
  assert.equal(await waitForTurn(request(large), limit, 1), null);
  assert.equal(await waitForTurn(request(null), 1024, 1), null);
  const first = await Promise.all([1, 2, 3, 4].map(() => waitForTurn(request(large + 1), limit, 1)));
  const fifth = waitForTurn(request(null), limit, 1);
  assert.equal(await isPending(fifth), true);
  const others = [await waitForTurn(request(limit), limit, 2), await waitForTurn(request(limit), limit, 3)];
  const seventh = waitForTurn(request(limit), limit, 4);
  assert.equal(await isPending(seventh), true);
  const waiting = Array.from({ length: 198 }, () => waitForTurn(request(limit), limit, 1));
  await assert.rejects(waitForTurn(request(limit), limit, 1), (error) => {
    assert.ok(error instanceof Problem);
    return error.status === 503;
  });
  others[0]!();
  const end = await seventh;
  assert.equal(await isPending(fifth), true);
  for (const each of [...first, others[1]!, end!]) each!();
  (await fifth)!();
  for (const each of waiting) (await each)!();
  assert.equal(await isPending(waitForTurn(request(limit), limit, 1).then((last) => last!())), false);
});

Deno.test("uploads in base64 hold their turn until they are answered, also when they fail", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  let [running, most] = [0, 0];
  const storage = {
    ...app.deps.storage,
    async put(key: string, bytes: Uint8Array, type: string) {
      most = Math.max(most, ++running);
      await app.deps.storage.put(key, bytes, type);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running--;
    },
  };
  const served = createApp({ ...app.deps, storage });
  const post = async (text: string) => {
    const headers = {
      Authorization: `Bearer ${admin.token}`,
      "Content-Type": "application/json",
      "Content-Length": String(text.length),
    };
    const reply = await served.fetch(
      new Request("http://localhost/v1/files", { method: "POST", headers, body: text }),
    );
    await reply.text();
    return reply.status;
  };
  const bodies = [
    ...Array.from({ length: 8 }, () => JSON.stringify({ name: "a", data: "AAAA".repeat(600_000) })),
    ...Array.from({ length: 8 }, () => JSON.stringify({ name: "/", data: "AAAA".repeat(600_000) })),
    "x".repeat(3_000_000),
  ];
  const statuses = await Promise.all(bodies.map(post));
  assert.deepEqual(statuses, [...Array(8).fill(201), ...Array(8).fill(422), 400]);
  assert.equal(most, 4);
});

Deno.test("a large body that is broken, too long or cut off is refused by the listener as a small one is", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const post = (body: unknown) => admin.call("POST", "/v1/files", body);
  const json = (bytes: Uint8Array<ArrayBuffer>) => new RawBody("application/json", bytes);
  const text = JSON.stringify({ name: "a", data: "AAAA".repeat(600_000) });
  const whole = new TextEncoder().encode(text);
  const cases: [unknown, number, string | undefined][] = [
    [json(new Uint8Array(large + 1).fill(0xff)), 400, "malformed_json"],
    [json(whole.slice(0, -1)), 400, "malformed_json"],
    [json(new Uint8Array(limit + 1).fill(0x20)), 413, "payload_too_large"],
    [new RawBody("text/plain", whole), 415, "unsupported_media_type"],
    [{ name: "é".repeat(large), data: "" }, 422, "validation_failed"],
  ];
  for (const [body, status, code] of cases) {
    const reply = await post(body);
    assert.deepEqual([reply.status, reply.body.code], [status, code], reply.text.slice(0, 500));
  }
  const { hostname, port } = new URL(app.url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const head = `POST /v1/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${admin.token}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${whole.length}\r\n\r\n`;
  await connection.write(new TextEncoder().encode(head));
  await connection.write(whole.subarray(0, 100_000));
  connection.close();
  const reply = await post(new RawBody("application/json", whole));
  assert.deepEqual([reply.status, reply.body.size], [201, 1_800_000]);
  assert.deepEqual(await app.sql("select count(*) as n from files"), [{ n: 1 }]);
});
