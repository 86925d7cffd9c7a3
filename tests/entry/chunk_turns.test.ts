/** Chunks of uploads take their turns. Counts turns of the event loop, which the machine's load does not change. */
import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { ChunkTurns } from "../../src/entry/listen.ts";

const uploads = 4;
const chunks = 25;

/** Reads some bodies at once. Returns the number of chunks that passed in each turn. */
async function countPassed(turns: ChunkTurns): Promise<number[]> {
  const passed = [0];
  let over = false;
  const count = () => {
    if (over) return;
    passed.push(0);
    setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(Array.from({ length: uploads }, async () => {
    const body = ReadableStream.from(Array.from({ length: chunks }, () => new Uint8Array(1)));
    for await (const _ of turns.of(body)) passed[passed.length - 1]!++;
  }));
  over = true;
  assert.equal(passed.reduce((sum, n) => sum + n), uploads * chunks);
  return passed;
}

const request = (type?: string) => ({ headers: { "content-type": type } }) as IncomingMessage;

Deno.test("of all uploads one chunk passes in a turn of the event loop, and one in almost each", async () => {
  const turns = new ChunkTurns();
  turns.noteRequest(request("multipart/form-data; boundary=x"));
  const each = await countPassed(turns);
  assert.equal(Math.max(...each), 1);
  assert.ok(each.length < 2 * uploads * chunks, `${each.length} turns`);
});

Deno.test("while other requests come, chunks leave turns out", async () => {
  const turns = new ChunkTurns();
  const timer = setInterval(() => turns.noteRequest(request()), 10);
  turns.noteRequest(request());
  const each = await countPassed(turns);
  clearInterval(timer);
  assert.ok(each.length > 3 * uploads * chunks, `${each.length} turns`);
});
