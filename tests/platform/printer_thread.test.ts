import assert from "node:assert/strict";
import type { PdfDocument } from "../../src/platform/pdf/pdf.ts";
import { threadPrinter } from "../../src/platform/pdf/printer_thread.ts";

const documentOf = (content: PdfDocument["content"]): PdfDocument => ({
  title: "A title",
  margins: { top: 20, right: 20, bottom: 20, left: 20 },
  content,
});

Deno.test("a thread prints documents at once and one after the other, also after one that fails and after its end", async () => {
  const printer = threadPrinter();
  try {
    const texts = ["One", "Two"].map((text) => printer.print(documentOf([{ text }])));
    const broken = printer.print(documentOf([{ image: "no picture" }]));
    const last = printer.print(documentOf([{ text: "Three", pageBreak: "after" }, { text: "Four" }]));
    for (const { bytes, pages } of await Promise.all(texts)) {
      assert.equal(new TextDecoder().decode(bytes.subarray(0, 5)), "%PDF-");
      assert.equal(pages, 1);
    }
    await assert.rejects(broken);
    assert.equal((await last).pages, 2);
    await printer.release();
    assert.equal((await printer.print(documentOf([{ text: "Five" }]))).pages, 1);
  } finally {
    await printer.close();
  }
});

Deno.test("documents whose thread ends are refused, and this thread serves on meanwhile", async () => {
  const printer = threadPrinter();
  const rows = Array.from({ length: 3_000 }, (_, row) => [{ stack: [{ text: `Row ${row}` }] }]);
  const long = printer.print(
    documentOf([{ table: { body: rows, widths: ["*"], headerRows: 0 } }]),
  );
  let turns = 0;
  const timer = setInterval(() => turns++, 5);
  const refused = assert.rejects(long, { name: "Error", message: "the thread that makes PDF ended" });
  await new Promise((resolve) => setTimeout(resolve, 200));
  await printer.close();
  await refused;
  clearInterval(timer);
  assert.ok(turns >= 5, `${turns} turns`);
});
