/** The legend of a panel: a swatch and a name for each series. */
import { isNumber, margin, mostBars, type Series, width } from "./chart.ts";
import { light } from "./colors.ts";
import { coordinate, cut, estimateWidth, textAt } from "./text.ts";

const size = 12;
const lineHeight = 20;
const swatchWidth = 34;
const gap = 18;
const mostName = 240;

export interface Drawn {
  readonly svg: string;
  /** Pixels. */
  readonly height: number;
}

/** `swatch`: draws the mark of a series beside its name. `left`: how many series are not drawn. */
export function drawLegend(
  series: readonly Series[],
  left: number,
  top: number,
  swatch: (series: number, x: number, y: number) => string,
): Drawn {
  const parts: string[] = [];
  let [x, y] = [margin, top + 14];
  const place = (needed: number) => {
    if (x > margin && x + needed > width - margin) [x, y] = [margin, y + lineHeight];
    const at = x;
    x += needed + gap;
    return at;
  };
  series.forEach(({ name }, index) => {
    const at = place(swatchWidth + estimateWidth(cut(name, mostName, size), size));
    parts.push(
      swatch(index, at, y - 4),
      textAt(at + swatchWidth, y, name, mostName, { size, color: light.text, tone: "text" }),
    );
  });
  if (left > 0) {
    const text = `and ${left} more, not drawn`;
    const at = place(estimateWidth(text, size));
    parts.push(textAt(at, y, text, width, { size, color: light.muted, tone: "muted" }));
  }
  return { svg: parts.join(""), height: Number(coordinate(y - top + 10)) };
}

/**
 * Returns the groups whose bars a panel draws, and the number of those that it leaves out. Groups without
 * values are in neither.
 */
export function chooseDrawnGroups(
  series: readonly Series[],
): { readonly drawn: number[]; readonly left: number } {
  const most = Math.max(1, Math.floor(mostBars / Math.max(1, series.length)));
  const groups: number[] = [];
  for (let index = 0; index < (series[0]?.values.length ?? 0); index++) {
    if (series.some(({ values }) => isNumber(values[index]))) groups.push(index);
  }
  return { drawn: groups.slice(0, most), left: Math.max(0, groups.length - most) };
}

/**
 * Returns the series that a panel draws, in their order: at most `most`, those with the greatest absolute
 * sums.
 */
export function chooseDrawnSeries(series: readonly Series[], most: number): readonly Series[] {
  if (series.length <= most) return series;
  const sizes = new Map(
    series.map((one) => [one, one.values.reduce<number>((sum, v) => sum + Math.abs(v ?? 0), 0)]),
  );
  const kept = new Set([...series].sort((a, b) => sizes.get(b)! - sizes.get(a)!).slice(0, most));
  return series.filter((one) => kept.has(one));
}
