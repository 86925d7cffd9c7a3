import assert from "node:assert/strict";
import fc, { anyText } from "../support/properties.ts";
import { SaxesParser } from "saxes";
import { type Chart, mostLines } from "../../src/insight/charts/chart.ts";
import {
  chooseColor,
  chooseDash,
  type Colors,
  composeDarkStyle,
  dark,
  light,
} from "../../src/insight/charts/colors.ts";
import { drawChart } from "../../src/insight/charts/draw.ts";
import { cut, estimateWidth } from "../../src/insight/charts/text.ts";
import { makeTimeLabels } from "../../src/insight/charts/times.ts";
import { makeValueScale, valueText } from "../../src/insight/charts/values.ts";
import { computeBounds, intervals } from "../../src/insight/reports/intervals.ts";
import { place, samples } from "./chart_samples.ts";

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** The elements of a picture. Throws when it is not well-formed XML. */
function parseElements(svg: string): Element[] {
  const [found, open]: [Element[], Element[]] = [[], []];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = {
      name,
      attributes: attributes as Record<string, string>,
      text: "",
    };
    found.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    const inner = open.at(-1);
    if (inner) inner.text += text;
  });
  parser.on("closetag", () => void open.pop());
  parser.write(svg).close();
  return found;
}

const findElements = (svg: string, name: string) =>
  parseElements(svg).filter((element) => element.name === name);
const listTexts = (svg: string) => findElements(svg, "text").map(({ text }) => text);
const describe = (chart: Chart) => findElements(drawChart(chart), "desc")[0]!.text;
const sample = (name: string) => samples[name]!;

Deno.test("a picture is one XML image with a name and words, which runs and loads nothing", () => {
  for (const [name, chart] of Object.entries(samples)) {
    for (const theme of ["auto", "light"] as const) {
      const svg = drawChart(chart, theme);
      const [root, title, desc, ...others] = parseElements(svg);
      assert.deepEqual(
        [root!.name, root!.attributes.role, title!.name, desc!.name],
        ["svg", "img", "title", "desc"],
        name,
      );
      assert.ok(title!.text.length > 0 && desc!.text.length > 0, name);
      const known = new Set(["title", "style", "rect", "line", "path", "circle", "text", "g"]);
      assert.deepEqual(
        others.filter((element) => !known.has(element.name)),
        [],
        name,
      );
      const attributes = parseElements(svg).flatMap((element) => Object.keys(element.attributes));
      assert.deepEqual(
        attributes.filter((attribute) => /^on|href|^id$|^style$/.test(attribute)),
        [],
        name,
      );
      assert.doesNotMatch(
        svg.replaceAll("http://www.w3.org/2000/svg", ""),
        /url\(|@import|NaN|Infinity|undefined/,
        name,
      );
      assert.equal(findElements(svg, "style").length, theme === "auto" ? 1 : 0);
    }
  }
});

Deno.test("names stay text", () => {
  const svg = drawChart(sample("long names"));
  assert.equal(findElements(svg, "script").length, 0);
  const [root] = parseElements(svg);
  const chart: Chart = {
    ...sample("one point"),
    title: `"/><script>x</script>&amp;'`,
  };
  const [, title] = parseElements(drawChart(chart));
  assert.equal(title!.text, chart.title);
  assert.equal(root!.name, "svg");
});

Deno.test("any names and values make a picture", () => {
  const value = fc.oneof(fc.constant(null), fc.double(), fc.integer());
  fc.assert(
    fc.property(
      anyText,
      fc.array(
        fc.record({
          name: anyText,
          values: fc.array(value, { minLength: 12, maxLength: 12 }),
        }),
        {
          maxLength: 8,
        },
      ),
      fc.constantFrom(...(["number", "money", "seconds", "percent"] as const)),
      fc.boolean(),
      (title, series, unit, isTime) => {
        const { start, end, axis } = sample("negative");
        const names = Array.from(
          { length: 12 },
          (_, index) => `${title}${index}`,
        );
        const chart: Chart = {
          title,
          start,
          end,
          place,
          axis: isTime ? axis : { kind: "groups", names },
          panels: [{ unit, series }],
        };
        const svg = drawChart(chart);
        parseElements(svg);
        assert.doesNotMatch(
          svg.replaceAll(/<(title|desc|text)\b[^>]*>[^<]*/g, ""),
          /NaN|Infinity/,
        );
      },
    ),
    { numRuns: 100 },
  );
});

/** The relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

for (const [theme, colors] of Object.entries<Colors>({ light, dark })) {
  Deno.test(`text has a contrast of 4.5 to the ground, marks of 3: ${theme}`, () => {
    for (const color of [colors.text, colors.muted]) {
      assert.ok(contrast(color, colors.ground) >= 4.5, color);
    }
    for (const color of [colors.axis, ...colors.marks]) {
      assert.ok(contrast(color, colors.ground) >= 3, color);
    }
  });
}

Deno.test("every colour of a picture is one of the light theme, and the dark theme has one for each", () => {
  const { marks, ...others } = light;
  const known = new Set(["none", ...Object.values<string>(others), ...marks]);
  const style = composeDarkStyle();
  for (const [name, chart] of Object.entries(samples)) {
    for (const { name: element, attributes } of parseElements(drawChart(chart))) {
      for (const paint of ["fill", "stroke"] as const) {
        const color = attributes[paint];
        if (color === undefined || color === "none") continue;
        assert.ok(known.has(color), `${name}: ${color}`);
        const named = `.${attributes.class}{${paint}:#`;
        assert.ok(style.includes(named), `${name}: ${element} ${named}`);
      }
    }
  }
});

/** Matrices for linear RGB that simulate the sight without one kind of cones (Machado and others, 2009). */
const blindness: Readonly<Record<string, readonly (readonly number[])[]>> = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [
    0.280085,
    0.672501,
    0.047413,
  ], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [
    -0.078411,
    0.930809,
    0.147602,
  ], [0.004733, 0.691367, 0.3039]],
};

