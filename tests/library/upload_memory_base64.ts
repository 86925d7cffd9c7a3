/**
 * Memory of a service while 20 callers upload files of 10 MiB in base64 at once: it is bounded, since few large bodies
 * are in memory at a time. The suite leaves it out, because it takes a minute of processor time:
 * `deno test -A --config tests/deno.json tests/library/upload_memory_base64.ts`.
 */
import assert from "node:assert/strict";
import { inFolder } from "../support/engines.ts";
import { memoryPeak, resetPeak, residentMemory } from "../support/memory.ts";
import { serveDatabase } from "./served.ts";

const mebibyte = 1024 * 1024;
/** The most memory, in MiB. Without a bound, 20 uploads took 1,170 MiB. */
const most = 640;

Deno.test(`20 uploads of 10 MiB in base64 at once take at most ${most} MiB`, () =>
  inFolder(async (folder) => {
    await using service = await serveDatabase(folder);
    const content = new Uint8Array(10 * mebibyte);
    for (let at = 0; at < content.length; at += 65_536) {
      crypto.getRandomValues(content.subarray(at, at + 65_536));
    }
    const body = JSON.stringify({ name: "a.bin", data: content.toBase64() });
    const idle = residentMemory(service.pid);
    resetPeak(service.pid);
    await Promise.all(Array.from({ length: 20 }, async () => {
      const reply = await fetch(`${service.url}/v1/files`, {
        method: "POST",
        headers: { "Authorization": `Bearer ${service.token}`, "Content-Type": "application/json" },
        body,
      });
      assert.equal(reply.status, 201, await reply.text());
    }));
    const grown = Math.round((memoryPeak(service.pid) - idle) / mebibyte);
    console.log(`${grown} MiB above ${Math.round(idle / mebibyte)} MiB`);
    assert.ok(grown <= most, `${grown} MiB`);
  }));
