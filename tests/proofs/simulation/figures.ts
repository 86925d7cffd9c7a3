/** What has happened in the histories, as the service has it. */
import type { TestApp } from "../../support/app.ts";

export interface Figures {
  readonly leads: number;
  readonly moves: number;
  /** Those of the moves that timers made. */
  readonly timers: number;
}

export async function figuresOf(app: TestApp): Promise<Figures> {
  const [row] = await app.sql(
    "select (select count(*) from leads) as leads, count(*) as moves, " +
      "sum(kind in ('escalation', 'revocation')) as timers from lead_moves",
  );
  const { leads, moves, timers } = row!;
  return { leads: Number(leads), moves: Number(moves), timers: Number(timers) };
}

export function sum(all: readonly Figures[]): Figures {
  return all.reduce((one, other) => ({
    leads: one.leads + other.leads,
    moves: one.moves + other.moves,
    timers: one.timers + other.timers,
  }));
}

/** Writes down, beside this file, what a run found in order. */
export function keep(histories: number, { leads, moves, timers }: Figures, ms: number): void {
  const of = (number: number) => number.toLocaleString("en");
  Deno.writeTextFileSync(
    new URL("figures.txt", import.meta.url),
    [
      `${of(histories)} histories, played on ${new Date().toISOString().slice(0, 10)} in ${
        of(Math.round(ms / 60_000))
      } minutes; all of them as the model says.`,
      `${of(leads)} leads made ${
        of(moves)
      } moves (assignments, acceptions, rejections, escalations, calls, revocations).`,
      `${of(timers)} of those were made by timers: each once, none early, none more than a tick late.`,
      "",
    ].join("\n"),
  );
}