/** The colour in CIELAB (D65) as a reader sees it. */
function computeSeenColor(color: string, matrix: readonly (readonly number[])[]): number[] {
  const linear = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const [r, g, b] = matrix.map((row) =>
    Math.max(0, row.reduce((sum, factor, at) => sum + factor * linear[at]!, 0))
  );
  const xyz = [
    (0.4124 * r! + 0.3576 * g! + 0.1805 * b!) / 0.9505,
    0.2126 * r! + 0.7152 * g! + 0.0722 * b!,
    (0.0193 * r! + 0.1192 * g! + 0.9505 * b!) / 1.089,
  ].map((part) => part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116);
  return [
    116 * xyz[1]! - 16,
    500 * (xyz[0]! - xyz[1]!),
    200 * (xyz[1]! - xyz[2]!),
  ];
}

Deno.test("neighbours stay apart for readers who are colour-blind", () => {
  for (const { marks } of [light, dark]) {
    for (const [kind, matrix] of Object.entries(blindness)) {
      marks.slice(1).forEach((color, index) => {
        const [one, other] = [computeSeenColor(marks[index]!, matrix), computeSeenColor(color, matrix)];
        const distance = Math.hypot(
          ...one.map((part, at) => part - other[at]!),
        );
        assert.ok(
          distance >= 10,
          `${kind}: ${marks[index]} and ${color}: ${distance.toFixed(1)}`,
        );
      });
    }
  }
});

Deno.test("lines that share a colour differ in dashes, and so do neighbours", () => {
  const all = Array.from(
    { length: mostLines },
    (_, index) => `${chooseColor(index)} ${chooseDash(index)}`,
  );
  assert.equal(new Set(all).size, mostLines);
  for (let index = 1; index < mostLines; index++) {
    assert.notEqual(chooseDash(index), chooseDash(index - 1));
  }
});

Deno.test("the description gives range, first, last and highest value of each line", () => {
  assert.equal(
    describe(sample("negative")),
    "1 Jan 2025, 00:00 – 1 Jan 2026, 00:00 (Europe/Vienna). Revenue: from -€1,200.25 to €1,200.00; " +
      "first €1,200.00 (January 2025), last €1,100.00 (December 2025), highest €1,200.00 (January 2025).",
  );
  assert.match(
    describe(sample("one point")),
    /Cases closed: 17 \(2025\)\.$/,
  );
  assert.match(
    describe(sample("50 series")),
    / And 38 more series, not drawn\.$/,
  );
});

Deno.test("the description gives the bars", () => {
  assert.match(
    describe(sample("bars")),
    /Value: North €120,000\.00, South €98,000\.50, East -€14,000\.00, \(none\) €310\.00\.$/,
  );
  assert.match(
    describe(sample("many bars")),
    /User 60 282, and 140 more\.$/,
  );
});

