/** The bench's table, as Markdown. */
import type { Line } from "./lines.ts";
import type { Measured } from "./load.ts";

export interface Figure {
  readonly line: Line;
  /** The times for the company of the given size, and for a small one. */
  readonly ours: Measured;
  readonly small: Measured;
  /** The number of matches of the first call, if it reports one. */
  readonly total: number | null;
  /** The size of one answer. */
  readonly bytes: number;
  /** The rate that the ratio compares with, per second. */
  readonly bare: number | null;
  readonly ratio: number | null;
  /** The requests per second of the bare route on `Deno.serve`, for comparison. */
  readonly denoServe: number | null;
  /** Milliseconds within which 95 of 100 calls beside the load were answered. */
  readonly beside: number | null;
  /** Resident memory of the service after the load. */
  readonly memoryMb: number;
}

/** Milliseconds that a call beside a load may take. */
const mostBeside = 50;

export function isMissed({ line, ratio, ours, beside }: Figure): boolean {
  if (line.ratio !== undefined && ratio! < line.ratio / 2) return true;
  if (line.p95 !== undefined && ours.p95 > line.p95 * 2) return true;
  return beside !== null && beside > mostBeside * 2;
}

export function formatTable(figures: readonly Figure[], contacts: number): string {
  const head = `| call | matches | answer | requests/s | p50 | p95 | p99 | p95 at 10,000 | reached | aim |`;
  const rows = figures.map(
    ({ line, ours, small, total, bytes, bare, ratio, denoServe, beside, memoryMb }) => {
      const bareServe = denoServe === null ? "" : ` (Deno.serve: ${Math.round(denoServe)}/s)`;
      const reached = ratio !== null
        ? `${ratio.toFixed(3)} of ${Math.round(bare!)}/s${bareServe}` +
          `${line.bytes === undefined ? "" : `, ${Math.round(ours.perSecond * line.bytes / 1e6)} MB/s`}`
        : `${ours.p95.toFixed(1)} ms${beside === null ? "" : `, beside it ${beside.toFixed(1)} ms`}`;
      const aim = line.ratio !== undefined
        ? String(line.ratio)
        : `${line.p95} ms${line.beside ? `, ${mostBeside} ms` : ""}`;
      const figure = (ms: number) => ms.toFixed(1);
      const smallP95 = figure(small.p95);
      return `| ${line.name} | ${total ?? ""} | ${(bytes / 1024).toFixed(1)} KiB | ` +
        `${Math.round(ours.perSecond)} | ${figure(ours.p50)} | ${figure(ours.p95)} | ` +
        `${figure(ours.p99)} | ${smallP95} | ${reached} | ${aim} | ${memoryMb} MB |`;
    },
  );
  return [
    `${contacts} contacts; times in milliseconds.`,
    "",
    head.replace(/ \|$/, " | memory |"),
    "|---|---|---|---|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}
