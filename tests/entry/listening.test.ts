/** When a server takes itself for one that accepts nothing. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createListener } from "node:net";
import { watchOver } from "../../src/entry/listening.ts";
import { memoryLog } from "../support/ports.ts";

/** Milliseconds between two looks. A step is a tenth of it. */
const everyMs = 50;

/**
 * Watches a server whose connections the system makes and this process never accepts, until it listens again or
 * `turns` turns of the event loop of `busyMs` each are over. Returns what the log holds.
 */
async function watchUnaccepted(turns: number, busyMs: number): Promise<string[]> {
  const accepting = createListener((socket) => socket.destroy());
  await new Promise<void>((resolve) => accepting.listen({ host: "127.0.0.1", port: 0 }, resolve));
  const { port } = accepting.address() as AddressInfo;
  const log = memoryLog();
  const server = createServer();
  const end = watchOver(server, { host: "127.0.0.1", port, backlog: 1 }, everyMs, log);
  for (let turn = 0; turn < turns && log.entries.length === 0; turn++) {
    await new Promise((resolve) => setTimeout(resolve, busyMs === 0 ? 10 : 0));
    for (const until = performance.now() + busyMs; performance.now() < until;);
  }
  end();
  await new Promise((resolve) => accepting.close(resolve));
  return log.entries.map(({ event }) => String(event));
}

Deno.test("a server that has time and accepts no connection listens again", async () => {
  assert.equal((await watchUnaccepted(1_000, 0))[0], "listening_again");
});

Deno.test("the late steps of a busy process do not count against a connection", async () => {
  assert.deepEqual(await watchUnaccepted(30, 40), []);
});

Deno.test("a server that is stopped during a look does not listen again", async () => {
  const probed = Promise.withResolvers<void>();
  const given = Promise.withResolvers<void>();
  const accepting = createListener((socket) => {
    socket.on("error", () => {}).on("close", () => given.resolve()).resume();
    probed.resolve();
  });
  await new Promise<void>((resolve) => accepting.listen({ host: "127.0.0.1", port: 0 }, resolve));
  const { port } = accepting.address() as AddressInfo;
  const log = memoryLog();
  const end = watchOver(createServer(), { host: "127.0.0.1", port, backlog: 1 }, everyMs, log);
  await probed.promise;
  end();
  await given.promise;
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(log.entries, []);
  await new Promise((resolve) => accepting.close(resolve));
});
