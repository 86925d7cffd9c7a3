/** The content of a scheduled report: the PDF, and the table of the mail. */
import type { Deps } from "../../deps.ts";
import type { Block, Cell } from "../../platform/pdf/pdf.ts";
import { labelIndicator, makeChartOfMetrics } from "../charts/figures.ts";
import { drawChart } from "../charts/draw.ts";
import { valueText } from "../charts/values.ts";
import type { IndicatorDefinition } from "../indicators/catalogue.ts";
import { makeFormats } from "../../messages/placeholders/format.ts";
import type { MetricRow } from "../reports/answers.ts";
import type { Question, ReportCompany } from "../reports/question.ts";

export interface Report {
  readonly name: string;
  readonly company: ReportCompany;
  readonly asked: Omit<Question, "groupBy">;
  readonly totals: readonly MetricRow[];
  readonly users: readonly MetricRow[];
}

/**
 * The most users of a table of the PDF: those with the greatest figures. The data of the report has all
 * users.
 */
const mostUsers = 100;
/** The most pages of the PDF. Names of many lines can exceed them. */
const mostPages = 100;
/** The most columns of figures of a table. */
const columnsAtOnce = 5;

/** Returns the first and the last day as text, such as `5 January 2026 – 11 January 2026`. */
export function periodText({ company, asked }: Report): string {
  const { date } = makeFormats(company, true);
  const [first, last] = [date(asked.start * 1000), date(asked.end * 1000 - 1)];
  return first === last ? first : `${first} – ${last}`;
}

/** Each indicator with its total as text. */
export function composeFiguresTable({ company, asked, totals }: Report): [name: string, value: string][] {
  const values = new Map(totals.map(({ indicator, value }) => [indicator, value]));
  return asked.indicators.map((indicator) => [
    labelIndicator(indicator.name),
    formatValue(indicator, company, values.get(indicator.name) ?? null),
  ]);
}

/** Returns the bytes of the PDF. Throws `TooManyPages`, and `PrinterUnavailable` when it takes too long. */
export async function printPdf(
  { printer }: Pick<Deps, "printer">,
  report: Report,
): Promise<Uint8Array<ArrayBuffer>> {
  const margins = { top: 20, right: 20, bottom: 20, left: 20 };
  const { bytes } = await printer.print({
    title: report.name,
    companyId: report.company.id,
    mostPages,
    margins,
    content: composeContent(report),
  });
  return bytes;
}

function composeContent(report: Report): Block[] {
  const { asked, company, users, name } = report;
  const heading = (text: string): Block => ({
    text: [{ text, bold: true, fontSize: 13 }],
    margin: [0, 14, 0, 6],
  });
  const parts: Block[] = [
    { text: [{ text: name, bold: true, fontSize: 18 }] },
    { text: `${company.name} · ${periodText(report)}`, margin: [0, 2, 0, 0] },
    heading("Totals"),
    table(["Indicator", "Value"], composeFiguresTable(report)),
  ];
  if (users.length === 0) return parts;
  const groupBy = ["user" as const];
  parts.push(heading("By user"));
  for (const indicators of groupByUnit(asked.indicators)) {
    const named = new Set(indicators.map((indicator) => indicator.name));
    const rows = users.filter(({ indicator }) => named.has(indicator));
    if (rows.length === 0) continue;
    const chart = makeChartOfMetrics({ ...asked, indicators, groupBy }, company, rows);
    parts.push({ svg: drawChart(chart, "light"), width: 480, margin: [0, 0, 0, 10] });
  }
  for (let from = 0; from < asked.indicators.length; from += columnsAtOnce) {
    parts.push(composeUsersTable(report, asked.indicators.slice(from, from + columnsAtOnce)));
  }
  return parts;
}

/** Returns the indicators of each chart: of one unit, and at most four. */
function groupByUnit(indicators: readonly IndicatorDefinition[]): IndicatorDefinition[][] {
  const most = 4;
  return [...Map.groupBy(indicators, ({ unit }) => unit).values()].flatMap((same) =>
    Array.from(
      { length: Math.ceil(same.length / most) },
      (_, part) => same.slice(part * most, (part + 1) * most),
    )
  );
}

function composeUsersTable({ company, users }: Report, indicators: readonly IndicatorDefinition[]): Block {
  const byUser = new Map<string, Map<string, number | null>>();
  for (const { indicator, value, group } of users) {
    if (!indicators.some(({ name }) => name === indicator)) continue;
    const name = group.names[0] ?? "(none)";
    const key = `${group.ids[0]} ${name}`;
    const values = byUser.get(key) ?? new Map<string, number | null>();
    byUser.set(key, values.set(indicator, value));
  }
  const rows = [...byUser].slice(0, mostUsers).map(([key, values]) => [
    key.slice(key.indexOf(" ") + 1),
    ...indicators.map((indicator) => formatValue(indicator, company, values.get(indicator.name) ?? null)),
  ]);
  const more = byUser.size - rows.length;
  const body = more > 0 ? [...rows, [`and ${more} more`, ...indicators.map(() => "")]] : rows;
  return table(["User", ...indicators.map(({ name }) => labelIndicator(name))], body);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): Block {
  const cell = (text: string, column: number, bold = false): Cell => ({
    stack: [{ text: [{ text, bold, fontSize: 9 }], alignment: column === 0 ? "left" : "right" }],
    ...(bold && { fillColor: "#eef1f4" }),
  });
  return {
    table: {
      headerRows: 1,
      widths: head.map((_, column) => column === 0 ? "*" : "auto"),
      body: [
        head.map((text, column) => cell(text, column, true)),
        ...rows.map((row) => row.map((text, column) => cell(text, column))),
      ],
    },
    layout: "lightHorizontalLines",
    margin: [0, 0, 0, 10],
  };
}

function formatValue({ unit }: IndicatorDefinition, company: ReportCompany, value: number | null): string {
  return value === null ? "–" : valueText(unit, company)(value);
}