Deno.test("the description names the bars that are drawn, and no others", () => {
  const count = 50;
  const values = (from: number) =>
    Array.from({ length: count }, (_, index) => index % 2 === from ? 100 - index : null);
  const chart: Chart = {
    ...sample("many bars"),
    axis: { kind: "groups", names: Array.from({ length: count }, (_, index) => `G${index}.`) },
    panels: [{
      unit: "number",
      series: [{ name: "Even", values: values(0) }, { name: "Odd", values: values(1) }],
    }],
  };
  const inWords = new Set(describe(chart).match(/G\d+\./g));
  const drawn = new Set(listTexts(drawChart(chart)).filter((text) => /^G\d+\.$/.test(text)));
  assert.equal(drawn.size, 30);
  assert.deepEqual(inWords, drawn);
});

Deno.test("a picture without values says so, in words too", () => {
  for (const name of ["empty", "no series"]) {
    assert.ok(
      listTexts(drawChart(sample(name))).includes("No data for this time."),
      name,
    );
    assert.match(describe(sample(name)), /No data for this time\.$/);
  }
});

Deno.test("zeros are values", () => {
  const zeros: Chart = {
    ...sample("negative"),
    panels: [{
      unit: "number",
      series: [{ name: "Cases", values: Array(12).fill(0) }],
    }],
  };
  assert.doesNotMatch(drawChart(zeros), /No data/);
  assert.equal(findElements(drawChart(zeros), "circle").length, 12);
});

Deno.test("a value without neighbours has a dot, so that it is seen", () => {
  const long = sample("1,000 buckets");
  const values: (number | null)[] = Array(1_000).fill(null);
  values[3] = 5;
  values[7] = 6;
  values[8] = 6;
  const svg = drawChart({
    ...long,
    panels: [{ unit: "number", series: [{ name: "Few", values }] }],
  });
  assert.equal(findElements(svg, "circle").length, 1);
  assert.equal(findElements(drawChart(sample("one point")), "circle").length, 1);
});

Deno.test("a line breaks where there is no value", () => {
  const paths = findElements(drawChart(sample("negative")), "path").map((
    { attributes },
  ) => attributes.d!);
  assert.deepEqual(paths.map((d) => d.split("M").length - 1), [2]);
});

Deno.test("of more than 12 lines those with most to show are drawn, and the legend counts the others", () => {
  const svg = drawChart(sample("50 series"));
  assert.equal(findElements(svg, "path").length, mostLines);
  assert.ok(listTexts(svg).includes("and 38 more, not drawn"));
  assert.ok(listTexts(svg).includes("Source 50"));
  assert.ok(!listTexts(svg).includes("Source 1"));
});

Deno.test("a long name is cut with an ellipsis, between letters as readers see them, and whole in a title", () => {
  const svg = drawChart(sample("long names"));
  const titles = findElements(svg, "title").map(({ text }) => text);
  assert.ok(
    titles.includes(
      "Wolfeschlegelsteinhausenbergerdorff Aberdeen-Featherstonehaugh of the Northern Isles",
    ),
  );
  assert.ok(listTexts(svg).some((text) => /^Wolfeschlegel.*…$/.test(text)));
  const family = "👩‍👩‍👧‍👦";
  assert.ok(
    listTexts(svg).some((text) => text.startsWith(family) && text.replaceAll(family, "") === "…"),
  );
  for (const most of [30, 100, 333]) {
    assert.ok(
      estimateWidth(cut("Wolfeschlegelstein".repeat(9), most, 12), 12) <= most,
    );
  }
});

const listTicks = (
  values: number[],
  unit: Parameters<typeof makeValueScale>[1],
  where = place,
) => makeValueScale(values, unit, where, [0, 100]).ticks.map(({ text }) => text);

