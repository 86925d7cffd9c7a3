/** Measures of a process: the time until it answers, and its memory. */
import { readFileSync } from "node:fs";
import { startProcess } from "../support/process.ts";

/** Returns the milliseconds from the start of a process to its first answer, the best of three. */
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

export interface Logged {
  readonly url: string;
  readonly pid: number;
  end(): Promise<void>;
}

/**
 * Starts a server that logs to a file, as on a box: reading its log meanwhile would change the measurement.
 */
export async function startLogged(
  args: readonly string[],
  env: Record<string, string>,
  log: string,
): Promise<Logged> {
  // The log of a process before it would name the address of that one.
  await Deno.remove(log).catch(() => {});
  const quoted = [Deno.execPath(), ...args].map((part) => `'${part}'`).join(" ");
  const child = new Deno.Command("sh", { args: ["-c", `exec ${quoted} > '${log}'`], env }).spawn();
  for (let tries = 0; tries < 400; tries++) {
    const text = await Deno.readTextFile(log).catch(() => "");
    const url = /"event":"listening","url":"([^"]+)"/.exec(text)?.[1];
    if (url) {
      const end = async () => {
        child.kill("SIGKILL");
        await child.status;
      };
      return { url, pid: child.pid, end };
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("the server did not come up");
}

/**
 * Returns the resident memory in megabytes (10^6 bytes), without the mapped pages of the database: they are
 * the system's cache of the file, which the system drops when it needs the memory.
 */
export function readMemory(pid: number): number {
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  const mapped = readFileSync(`/proc/${pid}/smaps`, "utf8").matchAll(/\.db\n(?:.*\n){0,6}?Rss:\s+(\d+)/g);
  const kib = [...mapped].reduce((sum, [, pages]) => sum - Number(pages), Number(resident));
  return Math.round(kib * 1.024 / 1000);
}

/** Reads a whole file, so that its pages are cached as for a service that has been running for a while. */
export async function readThrough(file: string): Promise<void> {
  using opened = await Deno.open(file);
  const chunk = new Uint8Array(4 * 1024 * 1024);
  while (await opened.read(chunk) !== null);
}
