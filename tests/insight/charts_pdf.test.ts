import assert from "node:assert/strict";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { drawChart } from "../../src/insight/charts/draw.ts";
import { boxPress } from "../../src/platform/pdf/press_box.ts";
import { print } from "../../src/platform/pdf/print.ts";
import { samples } from "./chart_samples.ts";

Deno.test("charts of the light theme can be part of a PDF, with their text", async () => {
  const shown = ["negative", "units", "bars", "empty", "50 series"];
  const content = shown.map((name) => ({ svg: drawChart(samples[name]!, "light"), width: 480 }));
  const margins = { top: 20, right: 20, bottom: 20, left: 20 };
  const { bytes } = await print({ title: "Charts", companyId: 1, mostPages: 50, margins, content }, boxPress);
  const document = await getDocument({ data: bytes, useSystemFonts: false, verbosity: 0 }).promise;
  let text = "";
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent();
    text += items.map((item) => "str" in item ? item.str : "").join(" ");
  }
  await document.destroy();
  for (
    const part of ["Revenue of products, with credit notes", "€1,500", "Time to accept", "Cases reopened"]
  ) {
    assert.ok(text.includes(part), part);
  }
  assert.ok(text.includes("No data for this time."));
  assert.ok(text.includes("and 38 more, not drawn"));
  // The text alternative for readers who do not see the picture is not printed.
  assert.ok(!text.includes("highest"));
});

Deno.test("charts of a PDF show the scripts that letters show", async () => {
  const chart = JSON.parse(
    JSON.stringify(samples.units).replaceAll("Time to accept", "客户 שלום <&> Ünits ก"),
  );
  const content = [{ svg: drawChart(chart, "light"), width: 480 }];
  const margins = { top: 20, right: 20, bottom: 20, left: 20 };
  const printed = await print({ title: "Charts", companyId: 1, mostPages: 50, margins, content }, boxPress);
  assert.deepEqual(printed.unshown, []);
  const document = await getDocument({ data: printed.bytes, useSystemFonts: false, verbosity: 0 }).promise;
  const { items } = await (await document.getPage(1)).getTextContent();
  await document.destroy();
  const text = items.map((item) => "str" in item ? item.str : "").join("").replaceAll(" ", "");
  for (const part of ["客户", "<&>", "Ünits", "ก"]) assert.ok(text.includes(part), `${part}: ${text}`);
  assert.match(text, /שלום|םולש/);
});
