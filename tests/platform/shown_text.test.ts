import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { findUnshown, keepShown } from "../../src/platform/pdf/shown_text.ts";

Deno.test("texts of Latin, Greek and Cyrillic stay, and other characters are named once and left out", () => {
  const shown = "Größe: 10 €, Łódź, Αθήνα, Москва – “x”\n½\u00a0";
  assert.equal(keepShown(shown), shown);
  assert.deepEqual(findUnshown(shown), []);
  assert.equal(keepShown("Dear 张伟 (张) 🚗!"), "Dear  () !");
  assert.deepEqual(findUnshown("Dear 张伟 (张) 🚗!"), ["张", "伟", "🚗"]);
  // Parts without a look of their own are left out without a word.
  assert.equal(keepShown("a\u200db\ufe0f\u0007"), "ab");
  assert.deepEqual(findUnshown("a\u200db\ufe0f\u0007"), []);
  assert.equal(keepShown("Gro\u0308ße"), "Größe");
});

Deno.test("the fonts have a glyph for each character that is shown, and for no other of those planes", () => {
  const ofPdfmake = createRequire(
    Deno.realPathSync(new URL("../node_modules/pdfmake/package.json", import.meta.url)),
  );
  const fontkit = createRequire(ofPdfmake.resolve("pdfkit"))("fontkit");
  const files: Record<string, string> = ofPdfmake("./build/vfs_fonts.js");
  const fonts = ["Regular", "Medium", "Italic", "MediumItalic"].map((style): Set<number> =>
    new Set(fontkit.create(new Uint8Array(Uint8Array.fromBase64(files[`Roboto-${style}.ttf`]!))).characterSet)
  );
  for (let code = 0x20; code < 0xffff; code++) {
    const character = String.fromCharCode(code);
    if (!character.isWellFormed() || /[\s\p{Cc}\p{Cf}\p{Co}\p{Cn}\ufffc\ufffd]/u.test(character)) continue;
    if (character.normalize("NFC") !== character) continue;
    const isShown = keepShown(character) === character;
    assert.equal(isShown, fonts.every((font) => font.has(code)), code.toString(16));
  }
});
