/** Texts are shortened before the library of placeholders reads them, which changes nothing that it finds. */
import assert from "node:assert/strict";
import mustache from "mustache";
import { makeOutline } from "../../src/messages/placeholders/outline.ts";
import { mostPlaceholders, parseText, type Part } from "../../src/messages/placeholders/syntax.ts";
import { startApp } from "../support/app.ts";

type Token = [type: string, value: string, start: number, end: number, inner?: Token[]];

/** The parts as the library itself finds them, or its error. */
function partsOfLibrary(source: string): unknown {
  const parts = (tokens: readonly Token[]): unknown[] =>
    tokens.flatMap(([type, value, start, end, inner]): unknown[] =>
      type === "text"
        ? [value]
        : type === "name" || type === "&"
        ? [[value, start, end]]
        : type === "#" || type === "^"
        ? [[type, value, parts(inner!)]]
        : []
    );
  try {
    return parts(new mustache.Writer().parse(source) as Token[]);
  } catch (error) {
    return (error as Error).message;
  }
}

function partsHere(source: string): unknown {
  const parts = (found: readonly Part[]): unknown[] =>
    found.map((part) =>
      part.kind === "text"
        ? part.text
        : part.kind === "value"
        ? [part.name, part.start, part.end]
        : [part.isInverted ? "^" : "#", part.name, parts(part.parts)]
    );
  try {
    return parts(parseText(source));
  } catch (error) {
    return (error as Error).message;
  }
}

const pieces = [
  ...["{{a}}", "{{ b }}", "{{{c}}}", "{{&d}}", "{{! no\n value }}", "{{#s}}", "{{/s}}", "{{^s}}"],
  ...[" ", "  ", "\t", "\n", "\r\n", "\n\n", "x", "word ", " two\nlines\n", "{", "}", "é", "\u{1f600}"],
];
const broken = ["{{", "}}", "{{#s", "{{/t}}", "{{{c}}", "{{ {c} }}"];

Deno.test("a shortened text has the same parts at the same places, and the same faults", () => {
  let seed = 7;
  const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  let read = 0;
  for (let round = 0; round < 20_000; round++) {
    const all = round % 4 === 0 ? [...pieces, ...broken] : pieces;
    let source = Array.from({ length: 1 + next(12) }, () => all[next(all.length)]).join("");
    if (round % 2 === 0) source = `{{#s}}${source.replaceAll(/\{\{[#^/]s\}\}/g, "")}\n {{/s}} \n${source}`;
    if (!source.includes("{{")) continue;
    const expected = partsOfLibrary(source);
    if (typeof expected !== "string") read++;
    assert.deepEqual(partsHere(source), expected, JSON.stringify(source));
  }
  assert.ok(read > 5_000, `${read}`);
});

Deno.test("of long texts the library reads a part that does not grow with them", () => {
  for (
    const text of ["word ".repeat(100_000), " ".repeat(500_000), "\n".repeat(500_000), "a\n ".repeat(100_000)]
  ) {
    assert.ok(makeOutline(`${text}{{a}}${text}`).text.length <= 15);
  }
});

Deno.test("a text has a bounded number of placeholders, wherever it is written", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const most = "{{a}}".repeat(mostPlaceholders);
  for (
    const [path, body] of [
      ["/v1/templates", { title: "T", type: "email" }],
      ["/v1/templates/preview/email", {}],
    ] as const
  ) {
    const good = await admin.call("POST", path, { ...body, content: most });
    assert.ok(good.status < 300, good.text);
    const refused = await admin.call("POST", path, { ...body, content: `${most}{{a}}` });
    assert.deepEqual([refused.status, refused.body.errors?.[0]?.code], [422, "max"], refused.text);
  }
});
