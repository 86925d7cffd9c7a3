/** Letters of a box have a font for each script that Noto has, and text from right to left. */
import assert from "node:assert/strict";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { computeLevels } from "../../src/platform/pdf/bidi.ts";
import { findUnshownOnBox, indexPackages } from "../../src/platform/pdf/noto_packages.ts";
import type { Run } from "../../src/platform/pdf/pdf.ts";
import { boxPress } from "../../src/platform/pdf/press_box.ts";
import { print } from "../../src/platform/pdf/print.ts";
import { orderVisually } from "../../src/platform/pdf/visual_order.ts";

const margins = { top: 20, right: 20, bottom: 20, left: 20 };

/** Returns the words of the first page with their places, from the top, then from the left. */
async function readWords(content: Parameters<typeof print>[0]["content"]) {
  const { bytes, unshown } = await print(
    { title: "Test", companyId: 1, mostPages: 50, margins, content },
    boxPress,
  );
  const document = await getDocument({ data: bytes, useSystemFonts: false, verbosity: 0 }).promise;
  const { items } = await (await document.getPage(1)).getTextContent();
  await document.destroy();
  const words = items.flatMap((item) =>
    "str" in item && item.str.trim() !== ""
      ? [{ text: item.str.normalize("NFKC"), x: Number(item.transform[4]), y: Number(item.transform[5]) }]
      : []
  );
  return { words, unshown, length: bytes.length };
}

/** A text of each script. */
const scripts: Readonly<Record<string, string>> = {
  Latin: "Hello Ɓɛ",
  Greek: "Αθήνα ἀρχή",
  Cyrillic: "Москва ҂",
  Arabic: "مرحبا بالعالم",
  Persian: "سلام دنیا پچژگ",
  Hebrew: "שלום עולם",
  Syriac: "ܫܠܡܐ",
  Thaana: "ދިވެހި",
  NKo: "ߒߞߏ",
  Devanagari: "नमस्ते क्षत्रिय",
  Bengali: "নমস্কার",
  Gurmukhi: "ਸਤਿ ਸ੍ਰੀ ਅਕਾਲ",
  Gujarati: "નમસ્તે",
  Oriya: "ନମସ୍କାର",
  Tamil: "வணக்கம்",
  Telugu: "నమస్కారం",
  Kannada: "ನಮಸ್ಕಾರ",
  Malayalam: "നമസ്കാരം",
  Sinhala: "ආයුබෝවන්",
  Thai: "สวัสดีครับ",
  Lao: "ສະບາຍດີ",
  Tibetan: "བཀྲ་ཤིས",
  Myanmar: "မင်္ဂလာပါ",
  Khmer: "សួស្តី",
  Mongolian: "ᠮᠣᠩᠭᠣᠯ",
  Georgian: "გამარჯობა",
  Armenian: "Բարեւ",
  Ethiopic: "ሰላም",
  Cherokee: "ᎣᏏᏲ",
  Canadian: "ᐊᐃᓐᖓᐃ",
  Tifinagh: "ⴰⵣⵓⵍ",
  Simplified: "你好，张伟",
  Traditional: "您好，張偉 龍",
  Japanese: "こんにちは、佐藤さん カタカナ",
  Korean: "안녕하세요 김민수",
  Emoji: "🚗 ❤️ 😀",
  Signs: "∑ ≤ ☎ ✓ →",
};

Deno.test("each script has a font, in each style", async () => {
  for (const [script, text] of Object.entries(scripts)) {
    for (const style of [{}, { bold: true }, { italics: true }]) {
      const { unshown, text: set } = await boxPress.set([{ text, ...style }]);
      assert.deepEqual(unshown, [], script);
      assert.deepEqual(findUnshownOnBox(text), [], script);
      const kept = (set as readonly Run[]).map(({ text }) => text).join("");
      // Variation selectors choose a look that these fonts have alone.
      assert.equal([...kept].sort().join(""), [...text.replaceAll("\ufe0f", "")].sort().join(""), script);
    }
  }
  const content = Object.values(scripts).flatMap((text) => [{ text }, { text: [{ text, bold: true }] }]);
  const { unshown, length } = await readWords(content);
  assert.deepEqual(unshown, []);
  // Only the glyphs that are used are embedded.
  assert.ok(length < 400_000, `${length} bytes`);
});

Deno.test("what no font has is named and left out, and is never a box", async () => {
  const text = "Ab \u{13000} \ufffe c";
  assert.deepEqual(findUnshownOnBox(text), ["\u{13000}", "\ufffe"]);
  const { words, unshown } = await readWords([{ text }]);
  assert.deepEqual(unshown, ["\u{13000}", "\ufffe"]);
  assert.deepEqual(words.map(({ text }) => text), ["Ab", "c"]);
});

Deno.test("words of other scripts can be read back, bold ones too", async () => {
  const { words } = await readWords([
    { text: "Dear 张伟," },
    { text: [{ text: "佐藤", bold: true }, { text: " and " }, { text: "김민수", italics: true }] },
    { text: "Привет, Ada" },
  ]);
  assert.equal(
    words.map(({ text }) => text).join("").replaceAll(" ", ""),
    "Dear张伟,佐藤and김민수Привет,Ada",
  );
});

Deno.test("text from right to left begins at the right, in each line, with numbers and names in their order", async () => {
  const long = "אחת שתיים שלוש ארבע חמש שש שבע שמונה תשע עשר ".repeat(5).trim();
  const { words } = await readWords([{ text: "שלום Ada Lovelace 42, עולם (סוף)" }, { text: long }]);
  const lines = Map.groupBy(words, ({ y }) => Math.round(y));
  const [first, ...rest] = [...lines.values()].map((line) =>
    line.toSorted((left, right) => left.x - right.x).map(({ text }) => text)
  );
  assert.equal(first!.join("").replaceAll(" ", ""), "(סוף)עולם,AdaLovelace42שלום");
  assert.ok(rest.length > 1);
  // The first word of a line is the last from the left, and lines follow each other from the top.
  assert.deepEqual(rest.flatMap((line) => line.toReversed()), long.split(" "));
  const right = Math.max(...words.map(({ x }) => x));
  for (const line of lines.values()) assert.ok(Math.max(...line.map(({ x }) => x)) > right - 40);
});

Deno.test("pieces of a line are turned by their levels", () => {
  const levels = [0, 1, 1, 2, 2, 1, 0];
  const line = levels.map((level, at) => ({ level, at }));
  assert.deepEqual(orderVisually(line).map(({ at }) => at), [0, 5, 3, 4, 2, 1, 6]);
  assert.equal(computeLevels("Plain text 12"), null);
  assert.equal(computeLevels("שלום")!.isRightToLeft, true);
  assert.equal(computeLevels("a שלום")!.isRightToLeft, false);
});

Deno.test("Chinese characters of a Japanese or Korean text have the forms of that script", async () => {
  const setText = async (text: string) =>
    (await boxPress.set(text)).text as readonly (Run & { readonly font?: string })[];
  assert.match((await setText("骨"))[0]!.font!, /-sc-/);
  assert.match((await setText("骨の"))[0]!.font!, /-jp-/);
  assert.match((await setText("骨 김"))[0]!.font!, /-kr-/);
  assert.equal(indexPackages().facesFor(0x13000, null).length, 0);
});
