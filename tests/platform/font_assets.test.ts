/** The static assets of Workers have all fonts, and a document reads few of them. */
import assert from "node:assert/strict";
import { makeWorkerAssets } from "../../src/cli/worker_assets.ts";
import { openAssetFonts, type StaticAssets } from "../../src/platform/pdf/font_assets.ts";
import { findUnshownOnBox } from "../../src/platform/pdf/noto_packages.ts";
import { PrinterUnavailable } from "../../src/platform/pdf/pdf.ts";
import { loadEngine } from "../../src/platform/pdf/press_box.ts";
import { openPress } from "../../src/platform/pdf/press_noto.ts";
import { print } from "../../src/platform/pdf/print.ts";
import { openDirectPrinter } from "../../src/platform/pdf/printer_direct.ts";
import { readPdf } from "../support/pdf.ts";

const folder = new URL("../../dist/worker/", import.meta.url).pathname;
const margins = { top: 20, right: 20, bottom: 20, left: 20 };

/** The assets of the folder, and which of them were read. */
async function openAssets(): Promise<{ assets: StaticAssets; read: string[] }> {
  await makeWorkerAssets();
  const read: string[] = [];
  const assets = {
    async fetch(url: string) {
      const path = new URL(url).pathname.slice(1);
      read.push(path);
      return new Response(await Deno.readFile(folder + path));
    },
  };
  return { assets, read };
}

async function printWith(assets: StaticAssets, text: string) {
  const content = [{ text }];
  const press = openPress(loadEngine, openAssetFonts(assets));
  const { bytes, unshown } = await print(
    { title: "T", companyId: 1, mostPages: 50, margins, content },
    press,
  );
  return { ...await readPdf(bytes), unshown };
}

Deno.test("a document reads the parts that its text needs, and the next one reads none again", async () => {
  const { assets, read } = await openAssets();
  assert.deepEqual(await printWith(assets, "Dear 张伟 ไทย"), { text: "Dear张伟ไทย", boxes: 0, unshown: [] });
  const parts = read.filter((path) => path.includes("noto"));
  assert.ok(parts.length >= 2 && parts.length <= 6, parts.join(" "));
  // The index and the four styles of Roboto.
  assert.equal(read.length, parts.length + 5);
  read.length = 0;
  assert.equal((await printWith(assets, "伟 ไทย")).text, "伟ไทย");
  assert.deepEqual(read, []);
});

Deno.test("what is beyond the fonts of a document is left out and named", async () => {
  const { assets } = await openAssets();
  // Each hundredth character needs another part, up to all of Chinese, Japanese and Korean.
  let text = "";
  for (let code = 0x4e00; code < 0xd7a4; code += 30) {
    const character = String.fromCodePoint(code);
    if (findUnshownOnBox(character).length === 0) text += character;
  }
  const { text: shown, boxes, unshown } = await printWith(assets, text);
  assert.equal(boxes, 0);
  assert.ok(unshown.length > 0 && shown.length > 0);
  assert.equal([...shown, ...unshown].length, [...text].length);
});

Deno.test("the service on Workers names what no font has, as a box does", async () => {
  const { assets, read } = await openAssets();
  const text = "Ab 张伟 مرحبا שלום नमस्ते 🚗 \u{13000} \ufffe c";
  assert.deepEqual((await openDirectPrinter(assets)).findUnshown(text), findUnshownOnBox(text));
  assert.deepEqual((await openDirectPrinter(assets)).findUnshown(text), ["\u{13000}", "\ufffe"]);
  assert.deepEqual(read, ["fonts/ranges.txt"]);
});

Deno.test("a document without its fonts is for later", async () => {
  const answers = [
    () => Promise.resolve(new Response("", { status: 404 })),
    () => Promise.reject(new TypeError("gone")),
    () => Promise.resolve(new Response(endEarly())),
  ];
  for (const fetch of answers) {
    await assert.rejects(printWith({ fetch }, "ᐊᐃᓐᖓᐃ"), PrinterUnavailable);
  }
});

Deno.test("a call makes one document after the other, also after one that failed", async () => {
  let [running, most] = [0, 0];
  const printer = await openDirectPrinter({
    async fetch() {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve));
      running--;
      throw new TypeError("gone");
    },
  });
  const document = { title: "T", companyId: 1, mostPages: 50, margins, content: [{ text: "ᐊᐃᓐᖓᐃ" }] };
  const made = await Promise.allSettled([printer.print(document), printer.print(document)]);
  assert.deepEqual(made.map(({ status }) => status), ["rejected", "rejected"]);
  assert.equal(most, 1);
});

/** The beginning of a font, after which the connection ends. */
function endEarly(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new Uint8Array(100)),
    pull: (controller) => controller.error(new TypeError("the connection ended")),
  });
}
