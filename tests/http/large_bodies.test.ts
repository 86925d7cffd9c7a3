/** Large bodies are worked on a few at a time, since each is in memory several times over. */
import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { Problem } from "../../src/core/errors.ts";
import { turnOf } from "../../src/http/large_bodies.ts";
import { startApp } from "../support/app.ts";

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
  assert.equal(await turnOf(request(large), limit, 1), null);
  assert.equal(await turnOf(request(null), 1024, 1), null);
  const first = await Promise.all([1, 2, 3, 4].map(() => turnOf(request(large + 1), limit, 1)));
  const fifth = turnOf(request(null), limit, 1);
  assert.equal(await isPending(fifth), true);
  const others = [await turnOf(request(limit), limit, 2), await turnOf(request(limit), limit, 3)];
  const seventh = turnOf(request(limit), limit, 4);
  assert.equal(await isPending(seventh), true);
  const waiting = Array.from({ length: 198 }, () => turnOf(request(limit), limit, 1));
  await assert.rejects(turnOf(request(limit), limit, 1), (error) => {
    assert.ok(error instanceof Problem);
    return error.status === 503;
  });
  others[0]!();
  const end = await seventh;
  assert.equal(await isPending(fifth), true);
  for (const each of [...first, others[1]!, end!]) each!();
  (await fifth)!();
  for (const each of waiting) (await each)!();
  assert.equal(await isPending(turnOf(request(limit), limit, 1).then((last) => last!())), false);
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
