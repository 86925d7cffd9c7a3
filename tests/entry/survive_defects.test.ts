import assert from "node:assert/strict";
import { surviveDefects } from "../../src/entry/survive_defects.ts";
import { pause } from "../../src/platform/pause.ts";
import { inFolder } from "../support/engines.ts";
import { memoryLog } from "../support/ports.ts";
import { startProcess } from "../support/process.ts";
import { serve } from "../support/service.ts";

Deno.test("an error that nobody handles is logged as a defect, and the process lives", async () => {
  const log = memoryLog();
  const defects = surviveDefects(log);
  try {
    const rejected = Promise.reject(new Error("rejected"));
    setTimeout(() => {
      throw new Error("thrown");
    });
    await pause(50);
    await assert.rejects(rejected);
  } finally {
    defects.stop();
  }
  const seen = log.entries.map(({ event, error }) => `${event}: ${error}`).sort();
  assert.deepEqual(seen, ["defect: Error: rejected", "defect: Error: thrown"]);
  assert.equal(defects.count, 2);
});

Deno.test("a service that serves lives on after errors that nobody handles, and logs each as a defect", () =>
  inFolder(async (folder) => {
    // Loaded before the service: makes both kinds of errors at the signal.
    const preload = `${folder}/preload.ts`;
    await Deno.writeTextFile(
      preload,
      `Deno.addSignalListener("SIGUSR2", () => {
        void Promise.reject(new Error("rejected"));
        setTimeout(() => { throw new Error("thrown"); });
      });`,
    );
    const env = { DATABASE_URL: `file:${folder}/crm.db`, STORAGE_URL: `file:${folder}/files`, PORT: "0" };
    const [run, ...others] = serve;
    const server = await startProcess([run!, `--preload=${preload}`, ...others], env, { timeoutMs: 60_000 });
    try {
      Deno.kill(server.pid, "SIGUSR2");
      for (const name of ["rejected", "thrown"]) {
        const isLogged = (line: string) => line.includes('"event":"defect"') && line.includes(name) || null;
        await server.line(isLogged, 20_000);
      }
      const reply = await fetch(`${server.url}/ready`);
      assert.equal(reply.status, 200, await reply.text());
    } finally {
      assert.equal((await server.kill()).code, 0, server.output());
    }
  }));
