/** Times of calls beside something else. */

/** `TIMES=true` holds the figures of the specification, on a machine that does nothing else. */
export const timed = Deno.env.get("TIMES") === "true";

/** Calls again and again until `over` resolves; the milliseconds of each call, ascending. */
export async function timesUntil(over: Promise<unknown>, call: () => Promise<unknown>): Promise<number[]> {
  let running = true;
  const end = () => running = false;
  over.then(end, end);
  const times: number[] = [];
  while (running) {
    const started = performance.now();
    await call();
    times.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return times.sort((a, b) => a - b);
}

export function p95Of(times: readonly number[]): number {
  return times[Math.floor(times.length * 0.95)]!;
}

/**
 * Milliseconds that 95 of 100 calls may take beside something else: 100. Where other tests run as well, the machine
 * is as much slower as `idle` says, the same figure without that something.
 */
export function mostBeside(idle: number): number {
  return timed ? 100 : Math.min(500, 100 + 5 * idle);
}
