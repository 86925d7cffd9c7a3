import assert from "node:assert/strict";
import { send, startApp } from "../support/app.ts";
import { residentMemory } from "../support/memory.ts";
import { startProcess } from "../support/process.ts";
import { serve } from "../support/service.ts";

/** Bytes by which a process that has worked may differ from one that has just started. */
const slack = 16 * 1024 * 1024;
const report =
  "/v1/reports/metrics?indicators=leads.created&start_at=2026-01-01%2000:00:00&end_at=2026-03-01%2000:00:00";
/** Milliseconds of quiet. */
const patience = 60_000;

Deno.test("what reports, lists and documents took is given back in a minute beside health checks, and calls go on", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const server = await startProcess(serve, {
    DATABASE_URL: `file:${app.file}`,
    STORAGE_URL: `file:${app.folder}/files`,
    PORT: "0",
  });
  const threads = () => [...Deno.readDirSync(`/proc/${server.pid}/task`)].length;
  const call = (path: string) => send(server.url + path, "GET", admin.token);
  const print = () =>
    send(`${server.url}/v1/templates/preview/letter`, "POST", admin.token, { content: "<p>Dear Ada</p>" });
  try {
    await call("/v1/me");
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const memory = residentMemory(server.pid);
    for (let done = 0; done < 50; done++) {
      for (const { status } of await Promise.all([call(report), call("/v1/accounts"), print()])) {
        assert.equal(status, 200);
      }
    }
    // A thread that the start needed may have ended meanwhile, so only these calls' threads are compared.
    const busy = threads();
    const end = performance.now() + patience;
    const isBack = () => threads() < busy && residentMemory(server.pid) <= memory + slack;
    while (!isBack() && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      // A container and a proxy ask again and again.
      for (const path of ["/health", "/ready", "/metrics"]) await send(server.url + path, "GET", null);
    }
    assert.ok(threads() < busy, `${threads()} threads, under load ${busy}`);
    assert.ok(isBack(), `${residentMemory(server.pid)} bytes, at first ${memory}`);
    assert.equal((await call(report)).status, 200);
  } finally {
    await server.kill();
  }
});
