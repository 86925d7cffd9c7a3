import assert from "node:assert/strict";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { type Actor, startApp, type TestApp } from "../support/app.ts";
import { makePng } from "../support/pictures.ts";
import { processorTime } from "../support/processor_time.ts";

interface Page {
  readonly lines: string[];
  /** Millimetres from the edges of the page to the text. */
  readonly left: number;
  readonly top: number;
  readonly images: number;
}

/** Reads a document back: its pages with their lines of text. */
async function read(bytes: Uint8Array): Promise<Page[]> {
  const document = await getDocument({ data: new Uint8Array(bytes), useSystemFonts: false, verbosity: 0 })
    .promise;
  const pages: Page[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { height } = page.getViewport({ scale: 1 });
    const { items } = await page.getTextContent();
    const texts = items.flatMap((item) => "str" in item && item.str !== "" ? [item] : []);
    const lines = new Map<number, string>();
    for (const { str, transform } of texts) {
      const y = Math.round(transform[5]);
      lines.set(y, (lines.get(y) ?? "") + str);
    }
    const { fnArray } = await page.getOperatorList();
    const millimetres = (points: number) => Math.round(points * 25.4 / 72);
    pages.push({
      lines: [...lines].sort(([one], [other]) => other - one).map(([, line]) => line.trim()).filter((line) =>
        line
      ),
      left: millimetres(Math.min(...texts.map(({ transform }) => transform[4]))),
      top: millimetres(height - Math.max(...texts.map(({ transform }) => transform[5]))),
      // 85: paintImageXObject.
      images: fnArray.filter((operation: number) => operation === 85).length,
    });
  }
  await document.destroy();
  return pages;
}

async function preview(actor: Actor, body: object): Promise<{ bytes: Uint8Array; headers: Headers }> {
  const made = await actor.call("POST", "/v1/templates/preview/letter", body);
  assert.equal(made.status, 200, made.text);
  const response = await fetch(made.body.download_url);
  assert.equal(response.status, 200);
  return { bytes: await response.bytes(), headers: response.headers };
}

const readPages = async (actor: Actor, content: string, more: object = {}) =>
  await read((await preview(actor, { content, ...more })).bytes);

async function letters(test: (admin: Actor, app: TestApp) => Promise<void>): Promise<void> {
  await using app = await startApp();
  const { admin } = await app.company();
  await test(admin, app);
}

Deno.test("a letter has the words of its text in order, with Greek and Cyrillic", () =>
  letters(async (admin) => {
    const content = "<h1>Angebot</h1><p>Liebe <b>Ωμέγα</b>, <i>Привет</i>!</p>" +
      "<ul><li>one</li><li>two</li></ul><p>Total:<br>29.900 €</p>";
    const [page, ...others] = await readPages(admin, content);
    assert.deepEqual(others, []);
    assert.deepEqual(page!.lines, ["Angebot", "Liebe Ωμέγα, Привет!", "one", "two", "Total:", "29.900 €"]);
    const { headers } = await preview(admin, { content });
    assert.equal(headers.get("content-type"), "application/pdf");
    assert.doesNotMatch(headers.get("content-security-policy")!, /sandbox/);
  }));

Deno.test("a letter has the margins of its template, 25 mm otherwise, and page breaks", () =>
  letters(async (admin) => {
    const text = '<p>First</p><p style="page-break-before: always">Second</p>';
    const [first, second] = await readPages(admin, text);
    assert.deepEqual([first!.lines, second!.lines], [["First"], ["Second"]]);
    assert.equal(first!.left, 25);
    const template = await admin.call("POST", "/v1/templates", {
      type: "letter",
      title: "T",
      content: "{{content}}",
      margin_left: 40,
      margin_top: 60,
    });
    const [moved] = await readPages(admin, text, { template_id: template.body.id });
    assert.equal(moved!.left, 40);
    assert.equal(moved!.top - first!.top, 35);
  }));

Deno.test("tables of any form are shown, with sections that repeat their rows", () =>
  letters(async (admin) => {
    const products = [{ name: "Van", price: 10 }, { name: "Mat", price: 5 }];
    const rows = "<table><thead><tr><th>Name</th><th>Price</th></tr></thead>" +
      "{{#product_details}}<tr><td>{{name}}</td><td>{{price}}</td></tr>{{/product_details}}</table>";
    const [page] = await readPages(admin, rows, { products });
    assert.deepEqual(page!.lines, ["Name Price", "Van €10.00", "Mat €5.00"]);
    const odd = [
      "<table></table>a",
      "<table><tr></tr></table>a",
      "<table><tr><td colspan=9>a</td></tr><tr><td>b</td></tr></table>",
      "<table><tr><td rowspan=9>a</td><td rowspan=2>b</td></tr><tr><td colspan=3>c</td></tr><tr><td>d</td></tr></table>",
      "<table><tr><td><table><tr><td>a</td></tr></table></td></tr></table>",
      `<table><tr>${"<td>a</td>".repeat(60)}</tr></table>`,
      "<ul></ul><ol></ol><ol><p>a</p></ol><li>a</li><hr>",
      `${"<div>".repeat(90)}a${"</div>".repeat(90)}`,
    ];
    for (const html of odd) assert.ok((await readPages(admin, html))[0]!.lines.join().includes("a"), html);
  }));

Deno.test("a letter shows images that stand in its text and leaves out what is none", () =>
  letters(async (admin, app) => {
    const image = (bytes: Uint8Array, type = "png") =>
      `<img src="data:image/${type};base64,${bytes.toBase64()}">`;
    const [page] = await readPages(admin, `<p>a</p>${image(makePng(9, 9))}`);
    assert.deepEqual([page!.lines, page!.images], [["a"], 1]);
    const text = new TextEncoder().encode("no picture");
    const broken = makePng(9, 9).slice(0, 60);
    for (
      const html of [image(text), image(broken), '<img src="https://127.0.0.1:9/a.png">', '<img src="a.png">']
    ) {
      const [without] = await readPages(admin, `<p>a</p>${html}`);
      assert.deepEqual([without!.lines, without!.images], [["a"], 0], html);
    }
    assert.deepEqual(app.log.entries.filter(({ level }) => level === "error"), []);
  }));

Deno.test("a letter has at most 50 pages", () =>
  letters(async (admin) => {
    const pages = (count: number) => Array.from({ length: count }, (_, n) => page(n)).join("");
    const page = (n: number) => `<p style="page-break-after: always">${n}</p>`;
    assert.equal((await readPages(admin, pages(49) + "<p>end</p>")).length, 50);
    const refused = await admin.call("POST", "/v1/templates/preview/letter", {
      content: pages(50) + "<p>end</p>",
    });
    assert.deepEqual([refused.status, refused.body.errors[0].path, refused.body.errors[0].code], [
      422,
      "content",
      "max",
    ]);
  }));

Deno.test("a word without end is broken into lines, in the time of other text", () =>
  letters(async (admin) => {
    const took = await processorTime(async () => {
      const pages = await readPages(admin, "x".repeat(20_000));
      assert.equal(pages.flatMap(({ lines }) => lines).join("").replaceAll(/[^x]/g, "").length, 20_000);
    });
    // It once took sixteen seconds, and more than a minute for 65,535 letters.
    assert.ok(took < 8_000, `${took} ms`);
  }));
