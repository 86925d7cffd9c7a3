/**
 * Makes the static assets of the worker from the packages of fonts: Roboto, and the parts of Noto in the format
 * that documents embed, since Workers cannot unpack them.
 */
import { exists } from "../entry/builds.ts";
import { fontAssets } from "../platform/pdf/font_assets.ts";
import { indexPackages, listFonts, packagedFonts } from "../platform/pdf/noto_packages.ts";
import { roboto } from "../platform/pdf/press.ts";

const root = new URL("../../", import.meta.url).pathname;
/** `wrangler.toml` names it. */
const folder = `${root}dist/worker/`;
/** Names the sources of the assets. Written last, so that assets without it are made again. */
const mark = `${folder}fonts/version.txt`;
const sources = [
  "deno.lock",
  "src/cli/worker_assets.ts",
  ...["font_assets", "noto", "noto_packages", "press"].map((name) => `src/platform/pdf/${name}.ts`),
];

/** Makes the assets, 526 files of 46 MB, in two seconds, unless they are there. Several processes may do so. */
export async function makeWorkerAssets(): Promise<void> {
  const version = await digestSources();
  if (exists(mark) && await Deno.readTextFile(mark) === version) return;
  await Deno.mkdir(`${folder}fonts`, { recursive: true });
  const encoder = new TextEncoder();
  const written = [
    await write(fontAssets.index, encoder.encode(JSON.stringify(listFonts()))),
    await write(fontAssets.ranges, encoder.encode(listRanges())),
  ];
  for (const name of Object.values(roboto)) {
    written.push(await write(fontAssets.nameFont(name), await packagedFonts.readRoboto(name)));
  }
  for (const face of indexPackages().faces) {
    written.push(await write(fontAssets.nameFont(face.id), await packagedFonts.readFace(face)));
  }
  await write("fonts/version.txt", encoder.encode(version));
  for (const { name } of Deno.readDirSync(`${folder}fonts`)) {
    const isOld = /\.(?:ttf|json)$/.test(name) && !written.includes(`fonts/${name}`);
    if (isOld) await Deno.remove(`${folder}fonts/${name}`);
  }
}

async function digestSources(): Promise<string> {
  const texts = sources.map((path) => Deno.readTextFileSync(root + path)).join("\n");
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(texts))).toHex();
}

/** Writes a file at once, so that nobody reads a part of it, and returns its name. */
async function write(name: string, bytes: Uint8Array): Promise<string> {
  const unfinished = `${folder}${name}.${Deno.pid}`;
  await Deno.writeFile(unfinished, bytes);
  await Deno.rename(unfinished, folder + name);
  return name;
}

/** Returns the ranges of characters that the fonts have. */
function listRanges(): string {
  const { facesFor } = indexPackages();
  const ranges: string[] = [];
  let first = -1;
  for (let code = 0; code <= 0x110000; code++) {
    const isShown = code < 0x110000 && facesFor(code, null).length > 0;
    if (isShown && first < 0) first = code;
    if (isShown || first < 0) continue;
    ranges.push(first === code - 1 ? first.toString(16) : `${first.toString(16)}-${(code - 1).toString(16)}`);
    first = -1;
  }
  return ranges.join(" ");
}