Deno.test("axes have 0, sensible steps and units by the company's locale", () => {
  assert.deepEqual(listTicks([17], "number"), ["0", "5", "10", "15", "20"]);
  assert.deepEqual(listTicks([-3, 4], "number"), ["-3", "-2", "-1", "0", "1", "2", "3", "4"]);
  assert.deepEqual(listTicks([0.9], "number"), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
  assert.deepEqual(listTicks([1_240_000], "money"), [
    "€0",
    "€200K",
    "€400K",
    "€600K",
    "€800K",
    "€1M",
    "€1.2M",
    "€1.4M",
  ]);
  assert.deepEqual(listTicks([92.5], "percent"), ["0%", "20%", "40%", "60%", "80%", "100%"]);
  assert.deepEqual(listTicks([9_000], "seconds"), [
    "0 secs",
    "30 mins",
    "1 hr",
    "1 hr 30 mins",
    "2 hrs",
    "2 hrs 30 mins",
  ]);
  assert.deepEqual(listTicks([300_000], "seconds"), ["0 secs", "1 day", "2 days", "3 days", "4 days"]);
  assert.deepEqual(listTicks([], "number"), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
  const vienna = { ...place, locale: "de-AT" };
  assert.deepEqual(listTicks([92.5], "percent", vienna).at(-1), "100\u00a0%");
});

Deno.test("ticks of any values differ, rise, and enclose the values", () => {
  fc.assert(fc.property(
    fc.array(fc.double({ noNaN: true, min: -1e20, max: 1e20 }), {
      minLength: 1,
      maxLength: 5,
    }),
    fc.constantFrom(...(["number", "money", "seconds", "percent"] as const)),
    (values, unit) => {
      fc.pre(values.every((value) => value === 0 || Math.abs(value) > 1e-6));
      const { ticks, scale } = makeValueScale(values, unit, place, [0, 100]);
      assert.ok(ticks.length >= 2 && ticks.length <= 13, `${ticks.length}`);
      assert.ok(ticks.some(({ at }) => at === 0));
      for (const value of values) {
        assert.ok(scale(value) >= -1e-6 && scale(value) <= 100 + 1e-6);
      }
      assert.equal(
        new Set(ticks.map(({ text }) => text)).size,
        ticks.length,
        ticks.map(({ text }) => text).join(),
      );
    },
  ));
});

Deno.test("figures are written with their unit", () => {
  const write = (unit: Parameters<typeof valueText>[0], value: number) => valueText(unit, place)(value);
  assert.equal(write("seconds", 3_661), "1 hr 1 min");
  assert.equal(write("seconds", 7_199.9), "2 hrs");
  assert.equal(write("seconds", -90), "-1 min 30 secs");
  assert.equal(write("seconds", 0.25), "0.25 secs");
  assert.equal(write("percent", 81.25), "81.25%");
  assert.equal(write("money", 1234.5), "€1,234.50");
  assert.equal(write("number", 3e18), "3E18");
});

Deno.test("labels of times begin calendar units, and never crowd", () => {
  const zones = ["Europe/Vienna", "America/St_Johns", "UTC", "Asia/Kolkata"];
  fc.assert(fc.property(
    fc.constantFrom(...intervals),
    fc.constantFrom(...zones),
    fc.integer({ min: 1_600_000_000, max: 1_800_000_000 }),
    fc.integer({ min: 1, max: 400 }),
    (interval, timezone, start, count) => {
      const length = {
        year: 366,
        quarter: 92,
        month: 31,
        week: 7,
        day: 1,
        hour: 1 / 24,
        minute: 1 / 1440,
        second: 1 / 86_400,
      };
      const end = start +
        Math.max(1, Math.floor(length[interval] * 86_400 * count));
      const bounds = computeBounds(timezone, interval, start, end, 1_000);
      fc.pre(bounds !== null);
      const labels = makeTimeLabels({ kind: "time", interval, bounds }, {
        ...place,
        timezone,
      }, 12);
      assert.ok(labels.length >= 1 && labels.length <= 12, `${labels.length}`);
      assert.deepEqual(
        labels.map(({ index }) => index),
        [...new Set(labels.map(({ index }) => index))].sort((a, b) => a - b),
      );
      assert.ok(
        labels.every(({ index }) => index >= 0 && index < bounds.length - 1),
      );
    },
  ));
});

Deno.test("months are labelled at quarters when there are many, hours across a change of the clock at midnight", () => {
  const label = (
    interval: "month" | "hour",
    start: string,
    end: string,
    most: number,
  ) => {
    const bounds = computeBounds(
      "Europe/Vienna",
      interval,
      Date.parse(start) / 1000,
      Date.parse(end) / 1000,
      1_000,
    )!;
    return makeTimeLabels({ kind: "time", interval, bounds }, place, most).map((
      { text },
    ) => text);
  };
  assert.deepEqual(
    label("month", "2024-12-31T23:00:00Z", "2025-12-31T23:00:00Z", 4),
    ["Jan 2025", "Apr", "Jul", "Oct"],
  );
  // The day of 23 hours.
  assert.deepEqual(
    label("hour", "2026-03-28T23:00:00Z", "2026-03-30T21:59:59Z", 4),
    ["29 Mar", "12:00", "30 Mar", "12:00"],
  );
});
