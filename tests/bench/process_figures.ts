/** Figures of a process: how long it takes to answer, and how much memory it has. */
import { readFileSync } from "node:fs";
import { startProcess } from "../support/process.ts";

/** Milliseconds from the start of the process to its first 200, the best of three. */
export async function startUp(args: readonly string[], env: Record<string, string>): Promise<number> {
  const took: number[] = [];
  for (let run = 0; run < 3; run++) {
    const begun = performance.now();
    const server = await startProcess(args, env);
    const answer = await fetch(`${server.url}/health`);
    await answer.text();
    took.push(performance.now() - begun);
    await server.kill();
  }
  return Math.round(Math.min(...took));
}

/** Resident memory in megabytes (10^6 bytes). */
export function memoryOf(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kib) * 1.024 / 1000);
}
