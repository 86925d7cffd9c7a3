/** The memory of a process, in bytes, as Linux counts it. */

/** Returns the memory that the process has now. */
export function residentMemory(pid: number): number {
  return figure(pid, "VmRSS");
}

/** Returns the most memory that the process has had since its start, or since `resetPeak`. */
export function memoryPeak(pid: number): number {
  return figure(pid, "VmHWM");
}

export function resetPeak(pid: number): void {
  Deno.writeTextFileSync(`/proc/${pid}/clear_refs`, "5");
}

function figure(pid: number, name: string): number {
  const found = new RegExp(`${name}:\\s+(\\d+) kB`).exec(Deno.readTextFileSync(`/proc/${pid}/status`));
  return Number(found![1]) * 1024;
}
