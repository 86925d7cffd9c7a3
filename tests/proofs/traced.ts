/** Records what a process writes, syncs and prints, in order, with `strace`. */
import { runCommand } from "../support/process.ts";

/** A write to a write-ahead log, a sync of it, or an output. Repetitions are one step. */
export type Step = "write" | "sync" | "say";

/** True when `strace` is installed and may trace a child. */
export async function canTrace(): Promise<boolean> {
  try {
    const { code } = await runCommand(["-o", "/dev/null", "true"], {}, { command: "strace" });
    return code === 0;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Returns arguments of `strace` that run Deno with `args` and write its system calls to a file. */
export function traceArguments(trace: string, args: readonly string[]): string[] {
  const calls = "trace=fsync,fdatasync,write,writev,pwrite64,pwritev,pwritev2,sendto,sendmsg";
  // `-D`: the traced process stays the child and receives the signals. `-y`: prints the names of files.
  return ["-D", "-f", "-y", "-s", "64", "-e", calls, "-o", trace, Deno.execPath(), ...args];
}

/** Returns the steps of an ended process. `said` recognizes the output. */
export async function readSteps(trace: string, said: RegExp): Promise<Step[]> {
  const steps: Step[] = [];
  const begun = new Map<string, string>();
  for (const line of await lines(trace)) {
    const [, thread = "", call = ""] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    if (call.endsWith("<unfinished ...>")) {
      begun.set(thread, call);
      // A write counts when it starts, a sync when it is done.
      if (!isSync(call)) take(call);
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>/.test(call) ? begun.get(thread) ?? "" : null;
    if (resumed === null) take(call);
    else if (isSync(resumed) && / = 0$/.test(call)) step("sync");
  }
  return steps;

  function take(call: string): void {
    if (said.test(call)) step("say");
    else if (isSync(call)) {
      if (/ = 0$/.test(call)) step("sync");
    } else if (/^pwritev?2?(?:64)?\(\d+<[^>]*-wal>/.test(call)) step("write");
  }

  function step(next: Step): void {
    if (steps.at(-1) !== next || next === "say") steps.push(next);
  }
}

function isSync(call: string): boolean {
  return /^(?:fsync|fdatasync)\(\d+<[^>]*-wal>/.test(call);
}

/** Reads the trace once it is complete: the tracer may end after the traced process. */
async function lines(trace: string): Promise<string[]> {
  const until = Date.now() + 10_000;
  for (;;) {
    const found = (await Deno.readTextFile(trace)).split("\n").filter((line) => line !== "");
    if (/\+\+\+ (?:exited|killed)/.test(found.at(-1) ?? "")) return found;
    if (Date.now() > until) throw new Error(`the trace does not end: ${found.at(-1)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
