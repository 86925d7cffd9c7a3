/** The fonts of Workers: static assets, which `cli/worker_assets.ts` makes. */
import { BoundedMap } from "../../core/bounded_map.ts";
import { type FontIndex, type FontParts, indexFonts } from "./noto.ts";
import { PrinterUnavailable } from "./pdf.ts";
import type { Fonts } from "./press_noto.ts";

/** The binding by which a worker reads its static assets. */
export interface StaticAssets {
  fetch(url: string): Promise<Response>;
}

/** The names of the assets, which no visitor can read. */
export const fontAssets = {
  /** JSON: `FontParts[]`. */
  index: "fonts/index.json",
  /** Ranges of all characters that the fonts have, such as `5d0-5ea 5ef`. */
  ranges: "fonts/ranges.txt",
  /** `name`: a file of Roboto, or the id of a part. */
  nameFont: (name: string) => `fonts/${name.replace(/\.ttf$/, "")}.ttf`,
};

/** What an isolate keeps, 8 MiB of fonts at most. */
const kept = new BoundedMap<Uint8Array>(8 * 2 ** 20);
let index: FontIndex | undefined;

/** Returns the fonts of a document. Reading them throws `PrinterUnavailable`. */
export function openAssetFonts(assets: StaticAssets): Fonts {
  const readFont = async (name: string) => {
    const known = kept.get(name);
    if (known) return known;
    const bytes = await readAsset(assets, fontAssets.nameFont(name));
    kept.set(name, bytes, bytes.length);
    return bytes;
  };
  return {
    index: async () => index ??= indexFonts(decodeIndex(await readAsset(assets, fontAssets.index))),
    readFace: ({ id }) => readFont(id),
    readRoboto: readFont,
    // The largest script, Japanese, fits. This leaves room in the 128 MB of an isolate.
    mostBytes: 10 * 2 ** 20,
  };
}

/** Returns the bytes of an asset. Throws `PrinterUnavailable`, also when the body of the answer ends early. */
export async function readAsset(assets: StaticAssets, name: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const answer = await assets.fetch(`https://assets.local/${name}`);
    if (answer.ok) return await answer.bytes();
    await answer.body?.cancel();
    throw new Error(`status ${answer.status}`);
  } catch (cause) {
    throw new PrinterUnavailable(`${name} cannot be read: ${cause}`, { cause });
  }
}

function decodeIndex(bytes: Uint8Array): FontParts[] {
  return JSON.parse(new TextDecoder().decode(bytes));
}
