/** HTML tables → tables of pdfmake, which need a full grid of cells. */
import type { ChildNode, Element } from "domhandler";
import type { Block, Cell, TextStyle } from "../../platform/pdf/pdf.ts";
import { composeStyle, readFill } from "./styles.ts";

/** Further columns are left out. */
const mostColumns = 40;

type Inside = (cell: Element, style: TextStyle) => Block[];

/** `inside` returns the content of a cell. */
export function parseTable(table: Element, style: TextStyle, inside: Inside): Block[] {
  const rows = collectRows(table, composeStyle(table, style));
  const grid = makeGrid(rows, inside);
  if (grid.length === 0 || grid[0]!.length === 0) return [];
  const columns = grid[0]!.length;
  const isWide = /^100%$/.test(table.attribs.width ?? "") ||
    /(?:^|;)\s*width:\s*100%/.test(table.attribs.style ?? "");
  const headerRows = rows.findIndex(({ isHeader }) => !isHeader);
  return [{
    table: {
      body: grid,
      widths: Array.from({ length: columns }, () => isWide ? "*" : "auto"),
      headerRows: headerRows < 0 ? 0 : Math.min(headerRows, 5),
    },
    ...(hasBorder(table) ? {} : { layout: "lightHorizontalLines" }),
  }];
}

function hasBorder({ attribs: { border } }: Element): boolean {
  return border !== undefined && border !== "0";
}

interface HtmlRow {
  readonly cells: readonly Element[];
  readonly style: TextStyle;
  readonly isHeader: boolean;
}

function collectRows(table: Element, style: TextStyle, isHeader = false): HtmlRow[] {
  return (table.children as ChildNode[]).filter((node): node is Element => node.type === "tag").flatMap(
    (node) => {
      const own = composeStyle(node, style);
      if (["thead", "tbody", "tfoot"].includes(node.name)) {
        return collectRows(node, own, node.name === "thead");
      }
      if (node.name !== "tr") return [];
      const cells = (node.children as ChildNode[]).filter((cell): cell is Element =>
        cell.type === "tag" && (cell.name === "td" || cell.name === "th")
      );
      return cells.length > 0 ? [{ cells, style: own, isHeader }] : [];
    },
  );
}

/** Places the cells in a grid, cuts spans that extend beyond the table and fills empty places. */
function makeGrid(rows: readonly HtmlRow[], inside: Inside): Cell[][] {
  const grid: Cell[][] = rows.map(() => []);
  rows.forEach(({ cells, style }, y) => {
    let x = 0;
    for (const cell of cells) {
      while (grid[y]![x] !== undefined) x++;
      if (x >= mostColumns) break;
      const own = composeStyle(cell, style);
      const colSpan = free(grid[y]!, x, Math.min(parseSpan(cell.attribs.colspan), mostColumns - x));
      const rowSpan = Math.min(parseSpan(cell.attribs.rowspan), rows.length - y);
      const fillColor = readFill(cell);
      for (let down = 0; down < rowSpan; down++) {
        for (let right = 0; right < colSpan; right++) grid[y + down]![x + right] = {};
      }
      grid[y]![x] = {
        stack: inside(cell, own),
        ...(colSpan > 1 ? { colSpan } : {}),
        ...(rowSpan > 1 ? { rowSpan } : {}),
        ...(fillColor === undefined ? {} : { fillColor }),
      };
      x += colSpan;
    }
  });
  const columns = Math.max(0, ...grid.map((row) => row.length));
  return grid.map((row) => Array.from({ length: columns }, (_, x) => row[x] ?? { stack: [] }));
}

/** The number of free places from `x` on, up to `most`. */
function free(row: readonly (Cell | undefined)[], x: number, most: number): number {
  let n = 1;
  while (n < most && row[x + n] === undefined) n++;
  return n;
}

function parseSpan(given: string | undefined): number {
  const span = Number(given);
  return Number.isInteger(span) && span > 1 ? span : 1;
}
