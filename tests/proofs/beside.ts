/**
 * Deep pages of a list do not delay other calls. It measures times, so the suite leaves it out:
 * `BESIDE_ROWS=100000 deno test -A --config tests/deno.json tests/proofs/beside.ts`.
 */
import assert from "node:assert/strict";
import { inFolder } from "../support/engines.ts";
import { startProcess } from "../support/process.ts";
import { serve } from "../support/service.ts";
import { type CallerName, grow } from "./grown.ts";
import { lists } from "./growth_lists.ts";

const rows = Number(Deno.env.get("BESIDE_ROWS") ?? 100_000);
/** Bound in milliseconds for 95 of 100 calls during such pages. */
const aim = 50;

Deno.test({
  name: "while deep pages are read, /me takes at most 50 ms",
  fn: () =>
    inFolder(async (folder) => {
      await grow(`${folder}/crm.db`, rows);
      const server = await startProcess(serve, {
        DATABASE_URL: `file:${folder}/crm.db`,
        STORAGE_URL: `file:${folder}/files`,
        PORT: "0",
        LOG_LEVEL: "info",
      });
      const get = async (caller: CallerName, path: string) => {
        const response = await fetch(server.url + path, {
          headers: { "Authorization": `Bearer ${caller}` },
        });
        return { status: response.status, text: await response.text() };
      };
      try {
        const times: number[] = [];
        const slow: string[] = [];
        for (const { path, params, callers } of lists) {
          const filled = path.replace(/:(\w+)/g, (_, name) => String(params?.[name]));
          for (const caller of callers) {
            for (
              const page of [
                99_999_999,
                Math.floor(rows / 15) - 1,
                Math.floor(rows / 30),
              ]
            ) {
              const beside = measureTimes(() => get(caller, "/v1/me"));
              const started = performance.now();
              const { status, text } = await get(
                caller,
                `${filled}?page=${page}&per_page=15`,
              );
              const took = performance.now() - started;
              times.push(...await beside.end());
              const name = `${caller} ${filled}?page=${page}`;
              assert.ok(status === 200 || status === 503, `${name} ${status}`);
              if (page === 99_999_999) {
                assert.deepEqual(
                  [status, JSON.parse(text).data],
                  [200, []],
                  name,
                );
              }
              if (took > 1_000) slow.push(`${name} ${Math.round(took)} ms`);
            }
          }
        }
        times.sort((one, other) => one - other);
        const p95 = times[Math.floor(times.length * 0.95)]!;
        console.log(
          `${times.length} calls beside: p95 ${p95.toFixed(1)} ms; above 1 s: ${slow.join(", ") || "none"}`,
        );
        assert.ok(p95 < aim, `${p95} ms`);
      } finally {
        await server.kill();
      }
    }),
});

/** Repeats a call until the end and returns the milliseconds of each. */
function measureTimes(call: () => Promise<unknown>): { end(): Promise<number[]> } {
  const times: number[] = [];
  let over = false;
  const running = (async () => {
    do {
      const started = performance.now();
      await call();
      times.push(performance.now() - started);
    } while (!over);
  })();
  return {
    async end() {
      over = true;
      await running;
      return times;
    },
  };
}
