/** What the matrix prints. */
import type { Facts } from "./cells.ts";
import type { Measured } from "./measure.ts";

/** Milliseconds that a cell may take, by the rows that its two most selective conditions leave. */
export function rowsBound({ left }: Measured): number {
  return 3 + 0.004 * left;
}

/** The same by the hand-written pair. */
export function handBound({ best }: Measured): number {
  return 2 + 3 * best;
}

export function isMet(measured: Measured): boolean {
  const { p95, difference } = measured;
  return difference === null && p95 <= rowsBound(measured) && p95 <= handBound(measured);
}

const columns = [
  "cell",
  "p50",
  "p95",
  "cpu",
  "matches",
  "left",
  "bound by rows",
  "hand-written",
  "bound by it",
  "met",
];

/** One line for people. */
export function row(measured: Measured): string {
  const { cell, p95, matches, left, best, difference } = measured;
  const missed = difference ?? (p95 > rowsBound(measured) ? "rows" : "hand-written");
  return `${cell.name.padEnd(40)} ${ms(p95).padStart(8)} ms, ${matches} match, ${left} left: at most ${
    ms(rowsBound(measured))
  } by rows, ${ms(handBound(measured))} by hand (${ms(best)}); missed: ${missed}`;
}

export function summary(all: readonly Measured[], facts: Facts): string {
  const missed = all.filter((each) => !isMet(each));
  const count = (test: (each: Measured) => boolean) => all.filter(test).length;
  const ratios = all.map(({ p50, best }) => p50 / best).toSorted((left, right) => left - right);
  const worst = all.toSorted((left, right) => right.p95 - left.p95)[0]!;
  return [
    `${all.length} cells over ${facts.prefixes.join(", ")}; ${missed.length} miss a bound: ` +
    `${count((each) => each.p95 > rowsBound(each))} by rows, ${
      count((each) => each.p95 > handBound(each))
    } by the ` +
    `hand-written pair, ${count(({ difference }) => difference !== null)} differ.`,
    `By processor time ${
      count((each) => each.cpu > Math.min(rowsBound(each), handBound(each)))
    } cells are over a bound, which counts even while other programs use the cores.`,
    `Slowest: ${worst.cell.name}, ${ms(worst.p95)} ms. Median over the hand-written pair: ${
      ratios[Math.floor(ratios.length / 2)]!.toFixed(1)
    } times, at most ${ratios.at(-1)!.toFixed(1)}.`,
  ].join("\n");
}

/** All cells, one a line, with the names of the hand-written statements. */
export function tsv(all: readonly Measured[]): string {
  const lines = all.map((each) =>
    [
      each.cell.name,
      ms(each.p50),
      ms(each.p95),
      ms(each.cpu),
      each.matches,
      each.left,
      ms(rowsBound(each)),
      ms(each.best),
      ms(handBound(each)),
      isMet(each) ? "yes" : each.difference ?? "no",
      each.pair.page,
      each.pair.count,
    ].join("\t")
  );
  return [[...columns, "page", "count"].join("\t"), ...lines, ""].join("\n");
}

function ms(time: number): string {
  return time.toFixed(2);
}
