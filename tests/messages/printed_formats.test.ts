/** Dates, numbers and amounts of letters, whose fonts have Latin, Greek and Cyrillic characters. */
import assert from "node:assert/strict";
import { findUnshown, keepShown } from "../../src/platform/pdf/shown_text.ts";
import { makeFormats } from "../../src/messages/placeholders/format.ts";

const ms = Date.UTC(2026, 10, 28, 14, 5);
const place = (locale: string) => ({ locale, timezone: "UTC", currency: "EGP" });

Deno.test("a letter shows the date, time, number and price of every locale", () => {
  const locales = ["ar-EG", "fa-IR", "bn-BD", "hi-IN", "th-TH", "zh-CN", "ja-JP", "he-IL", "ko-KR", "mr-IN"];
  for (const locale of locales) {
    const { date, time, number, money, country } = makeFormats(place(locale), true);
    for (const text of [date(ms), time(ms), number(1234.5), money(1234.5), country("EG")]) {
      assert.deepEqual(findUnshown(text), [], `${locale} ${text}`);
      assert.match(keepShown(text), /[\dA-Z]/);
    }
    assert.match(time(ms), /14.05|2.05/);
    assert.match(number(1234.5), /1.?234.5/);
  }
});

Deno.test("formats whose characters the fonts have, and those of e-mails, stay as readers expect them", () => {
  for (const locale of ["de-DE", "fr-FR", "el-GR", "ru-RU", "en-GB"]) {
    const [printed, usual] = [makeFormats(place(locale), true), makeFormats(place(locale))];
    assert.equal(printed.date(ms), usual.date(ms));
    assert.equal(printed.money(1234.5), usual.money(1234.5));
  }
  assert.match(makeFormats(place("ar-EG")).number(12), /١٢/);
});
