/** The bench's table, as Markdown. */
import type { Measured } from "./load.ts";

export interface Figure {
  readonly name: string;
  /** The ratio to reach. */
  readonly aim: number;
  readonly ratio: number;
  readonly bare: Measured;
  readonly ours: Measured;
  /** Of one answer. */
  readonly bytes: number;
  /** Resident memory of the service after the load. */
  readonly memoryMb: number;
}

export function table(figures: readonly Figure[]): string {
  const head = "| call | answer | requests/s | p50 | p99 | memory | bare route | ratio | aim |";
  const line = "|---|---|---|---|---|---|---|---|---|";
  const rows = figures.map(({ name, aim, ratio, bare, ours, bytes, memoryMb }) =>
    `| ${name} | ${(bytes / 1024).toFixed(1)} KiB | ${
      Math.round(ours.perSecond)
    } | ${ours.p50} | ${ours.p99} | ` +
    `${memoryMb} MB | ${Math.round(bare.perSecond)}/s | ${ratio.toFixed(3)} | ${aim} |`
  );
  return [head, line, ...rows].join("\n");
}
