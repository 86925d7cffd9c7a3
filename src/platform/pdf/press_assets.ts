/** Prints on Workers, with fonts that are static assets of the worker. */
import { openAssetFonts, type StaticAssets } from "./font_assets.ts";
import { type Engine, openPress } from "./press_noto.ts";
import type { Press } from "./press.ts";

let engine: Engine | undefined;

/** Opens a press for one document, so that an isolate keeps no more fonts than a few of those it has read. */
export function openAssetPress(assets: StaticAssets): Press {
  return openPress(loadEngine, openAssetFonts(assets));
}

/** A call may not wait for what another one began, so each awaits its own imports. */
async function loadEngine(): Promise<Engine> {
  if (engine) return engine;
  const loaded: { default: unknown }[] = await Promise.all([
    import("pdfmake/js/index.js"),
    import("pdfmake/js/PDFDocument.js"),
    import("pdfmake/js/Renderer.js"),
  ]);
  // The library has no types of its own.
  const [library, document, renderer] = loaded.map((module) => module.default) as [
    Engine["library"],
    Engine["document"],
    Engine["renderer"],
  ];
  return engine = { library, document, renderer };
}
