import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { type PdfDocument, PrinterUnavailable, TooManyPages } from "../../src/platform/pdf/pdf.ts";
import { PrintThread } from "../../src/platform/pdf/print_thread.ts";
import { makeThreadPrinter } from "../../src/platform/pdf/printer_thread.ts";

const makeDocument = (
  content: PdfDocument["content"],
  companyId = 1,
): PdfDocument => ({
  title: "A title",
  companyId,
  mostPages: 10_000,
  margins: { top: 20, right: 20, bottom: 20, left: 20 },
  content,
});

Deno.test("a thread prints documents at once and one after the other, also after one that fails and after its end", async () => {
  const printer = makeThreadPrinter();
  try {
    const texts = ["One", "Two"].map((text) => printer.print(makeDocument([{ text }])));
    const broken = printer.print(makeDocument([{ image: "no picture" }]));
    const last = printer.print(
      makeDocument([{ text: "Three", pageBreak: "after" }, { text: "Four" }]),
    );
    for (const { bytes, pages } of await Promise.all(texts)) {
      assert.equal(new TextDecoder().decode(bytes.subarray(0, 5)), "%PDF-");
      assert.equal(pages, 1);
    }
    await assert.rejects(broken);
    assert.equal((await last).pages, 2);
    await printer.release();
    assert.equal(
      (await printer.print(makeDocument([{ text: "Five" }]))).pages,
      1,
    );
  } finally {
    await printer.close();
  }
});

