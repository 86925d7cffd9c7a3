import assert from "node:assert/strict";
import { PrinterUnavailable } from "../../src/platform/pdf/pdf.ts";
import { directPrinter } from "../support/printer.ts";
import { startApp } from "../support/app.ts";

Deno.test("a document that the printer cannot make now is 503 with Retry-After", async () => {
  const printer = {
    ...directPrinter,
    print: () => Promise.reject(new PrinterUnavailable("too many documents wait")),
  };
  await using app = await startApp({}, { printer });
  const { admin } = await app.company();
  const preview = await admin.call("POST", "/v1/templates/preview/letter", { content: "<p>Dear Ada</p>" });
  const report = await admin.call("GET", "/v1/reports/performance/export/pdf");
  const pdf = await fetch(report.body.url);
  const refusals = [preview, { status: pdf.status, body: await pdf.json(), headers: pdf.headers }];
  for (const { status, body, headers } of refusals) {
    assert.equal(status, 503, JSON.stringify(body));
    assert.equal(body.code, "unavailable");
    assert.equal(headers.get("retry-after"), "10");
  }
});
