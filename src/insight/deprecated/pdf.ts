/** The performance report as a PDF. */
import type { Deps } from "../../deps.ts";
import type { Block } from "../../platform/pdf/pdf.ts";
import type { Chart } from "../charts/chart.ts";
import { drawChart } from "../charts/draw.ts";
import { valueText } from "../charts/values.ts";
import type { Reader, ReportCompany } from "../reports/question.ts";
import { findDayEnd, findDayStart } from "./days.ts";
import { computePerformance, type DayValue, type PerformanceFigures } from "./performance.ts";
import type { PerformanceQuery } from "./schema.ts";

const title = "Performance";
/** The most pages. The most days of a report take about 40. */
const mostPages = 100;

/**
 * Returns the bytes of the PDF. `now`: epoch milliseconds. Throws `PrinterUnavailable` when printing takes
 * too long.
 */
export async function printPerformance(
  { printer }: Pick<Deps, "printer">,
  reader: Reader,
  now: number,
  query: PerformanceQuery,
): Promise<Uint8Array<ArrayBuffer>> {
  const figures = await computePerformance(reader, now, query);
  const margins = { top: 20, right: 20, bottom: 20, left: 20 };
  const { bytes } = await printer.print({
    title,
    companyId: reader.company.id,
    mostPages,
    margins,
    content: composeContent(reader.company, figures),
  });
  return bytes;
}

function composeContent(company: ReportCompany, { past, future, days }: PerformanceFigures): Block[] {
  return [
    { text: [{ text: title, bold: true, fontSize: 18 }] },
    { text: `${company.name} · ${days.first} – ${days.last}`, margin: [0, 2, 0, 10] },
    ...composePart("Closed", company, past),
    ...composePart("Expected", company, future),
  ];
}

function composePart(name: string, company: ReportCompany, values: readonly DayValue[]): Block[] {
  if (values.length === 0) return [];
  const unit = company.product_mode === "advanced" ? "money" as const : "number" as const;
  const text = valueText(unit, company);
  const [first, last] = [values[0]!.date, values.at(-1)!.date];
  const bounds = [
    ...values.map(({ date }) => findDayStart(date, company.timezone)),
    findDayEnd(last, company.timezone),
  ];
  const chart: Chart = {
    title: name,
    start: findDayStart(first, company.timezone),
    end: bounds.at(-1)!,
    place: company,
    axis: { kind: "time", interval: "day", bounds },
    panels: [{ unit, series: [{ name, values: values.map(({ value }) => value) }] }],
  };
  const rows = values.filter(({ value }) => value !== 0).map(({ date, value }) => [date, text(value)]);
  return [
    { svg: drawChart(chart, "light"), width: 480, margin: [0, 0, 0, 8] },
    {
      table: {
        headerRows: 1,
        widths: ["*", "auto"],
        body: [["Day", name], ...rows].map((row) => row.map((cell) => ({ stack: [{ text: cell }] }))),
      },
      layout: "lightHorizontalLines",
      margin: [0, 0, 0, 12],
    },
  ];
}
