import assert from "node:assert/strict";
import { processorTime } from "../support/processor_time.ts";
import fc from "../support/properties.ts";
import { extractPlainText, sanitizeText, unescapeHtml } from "../../src/core/html.ts";
import { ExcessiveHtml, findExcess } from "../../src/core/html_limits.ts";
import { cleanLeadHtml, cleanText, stripTags } from "../../src/core/sanitizer.ts";

Deno.test("text without tags stays as it is", async () => {
  for (const text of ["", "Fish & Chips", 'a > b "c"', "&lt;script&gt;", "Größe\n10 €"]) {
    assert.equal(cleanText(text), text);
    assert.equal(cleanLeadHtml(text), text);
    assert.equal(await sanitizeText(text), text);
  }
});

Deno.test("rich text keeps usual formatting, links, images, tables and placeholders", () => {
  const kept = [
    "<p>Dear <strong>{{contact.first_name}}</strong>,<br />see <em>you</em></p>",
    '<a href="https://example.com/?a=1&amp;b=2">x</a>',
    '<a href="mailto:a@b.de">x</a><a href="tel:+4930">x</a><a href="{{link}}">x</a>',
    '<img src="https://example.com/a.png" alt="a" width="10" />',
    '<table width="100%" style="border:1px solid #000;margin:0 auto"><tr><td colspan="2">x</td></tr></table>',
    "<ul><li>one</li></ul><h1>two</h1><blockquote>three</blockquote>",
    "<p style=\"color:#ff0000;font-family:'Open Sans', sans-serif;text-align:center\">x</p>",
  ];
  for (const html of kept) assert.equal(cleanText(html), html);
});

Deno.test("rich text loses active content", () => {
  const cases: [string, string][] = [
    ["a<script>alert(1)</script>b", "ab"],
    ["<style>p{}</style><title>t</title>x", "x"],
    ['<p onclick="x()">x</p>', "<p>x</p>"],
    ['<a href="javascript:x()">x</a>', "<a>x</a>"],
    ['<a href="java&#10;script:x()">x</a>', "<a>x</a>"],
    ['<a href="&#106;avascript:x()">x</a>', "<a>x</a>"],
    ['<a href="//example.com">x</a>', "<a>x</a>"],
    ['<a href="ftp://example.com">x</a>', "<a>x</a>"],
    ['<img src="data:image/svg+xml;base64,AA" onerror="x()">', "<img />"],
    ['<img src="mailto:a@b.de">', "<img />"],
    ["<iframe src='https://example.com'>i</iframe><form><input></form>", ""],
    ["<svg><a xlink:href='javascript:x()'>x</a></svg>", "<a>x</a>"],
    [
      '<p style="background:url(https://example.com/x);position:fixed;color:red">x</p>',
      '<p style="color:red">x</p>',
    ],
    ["<!-- c --><p>x", "<p>x</p>"],
    ["1 < 2", "1 &lt; 2"],
    [
      '<a href="https://a.de" target="_blank">x</a>',
      '<a href="https://a.de" target="_blank" rel="noopener noreferrer">x</a>',
    ],
  ];
  for (const [html, clean] of cases) assert.equal(cleanText(html), clean, html);
});

Deno.test("lead data keeps b, strong, i, em, blockquote and br, without attributes", () => {
  const kept = "<b>a</b><strong>b</strong><i>c</i><em>d</em><blockquote>e</blockquote><br />";
  assert.equal(cleanLeadHtml(kept), kept);
  assert.equal(cleanLeadHtml('<b class="x" style="color:red" onclick="y">a</b>'), "<b>a</b>");
  assert.equal(
    cleanLeadHtml("<p>a <u>b</u> <a href='https://c.de'>c</a></p><img src='https://d.de/d'>"),
    "a b c",
  );
  assert.equal(cleanLeadHtml("<script>alert(1)</script>"), "");
});

Deno.test("cleaning clean text changes nothing", () => {
  const piece = fc.constantFrom(
    "<b>",
    "</b>",
    "<p style='color:red'>",
    "<a href=x target=y>",
    "&amp;",
    "&lt;",
    "<",
    ">",
    "x",
    "<br>",
    '"',
    "<!--",
    "<script>",
  );
  fc.assert(fc.property(fc.array(piece), (pieces) => {
    for (const clean of [cleanText, cleanLeadHtml]) {
      const once = clean(pieces.join(""));
      assert.equal(clean(once), once);
      assert.doesNotMatch(once, /<script|<!--/);
    }
  }));
});

Deno.test("a text of tags only is cleaned quickly", async () => {
  for (const html of ["<b>".repeat(300_000), "<b>".repeat(30_000), "<".repeat(1_000_000)]) {
    const took = await processorTime(() => {
      for (const clean of [cleanText, cleanLeadHtml]) {
        if (findExcess(html) === null) clean(html);
        else assert.throws(() => clean(html), ExcessiveHtml);
      }
    });
    assert.ok(took < 2000, `${html.slice(0, 3)} took ${took} ms`);
  }
});

Deno.test("HTML as plain text has a line for each block, the addresses of links, and no entities", async () => {
  for (
    const [html, text] of [
      ["Plain & simple", "Plain & simple"],
      ["Line one\nline two", "Line one\nline two"],
      ["Gr&uuml;&szlig;e &lt;3 &quot;you&quot;", 'Grüße <3 "you"'],
      ["<p>Dear  Ada,</p>\n<p>one<br />two</p>", "Dear Ada,\none\ntwo"],
      ["<ul><li>red</li><li>blue</li></ul>end", "- red\n\n- blue\n\nend"],
      [
        'See <a href="https://a.example/?x=1&amp;y=2">the offer</a>.',
        "See the offer (https://a.example/?x=1&y=2).",
      ],
      ['<a href="https://a.example">https://a.example</a>', "https://a.example"],
      ["<div>1 &lt; 2 &amp;amp; 3</div>", "1 < 2 &amp; 3"],
      ["<table><tr><td>a</td><td>b</td></tr></table>", "ab"],
      ["", ""],
    ] as const
  ) assert.equal(await extractPlainText(await sanitizeText(html)), text, html);
});

Deno.test("text without tags and entities is plain already", () => {
  const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit));
  const text = units.filter((unit) => unit !== "<" && unit !== "&").join("");
  assert.ok(unescapeHtml(stripTags(text)) === text);
});

Deno.test("long runs of spaces cost little time", async () => {
  const took = await processorTime(async () => {
    assert.equal((await extractPlainText(`a${" ".repeat(300_000)}b`)).length, 300_002);
    assert.equal(await extractPlainText(" a \t\n\n\n\n b\u00a0\n c "), "a\n\nb\nc");
  });
  assert.ok(took < 3_000, `${took} ms`);
});