Deno.test("documents whose thread ends are refused, and this thread serves on meanwhile", async () => {
  const printer = makeThreadPrinter();
  const rows = Array.from(
    { length: 3_000 },
    (_, row) => [{ stack: [{ text: `Row ${row}` }] }],
  );
  const long = printer.print(
    makeDocument([{ table: { body: rows, widths: ["*"], headerRows: 0 } }]),
  );
  let turns = 0;
  const timer = setInterval(() => turns++, 5);
  const refused = assert.rejects(long, {
    name: "Error",
    message: "the thread that makes PDF ended",
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  await printer.close();
  await refused;
  clearInterval(timer);
  assert.ok(turns >= 5, `${turns} turns`);
});

/** A document that takes many seconds. */
const endless = (companyId: number, lines = 40_000) =>
  makeDocument(
    Array.from(
      { length: lines },
      (_, line) => ({ text: `Line ${line} of a very long document` }),
    ),
    companyId,
  );

Deno.test("a document that takes too long fails alone: others are printed meanwhile, or after their wait", async () => {
  const printer = makeThreadPrinter({ quick: 1_500, most: 3_000 });
  try {
    // Starts both threads.
    await Promise.all([1, 2].map((companyId) => printer.print(makeDocument([{ text: "Hello" }], companyId))));
    const ended: string[] = [];
    const asked = [
      printer.print(endless(1)).then(
        () => ended.push("slow"),
        (error) => ended.push(error instanceof PrinterUnavailable ? "slow failed" : String(error)),
      ),
      ...["mine", "yours"].map((text, at) =>
        printer.print(makeDocument([{ text }], at + 1)).then(
          () => ended.push(text),
          (error) => ended.push(`${error}`),
        )
      ),
    ];
    await Promise.all(asked);
    assert.deepEqual(ended, ["yours", "slow failed", "mine"]);
  } finally {
    await printer.close();
  }
});

Deno.test("a document that is stopped leaves its thread to the next", async () => {
  const thread = new PrintThread();
  try {
    const slow = thread.print(endless(1, 100_000), { quick: 50, most: 500 });
    const failed = assert.rejects(slow.result, new PrinterUnavailable("the document took too long"));
    assert.equal(await slow.isSlow, true);
    await failed;
    const next = thread.print(makeDocument([{ text: "Hello" }]), { quick: 60_000, most: 60_000 });
    assert.equal((await next.result).pages, 1);
    assert.equal(await next.isSlow, false);
  } finally {
    await thread.end();
  }
});

Deno.test("two companies with documents that take long do not hold up a third", async () => {
  const printer = makeThreadPrinter({ quick: 1_000, most: 20_000 });
  const slow = [1, 2].map((companyId) => printer.print(endless(companyId)).catch(() => "failed"));
  const first = await Promise.race([
    ...slow,
    printer.print(makeDocument([{ text: "Hello" }], 3)).then(({ pages }) => pages),
  ]);
  assert.equal(first, 1);
  await printer.close();
  assert.deepEqual(await Promise.all(slow), ["failed", "failed"]);
});

Deno.test("any number of companies with documents that take long hold up no other", async () => {
  const printer = makeThreadPrinter({ quick: 1_000, most: 600_000 });
  const slow = [1, 2, 3, 4].map((companyId) => printer.print(endless(companyId)).catch(() => "failed"));
  const first = await Promise.race([
    ...slow,
    printer.print(makeDocument([{ text: "Hello" }], 5)).then(({ pages }) => pages),
  ]);
  assert.equal(first, 1);
  await printer.close();
  assert.deepEqual(await Promise.all(slow), slow.map(() => "failed"));
});

Deno.test("eleven documents of a company at most are accepted at once, and another company is served", async () => {
  const printer = makeThreadPrinter();
  const outcomes: unknown[] = [];
  const asked = Array.from(
    { length: 13 },
    () => printer.print(endless(1)).catch((error) => outcomes.push(error.message)),
  );
  assert.equal(
    (await printer.print(makeDocument([{ text: "Yours" }], 2))).pages,
    1,
  );
  assert.deepEqual(outcomes, [
    "too many documents wait",
    "too many documents wait",
  ]);
  await printer.close();
  await Promise.all(asked);
  assert.equal(outcomes.length, 13);
});

Deno.test("a document ends at the first page that is too many, and not when all are laid out", async () => {
  const printer = makeThreadPrinter();
  try {
    await assert.rejects(
      printer.print({ ...endless(1, 4_000), mostPages: 3 }),
      TooManyPages,
    );
    const pages = ["One", "Two", "Three"].map((text) => ({
      text,
      pageBreak: "after" as const,
    }));
    const short = makeDocument([...pages.slice(0, 2), { text: "Three" }]);
    assert.equal((await printer.print({ ...short, mostPages: 3 })).pages, 3);
  } finally {
    await printer.close();
  }
});

/** A PNG of one bit a pixel. `data`: its rows, uncompressed. */
function png(
  width: number,
  height: number,
  data = new Uint8Array((Math.ceil(width / 8) + 1) * height),
): string {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header[8] = 1;
  const chunk = (name: string, bytes: Uint8Array) => {
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, bytes.length);
    return [...length, ...new TextEncoder().encode(name), ...bytes, 0, 0, 0, 0];
  };
  const bytes = [
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk("IHDR", header),
    ...chunk("IDAT", deflateSync(data)),
    ...chunk("IEND", new Uint8Array()),
  ];
  return `data:image/png;base64,${Uint8Array.from(bytes).toBase64()}`;
}

Deno.test("pictures beyond 16 million pixels in all, and those that decode to more than their size, are left out", async () => {
  const printer = makeThreadPrinter();
  const printImages = async (...images: string[]) => {
    const { bytes } = await printer.print(
      makeDocument(images.map((image) => ({ image, width: 50 }))),
    );
    return new TextDecoder("latin1").decode(bytes).split("/Subtype /Image")
      .length - 1;
  };
  try {
    assert.equal(await printImages(png(3000, 3000)), 1);
    assert.equal(
      await printImages(png(3000, 3000), png(3001, 3000), png(2000, 2000)),
      2,
    );
    assert.equal(await printImages(png(9000, 9000)), 0);
    assert.equal(
      await printImages(png(10, 10, new Uint8Array(100_000)), png(10, 10)),
      1,
    );
    assert.equal(await printImages("data:image/png;base64,AAAA"), 0);
  } finally {
    await printer.close();
  }
});
