import assert from "node:assert/strict";
import { extractEnding, nameFault, nameText } from "../../src/library/names.ts";

Deno.test("a name has no separators, control or direction characters, and is no dots", () => {
  const bad = [
    "a/b",
    "a\\b",
    "..",
    ".",
    "a\0",
    "a\nb",
    "a\u2028b",
    "\u202Etxt.exe",
    "a\u2066",
    "\ud800",
    "a\u0085b",
  ];
  for (const name of bad) {
    assert.equal(nameFault(name, 255)?.code, "format", JSON.stringify(name));
    assert.equal(nameText(255).safeParse(name).success, false, JSON.stringify(name));
  }
  const good = [
    "...",
    ".env",
    "%2e%2e%2f",
    'a"b',
    "Ångebot №1 – final.pdf",
    "عرض.pdf",
    "👩‍👩‍👧.png",
    "a;b='c'.txt",
  ];
  for (const name of good) {
    assert.equal(nameFault(name, 255), null, name);
    assert.equal(nameText(255).safeParse(name).success, true, name);
  }
});

Deno.test("a name counts in code points and is more than white space", () => {
  assert.equal(nameFault("😀".repeat(255), 255), null);
  assert.equal(nameFault("😀".repeat(256), 255)?.code, "max");
  assert.deepEqual(["", " ", "\u3000"].map((name) => nameFault(name, 60)?.code), ["required", "min", "min"]);
});

Deno.test("the type is the ending in lower case", () => {
  const endings = { "a.PDF": "pdf", "a.tar.gz": "gz", a: "", ".env": "", "a.": "", "a.ÄB": "äb" };
  for (const [name, ending] of Object.entries(endings)) assert.equal(extractEnding(name), ending, name);
});
