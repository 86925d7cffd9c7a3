/** The output of the matrix. */
import type { Facts } from "./cells.ts";
import type { Measured } from "./measure.ts";

/**
 * Returns the milliseconds that a cell may take, by the rows that its two most selective conditions leave.
 */
export function rowsBound({ left }: Measured): number {
  return 3 + 0.004 * left;
}

/** Returns the milliseconds that a cell may take, by the hand-written pair. */
export function handBound({ best }: Measured): number {
  return 2 + 3 * best;
}

/** Returns true if this measurement is within both bounds, and its answer is right. */
export function meetsBounds(measured: Measured): boolean {
  const { p95, difference } = measured;
  return difference === null && p95 <= rowsBound(measured) && p95 <= handBound(measured);
}

/**
 * Returns true if the cell passes, in the first or in the last measurement. A wrong answer never passes.
 */
export function isMet(measured: Measured): boolean {
  return measured.difference === null && meetsBounds(measured.again ?? measured);
}

/** Checks the bounds by processor time, which is valid even while other programs use the cores. */
function isMetByCpu(measured: Measured): boolean {
  const best = handBound({ ...measured, best: measured.bestCpu });
  return measured.cpu <= Math.min(rowsBound(measured), best);
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
  "its cpu",
  "bound by it",
  "met",
  "p95 again",
  "cpu again",
];

/** Returns a readable line about a cell that missed a bound. */
export function formatRow(measured: Measured): string {
  const { cell, matches, left, best, again } = measured;
  const result = (each: Measured) =>
    `${ms(each.p95)} ms (processor ${ms(each.cpu)}), ${findMiss(each) ?? "met"}`;
  const repeated = again ? `; again ${result(again)}` : "";
  return `${cell.name.padEnd(40)} ${result(measured)}${repeated}; ${matches} match, ${left} left: ` +
    `at most ${ms(rowsBound(measured))} by rows, ${ms(handBound(measured))} by hand (${ms(best)})`;
}

function findMiss(each: Measured): string | null {
  if (each.difference !== null) return each.difference;
  if (each.p95 > rowsBound(each)) return "missed by rows";
  return each.p95 > handBound(each) ? "missed by the hand-written pair" : null;
}

export function summarize(all: readonly Measured[], facts: Facts): string {
  const count = (test: (each: Measured) => boolean) => all.filter(test).length;
  const last = (each: Measured) => each.again ?? each;
  const ratios = all.map(({ p50, best }) => p50 / best).toSorted((left, right) => left - right);
  const worst = all.toSorted((left, right) => last(right).p95 - last(left).p95)[0]!;
  const misses = (of: (each: Measured) => Measured) => {
    const byRows = count((each) => of(each).p95 > rowsBound(of(each)));
    const byHand = count((each) => of(each).p95 > handBound(of(each)));
    const differing = count((each) => of(each).difference !== null);
    return `${byRows} by rows, ${byHand} by the hand-written pair, ${differing} differ`;
  };
  const overAgain = count((each) => !isMetByCpu(last(each)));
  const medianRatio = ratios[Math.floor(ratios.length / 2)]!.toFixed(1);
  return [
    `${all.length} cells over ${facts.prefixes.join(", ")}; ` +
    `${count((each) => !meetsBounds(each))} miss a bound: ` +
    `${misses((each) => each)}.`,
    `Measured again, ${count((each) => !meetsBounds(last(each)))} of these miss a bound: ${misses(last)}.`,
    `By processor time ${count((each) => !isMetByCpu(each))} cells are over a bound, ` +
    `${overAgain} also again, ` +
    "which counts even while other programs use the cores.",
    `Slowest: ${worst.cell.name}, ${ms(last(worst).p95)} ms. Median over the hand-written pair: ` +
    `${medianRatio} times, at most ${ratios.at(-1)!.toFixed(1)}.`,
  ].join("\n");
}

/** Returns all cells, one per line, with the names of the hand-written statements. */
export function formatTsv(all: readonly Measured[]): string {
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
      ms(each.bestCpu),
      ms(handBound(each)),
      meetsBounds(each) ? "yes" : each.difference ?? (isMet(each) ? "again" : "no"),
      each.again ? ms(each.again.p95) : "",
      each.again ? ms(each.again.cpu) : "",
      each.pair.page,
      each.pair.count,
    ].join("\t")
  );
  return [[...columns, "page", "count"].join("\t"), ...lines, ""].join("\n");
}

function ms(time: number): string {
  return time.toFixed(2);
}
