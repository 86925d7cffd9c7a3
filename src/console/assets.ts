/** The static parts of the console. Their names have a hash, so that browsers keep them for ever. */
import { icon } from "../identity/auth/pages/brand.tsx";
import { sha1Hex } from "../platform/crypto.ts";
import { sprite } from "./icons.ts";
import { script } from "./script/script.ts";
import { style } from "./style/style.ts";

export interface Asset {
  readonly type: string;
  readonly text: string;
}

const javascript = "text/javascript; charset=utf-8";

const sources: Readonly<Record<string, { type: string; load: () => Promise<string> }>> = {
  "console.css": { type: "text/css; charset=utf-8", load: () => Promise.resolve(style) },
  "console.js": { type: javascript, load: () => Promise.resolve(script) },
  "htmx.js": {
    type: javascript,
    load: async () => (await import("htmx.org/dist/htmx.min.js", { with: { type: "text" } })).default,
  },
  "icon.svg": { type: "image/svg+xml", load: () => Promise.resolve(icon) },
  "icons.svg": { type: "image/svg+xml", load: () => Promise.resolve(sprite) },
};

const paths = new Map<string, string>();
const byFile = new Map<string, Asset>();
let loading: Promise<void> | null = null;

/** Loads the assets on the first request of the process. */
export function loadAssets(): Promise<void> {
  return loading ??= Promise.all(
    Object.entries(sources).map(async ([name, { type, load }]) => {
      const text = await load();
      const file = name.replace(".", `-${sha1Hex(text).slice(0, 12)}.`);
      byFile.set(file, { type, text });
      paths.set(name, `/app/assets/${file}`);
    }),
  ).then(() => undefined).catch((error) => {
    loading = null;
    throw error;
  });
}

/** Returns the path of an asset; `loadAssets` comes first. */
export function getAssetPath(name: keyof typeof sources): string {
  return paths.get(name)!;
}

export function findAsset(file: string): Asset | undefined {
  return byFile.get(file);
}
