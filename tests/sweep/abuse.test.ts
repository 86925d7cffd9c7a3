import assert from "node:assert/strict";
import { memoryPeak, resetPeak, residentMemory } from "../support/memory.ts";
import type { Server } from "../support/process.ts";
import { type Extreme, makeExtremes } from "./extremes.ts";
import { timed } from "../support/times.ts";
import { fill } from "./place.ts";
import { assertProblem, endpoints, prepare, sendPrepared, startApp, startServer, sweep } from "./sweep.ts";

/** Bytes that a call may need at most. */
const mostMemory = 64 * 1024 * 1024;
/** The most milliseconds of a call, and of a simultaneous `/me` of another caller. */
const mostTime = 1_000;
const mostBeside = 100;

Deno.test("the largest legal value is taken within bounds, and a larger one is refused by name", async (t) => {
  await using app = await startApp();
  const place = await fill(app);
  const { body: document } = await app.call(null, "GET", "/openapi.json");
  const server = await startServer(app);
  const other = await app.company("Other");
  let count = 0;
  const taken = { legal: 0, all: 0 };
  try {
    await sweep(t, endpoints, app, async (endpoint, at) => {
      const { method, path } = endpoint.declared;
      let right = await prepare(place, endpoint);
      let extremes = makeExtremes(document, right, method, path);
      for (let index = 0; index < extremes.length; index++) {
        const extreme = extremes[index]!;
        const shown = `${at}: ${extreme.at}`;
        const reply = await sendBounded(server, other.admin.token, extreme, shown);
        count++;
        assert.ok(reply.status < 500, `${shown}: ${reply.status} ${reply.text.slice(0, 500)}`);
        if (reply.status >= 400) assertProblem(reply, shown);
        // A record that is too large as a whole violates another rule.
        const max = (reply.body?.errors ?? []).some((
          error: { path: string; code: string; message: string },
        ) => error.path === extreme.path && error.code === "max" && !/record/.test(error.message));
        if (extreme.legal === false) {
          assert.ok(
            [404, 413, 422].includes(reply.status),
            `${shown} is too large: ${reply.status} ${reply.text.slice(0, 300)}`,
          );
        }
        if (extreme.legal === true) {
          taken.all++;
          if (reply.status < 300) taken.legal++;
          assert.equal(max, false, `${shown} is legal: ${reply.text.slice(0, 300)}`);
        }
        if (reply.status < 300 && method !== "get") {
          right = await prepare(place, endpoint);
          extremes = makeExtremes(document, right, method, path);
        }
      }
    });
    // The test proves little if most legal values are refused.
    assert.ok(count > 1_000, `${count} calls`);
    assert.ok(taken.legal > taken.all / 3, `${taken.legal} of ${taken.all} legal values were taken`);
  } finally {
    await server.kill();
  }
});

/**
 * Sends the call. Repeats a call that needs too much, or meets the deadline of reads, up to two times: a busy
 * process needs more for a moment, and on a busy machine a read takes longer.
 */
async function sendBounded(server: Server, other: string, extreme: Extreme, shown: string) {
  const call = extreme.call();
  for (let attempt = 1;; attempt++) {
    const before = residentMemory(server.pid);
    resetPeak(server.pid);
    const beside = timed ? besideTimes(server.url, other) : null;
    const started = performance.now();
    const reply = await sendPrepared(server.url, call);
    const time = performance.now() - started;
    const slowest = beside ? await beside.end() : 0;
    const memory = memoryPeak(server.pid) - before;
    const isLate = reply.status === 503 && reply.headers.has("retry-after");
    const isFine = memory <= mostMemory && !isLate && (!timed || time <= mostTime && slowest <= mostBeside);
    if (isFine) return reply;
    if (attempt === 3) {
      const slowestMs = Math.round(slowest);
      assert.fail(
        `${shown}: ${reply.status}, ${Math.round(memory / 1024)} KiB, ` +
          `${Math.round(time)} ms, beside it ${slowestMs} ms`,
      );
    }
  }
}

/** Calls `/me` until it is stopped. Returns the time of the slowest call, in milliseconds. */
function besideTimes(url: string, token: string) {
  let running = true;
  const slowest = (async () => {
    let most = 0;
    while (running) {
      const started = performance.now();
      const reply = await sendPrepared(url, { method: "GET", path: "/v1/me", body: undefined, token });
      most = Math.max(most, performance.now() - started);
      assert.equal(reply.status, 200);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return most;
  })();
  return {
    end() {
      running = false;
      return slowest;
    },
  };
}
