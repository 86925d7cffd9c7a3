/**
 * Uploads do not delay other calls: while 20 callers upload files of 10 MiB, 95 of 100 reads, at a hundred a
 * second, take at most twice the time that they take alone. It measures times, so the suite leaves it out:
 * `deno test -A --config tests/deno.json tests/library/upload_beside.ts`.
 */
import assert from "node:assert/strict";
import { inFolder } from "../support/engines.ts";
import { runOfTests } from "../support/process.ts";
import { type Served, serveDatabase } from "./served.ts";

/** Other programs disturb both measurements, so the best of this many rounds counts. */
const rounds = 10;

Deno.test("while 20 upload, reads take at most twice their time", () =>
  inFolder(async (folder) => {
    await using service = await serveDatabase(folder);
    await reads(service, 1_000);
    const ratios: number[] = [];
    for (let round = 0; round < rounds && Math.min(Infinity, ...ratios) > 2; round++) {
      const alone = await reads(service, 2_000);
      const uploading = new Deno.Command(Deno.execPath(), {
        args: [...runOfTests, "tests/library/uploading.ts", service.url, service.token, "5000"],
        stdout: "piped",
      }).spawn();
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      const beside = await reads(service, 3_000);
      const uploads = new TextDecoder().decode((await uploading.output()).stdout).trim();
      console.log(`p95 alone ${alone.toFixed(1)} ms, beside ${uploads} ${beside.toFixed(1)} ms`);
      ratios.push(beside / alone);
    }
    assert.ok(Math.min(...ratios) <= 2, ratios.map((ratio) => ratio.toFixed(1)).join(", "));
  }));

/** Milliseconds within which 95 of 100 calls are answered, a hundred a second. */
async function reads({ url, token }: Served, forMs: number): Promise<number> {
  const times: number[] = [];
  const calls: Promise<void>[] = [];
  const begun = performance.now();
  for (let n = 0; n * 10 < forMs; n++) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, begun + n * 10 - performance.now())));
    calls.push((async () => {
      const sent = performance.now();
      const reply = await fetch(`${url}/v1/me`, { headers: { "Authorization": `Bearer ${token}` } });
      assert.equal(reply.status, 200, await reply.text());
      times.push(performance.now() - sent);
    })());
  }
  await Promise.all(calls);
  return times.sort((one, other) => one - other)[Math.floor(times.length * 0.95)]!;
}
