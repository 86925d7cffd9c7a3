/** Counts what happened in the histories, according to the service. */
import type { TestApp } from "../../support/app.ts";

export interface Figures {
  readonly leads: number;
  readonly moves: number;
  /** Moves made by timers. */
  readonly timers: number;
}

export async function readFigures(app: TestApp): Promise<Figures> {
  const [row] = await app.sql(
    "select (select count(*) from leads) as leads, count(*) as moves, " +
      "sum(kind in ('escalation', 'revocation')) as timers from lead_transitions",
  );
  const { leads, moves, timers } = row!;
  return { leads: Number(leads), moves: Number(moves), timers: Number(timers) };
}

export function addFigures(all: readonly Figures[]): Figures {
  return all.reduce((one, other) => ({
    leads: one.leads + other.leads,
    moves: one.moves + other.moves,
    timers: one.timers + other.timers,
  }));
}

/** Writes the figures of a successful run beside this file. */
export function keep(histories: number, { leads, moves, timers }: Figures, ms: number): void {
  const of = (number: number) => number.toLocaleString("en");
  Deno.writeTextFileSync(
    new URL("figures.txt", import.meta.url),
    [
      `${of(histories)} histories, played on ${new Date().toISOString().slice(0, 10)} in ` +
      `${of(Math.round(ms / 60_000))} minutes; all as the model predicts.`,
      `${of(leads)} leads made ${of(moves)} moves ` +
      "(assignments, acceptions, rejections, escalations, calls, revocations).",
      `${of(timers)} of those were made by timers: each once, none early, none more than a tick late.`,
      "",
    ].join("\n"),
  );
}
