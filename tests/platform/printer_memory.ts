/** Prints the documents that need most memory of those that are allowed, and writes the peak of the process. */
import { deflateSync } from "node:zlib";
import type { Block } from "../../src/platform/pdf/pdf.ts";
import { makeThreadPrinter } from "../../src/platform/pdf/printer_thread.ts";
import { memoryPeak } from "../support/memory.ts";

/** A PNG of red, green, blue and alpha with two bytes each, whose pixels compress well. */
function png(width: number, height: number): string {
  const chunk = (name: string, bytes: Uint8Array) => {
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, bytes.length);
    return [...length, ...new TextEncoder().encode(name), ...bytes, 0, 0, 0, 0];
  };
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header[8] = 16;
  header[9] = 6;
  const bytes = [
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk("IHDR", header),
    ...chunk("IDAT", deflateSync(new Uint8Array((width * 8 + 1) * height))),
    ...chunk("IEND", new Uint8Array()),
  ];
  return `data:image/png;base64,${Uint8Array.from(bytes).toBase64()}`;
}

const documents: Readonly<Record<string, Block[]>> = {
  small: [{ text: "Hello" }],
  "one large picture": [{ image: png(4000, 4000), width: 400 }],
  "a large table": [{
    table: {
      body: Array.from(
        { length: 300 },
        (_, row) => Array.from({ length: 8 }, (_, column) => ({ stack: [{ text: `${row}, ${column}` }] })),
      ),
      widths: Array.from({ length: 8 }, () => "*"),
      headerRows: 0,
    },
  }],
};

const printer = makeThreadPrinter();
for (const [name, content] of Object.entries(documents)) {
  const margins = { top: 20, right: 20, bottom: 20, left: 20 };
  const { pages } = await printer.print({ title: name, companyId: 1, mostPages: 50, margins, content });
  console.log(JSON.stringify({ name, pages, mebibytes: Math.round(memoryPeak(Deno.pid) / 1024 / 1024) }));
}
await printer.close();
