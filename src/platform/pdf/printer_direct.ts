/** Makes documents in the call itself, one after the other, where there are no threads. */
import { fontAssets, readAsset, type StaticAssets } from "./font_assets.ts";
import type { Printer } from "./pdf.ts";
import { openAssetPress } from "./press_assets.ts";
import { print } from "./print.ts";
import { findUnshown } from "./shown_text.ts";

type Range = readonly [first: number, last: number];

/** The characters that the fonts have, in ascending order; null: not read yet. */
let shown: readonly Range[] | null = null;

/** Opens the printer of a call. Reads which characters it can show with the first one of an isolate. */
export async function openDirectPrinter(assets: StaticAssets): Promise<Printer> {
  // Without its assets the service prints nothing, and the next call tries again.
  shown ??= await readAsset(assets, fontAssets.ranges).then(readRanges).catch(() => null);
  const known = shown ?? [];
  // The job makes several letters at once, and two documents can take more memory than there is.
  let before: Promise<unknown> = Promise.resolve();
  return {
    print(document) {
      const printed = before.then(() => print(document, openAssetPress(assets)));
      before = printed.catch(() => {});
      return printed;
    },
    findUnshown: (text) => findUnshown(text).filter((character) => !isShown(known, character)),
    release: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

function readRanges(bytes: Uint8Array): Range[] {
  return new TextDecoder().decode(bytes).split(" ").map((range) => {
    const [first, last = first] = range.split("-").map((code) => parseInt(code, 16));
    return [first!, last!];
  });
}

function isShown(ranges: readonly Range[], character: string): boolean {
  const code = character.codePointAt(0)!;
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]![1] < code) low = middle + 1;
    else high = middle;
  }
  return low < ranges.length && ranges[low]![0] <= code;
}
