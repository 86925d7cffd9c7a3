/**
 * Measures how fast the batches that create contacts are committed when nothing else happens: no calls, no
 * reads, no other thread. This is the upper bound for the service, relative to bare commits; the bench
 * measures what the service reaches.
 *
 *     deno run -A tests/bench/contact_batches.ts 100000
 *
 * The argument is the number of contacts of the company.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createApp } from "../../src/app.ts";
import { loadConfig } from "../../src/config.ts";
import { openBox } from "../../src/entry/box.ts";
import type { Statement } from "../../src/platform/database/database.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { runOfTests } from "../support/process.ts";
import { lines } from "./lines.ts";
import { makeWorld, type World } from "./world.ts";
import { memoryLog } from "../support/ports.ts";

/**
 * Batches per commit. A bare loop of the same writes commits one. With sixteen connections, the service
 * commits seven together, and sixteen at best.
 */
const together = [1, 7, 16] as const;
const perRound = 2_800;
const rounds = 3;

const contacts = Number(Deno.args[0] ?? 100_000);
const folder = mkdtempSync(join(Deno.env.get("TMPDIR") ?? "/tmp", "wayline-batches-"));
try {
  const world = await makeWorld(folder, {
    contacts,
    accounts: contacts / 5,
    cases: contacts * 0.3,
    target: "http://127.0.0.1:9",
  });
  const batches = await collectBatches(world, perRound * together.length * rounds);
  const db = openFile(world.file, { busyCommits: Infinity });
  for (let round = 0; round < rounds; round++) {
    const bare = await bareCommits();
    for (const size of together) {
      const taken = batches.splice(0, perRound);
      const begun = performance.now();
      while (taken.length > 0) await Promise.all(taken.splice(0, size).map((batch) => db.write(batch)));
      const perSecond = perRound / (performance.now() - begun) * 1000;
      const reached = (perSecond / bare).toFixed(2);
      console.log(`${size} to a commit: ${Math.round(perSecond)}/s, ${reached} of ${Math.round(bare)}/s`);
    }
  }
  await db.close();
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * Returns the batches that this many calls would write. The service makes them, on a database that stores
 * nothing.
 */
async function collectBatches(world: World, count: number): Promise<(readonly Statement[])[]> {
  const box = await openBox(loadConfig({ DATABASE_URL: `file:${world.file}` }), { log: memoryLog() });
  const batches: (readonly Statement[])[] = [];
  const app = createApp({
    ...box.deps,
    db: {
      ...box.deps.db,
      write(batch) {
        batches.push(batch);
        return Promise.resolve(batch.map(() => ({ rows: [], changes: 0 })));
      },
    },
  });
  const line = lines.find(({ name }) => name.startsWith("POST contact"))!;
  const { asked, token } = await line.load(world, () => Promise.reject(new Error("it asks nothing")));
  const headers = { "Authorization": `Bearer ${token}`, "Content-Type": "application/json" };
  for (let n = 0; n < count; n++) {
    const { path, body } = asked[n % asked.length]!;
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await app.fetch(new Request(`http://crm.test${path}`, init));
    assert.equal(response.status, 201, await response.text());
  }
  await box.close();
  assert.equal(batches.length, count);
  return batches;
}

async function bareCommits(): Promise<number> {
  const args = [...runOfTests, join(import.meta.dirname!, "commits.ts"), folder, "3"];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
  return Number(JSON.parse(new TextDecoder().decode(stdout)).perSecond);
}
