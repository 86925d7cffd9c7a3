/** Writes the outline of a glyph as fonts of type TrueType keep it (table `glyf`). */

export interface Outline {
  readonly commands: readonly { readonly command: string; readonly args: readonly number[] }[];
}

interface Point {
  readonly x: number;
  readonly y: number;
  readonly isOnCurve: boolean;
}

/** Returns a simple glyph of an outline of lines and quadratic curves, padded to four bytes. */
export function encodeOutline({ commands }: Outline): Uint8Array<ArrayBuffer> {
  const points: Point[] = [];
  const ends: number[] = [];
  const endContour = () => {
    if (points.length - 1 > (ends.at(-1) ?? -1)) ends.push(points.length - 1);
  };
  for (const { command, args } of commands) {
    if (command === "moveTo" || command === "closePath") endContour();
    for (let at = 0; at + 1 < args.length; at += 2) {
      const isOnCurve = command !== "quadraticCurveTo" || at === 2;
      points.push({ x: Math.round(args[at]!), y: Math.round(args[at + 1]!), isOnCurve });
    }
  }
  endContour();
  return encodeGlyph(points, ends);
}

function encodeGlyph(points: readonly Point[], ends: readonly number[]): Uint8Array<ArrayBuffer> {
  const size = 10 + 2 * ends.length + 2 + 5 * points.length;
  const bytes = new Uint8Array(Math.ceil(size / 4) * 4);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const writeWord = (value: number) => {
    view.setInt16(at, value);
    at += 2;
  };
  const box = (choose: (...values: number[]) => number) => {
    for (const axis of ["x", "y"] as const) {
      writeWord(
        points.length === 0 ? 0 : points.reduce((most, point) => choose(most, point[axis]), points[0]![axis]),
      );
    }
  };
  writeWord(ends.length);
  box(Math.min);
  box(Math.max);
  ends.forEach(writeWord);
  // No instructions.
  writeWord(0);
  for (const { isOnCurve } of points) bytes[at++] = isOnCurve ? 1 : 0;
  for (const axis of ["x", "y"] as const) {
    let last = 0;
    for (const point of points) {
      writeWord(point[axis] - last);
      last = point[axis];
    }
  }
  return bytes;
}
