/**
 * Colours of charts. Text has a contrast of at least 4.5 to the ground, marks have 3. Colour-blind readers
 * can distinguish neighbours, and lines and bars have a second mark: dashes and hatches.
 */

export interface Colors {
  readonly ground: string;
  readonly text: string;
  /** Ticks and notes. */
  readonly muted: string;
  /** The zero line. */
  readonly axis: string;
  /** Decoration. */
  readonly grid: string;
  readonly marks: readonly string[];
}

export const light: Colors = {
  ground: "#ffffff",
  text: "#1b2127",
  muted: "#56616c",
  axis: "#76818c",
  grid: "#e3e7eb",
  marks: ["#0072b2", "#c44e00", "#00805e", "#a6457f", "#8a6a00", "#4d4d4d"],
};

export const dark: Colors = {
  ground: "#14181d",
  text: "#e8ecf0",
  muted: "#aab4be",
  axis: "#7d8894",
  grid: "#2b333b",
  marks: ["#56b4e9", "#f0803c", "#2fc79a", "#e08ebe", "#e6c229", "#c8c8c8"],
};

const dashes = ["", "7 3", "2 3", "10 3 2 3", "5 2 1 2 1 2", "14 4"];

/** The number of a series' colour: 0 to 5. */
export function chooseColor(series: number): number {
  return series % light.marks.length;
}

/**
 * Returns the dashes of a series; empty: none. Series of one colour have different dashes, and so do
 * neighbours.
 */
export function chooseDash(series: number): string {
  return dashes[(series + Math.floor(series / light.marks.length)) % dashes.length]!;
}

/** Returns a style sheet that replaces the colours of the attributes with the dark ones. */
export function composeDarkStyle(): string {
  const fill = (name: string, color: string) => `.${name}{fill:${color}}`;
  const stroke = (name: string, color: string) => `.${name}{stroke:${color}}`;
  return "@media (prefers-color-scheme:dark){" +
    fill("ground", dark.ground) + fill("text", dark.text) + fill("muted", dark.muted) +
    stroke("axis", dark.axis) + stroke("grid", dark.grid) + stroke("hatch", dark.ground) +
    dark.marks.map((color, index) => fill(`f${index}`, color) + stroke(`s${index}`, color)).join("") + "}";
}
