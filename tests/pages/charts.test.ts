import assert from "node:assert/strict";
import { dark, light } from "../../src/insight/charts/colors.ts";
import { drawChart } from "../../src/insight/charts/draw.ts";
import type { Place } from "../../src/messages/placeholders/format.ts";
import { place, samples } from "../insight/chart_samples.ts";
import { startApp } from "../support/app.ts";
import { browserTest } from "./chromium.ts";

interface Box {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * A script in the page: returns the texts of each picture and their distances from its left and top edges.
 */
const readBoxes = `[...document.querySelectorAll("svg")].map((svg) => {
  const frame = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll("text")].map((text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    return { text: text.textContent, left: left - frame.left, right: right - frame.left,
      top: top - frame.top, bottom: bottom - frame.top };
  });
  return { width: frame.width, height: frame.height, texts };
})`;

/** A script in the page: returns the colours of texts and backgrounds. */
const readColors = `[...document.querySelectorAll("svg")].map((svg) => ({
  ground: getComputedStyle(svg.querySelector(".ground")).fill,
  texts: [...new Set([...svg.querySelectorAll("text")].map((text) => getComputedStyle(text).fill))],
}))`;

const rgb = (color: string) =>
  `rgb(${[1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)).join(", ")})`;

for (const [colorScheme, colors] of [["light", light], ["dark", dark]] as const) {
  browserTest(`charts follow the theme that the reader prefers: ${colorScheme}`, async (browser) => {
    const page = await browser.newPage({ colorScheme });
    await page.setContent(Object.values(samples).map((chart) => drawChart(chart)).join(""));
    const found = await page.evaluate(readColors) as { ground: string; texts: string[] }[];
    assert.equal(found.length, Object.keys(samples).length);
    for (const { ground, texts } of found) {
      assert.equal(ground, rgb(colors.ground));
      assert.deepEqual(texts.filter((text) => text !== rgb(colors.text) && text !== rgb(colors.muted)), []);
    }
    await page.close();
  });
}

const places: readonly Place[] = [
  place,
  // Languages with long names of months, and currencies with long amounts.
  { locale: "pt-BR", timezone: "America/Sao_Paulo", currency: "BRL" },
  { locale: "vi-VN", timezone: "Asia/Ho_Chi_Minh", currency: "VND" },
  { locale: "ar-EG", timezone: "Africa/Cairo", currency: "EGP" },
];

browserTest("texts of charts stay inside of the picture, and none covers another", async (browser) => {
  const page = await browser.newPage();
  for (const place of places) {
    await page.setContent(Object.values(samples).map((chart) => drawChart({ ...chart, place })).join(""));
    const pictures = await page.evaluate(readBoxes) as { width: number; height: number; texts: Box[] }[];
    Object.keys(samples).forEach((name, index) => {
      const at = `${place.locale}: ${name}`;
      const { width, height, texts } = pictures[index]!;
      const outside = texts.filter(({ left, right, top, bottom }) =>
        left < 0 || right > width || top < 0 || bottom > height
      );
      assert.deepEqual(outside, [], at);
      texts.forEach((one, nth) => {
        const covered = texts.slice(nth + 1).filter((other) =>
          one.left < other.right && other.left < one.right && one.top + 3 < other.bottom &&
          other.top + 3 < one.bottom
        );
        assert.deepEqual(covered.map(({ text }) => text), [], `${at}: ${one.text}`);
      });
    });
  }
  await page.close();
});

browserTest("a chart is an image with a name for readers who do not see it", async (browser) => {
  const page = await browser.newPage();
  await page.setContent(drawChart(samples["negative"]!));
  const image = page.getByRole("img", { name: "Revenue of products, with credit notes", exact: true });
  assert.equal(await image.count(), 1);
  await page.close();
});

browserTest(
  "an address of a chart opens in the reader's theme, by itself and as an image",
  async (browser) => {
    await using app = await startApp();
    const { admin } = await app.company();
    const body = { kind: "metrics", indicators: ["users.total"], group_by: [] };
    const { url } = (await admin.call("POST", "/v1/reports/charts", body)).body;
    const page = await browser.newPage({ colorScheme: "dark" });
    const refused: string[] = [];
    page.on("console", (message) => refused.push(message.text()));
    const response = await page.goto(url);
    assert.equal(response!.status(), 200);
    const ground = `getComputedStyle(document.querySelector(".ground")).fill`;
    assert.equal(await page.evaluate(ground), rgb(dark.ground));
    await page.close();
    assert.deepEqual(refused, []);
    const other = await browser.newPage();
    await other.setContent(`<img src="${url}" alt="Users">`);
    assert.equal(await other.evaluate(`document.querySelector("img").naturalWidth`), 800);
    await other.close();
  },
);
