/**
 * Sheets as XLSX (ECMA-376, Office Open XML), written in slices: the libraries for it write a large sheet in one go,
 * which holds up other calls for a second.
 */
import { strToU8, Zip, ZipDeflate, ZipPassThrough } from "fflate";
import { type CellValue, joinChunks, plainText, type Sheet, type WriteSheet, yieldSlices } from "./sheet.ts";

/** The most characters of a cell. */
const mostCellText = 32_767;

export const writeXlsx: WriteSheet = async (sheet) =>
  joinChunks(await Array.fromAsync(writeXlsxChunks(sheet)));

/**
 * Yields the bytes of a workbook while its rows are read. `name`: of its sheet. `isGuarded`: whether text that looks
 * like a formula gets an apostrophe, as in CSV; a workbook stores it as text either way.
 */
export async function* writeXlsxChunks(
  sheet: Sheet,
  { name = "Report", isGuarded = true } = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, chunk) => {
    failure ??= error;
    if (chunk) chunks.push(Uint8Array.from(chunk));
  });
  const takeChunks = () => {
    if (failure) throw failure;
    const ready = chunks;
    chunks = [];
    return ready;
  };
  // To compress such a small part would take 650 KiB of memory until the next garbage collection.
  for (const [path, text] of Object.entries(writeParts(name))) {
    addEntry(zip, new ZipPassThrough(path)).push(strToU8(declaration + text), true);
  }
  const entry = addEntry(zip, new ZipDeflate("xl/worksheets/sheet1.xml", { level: 6 }));
  for await (const text of writeWorksheet(sheet, isGuarded ? plainText : (value) => value)) {
    entry.push(strToU8(text));
    yield* takeChunks();
  }
  entry.push(new Uint8Array(), true);
  zip.end();
  yield* takeChunks();
}

function addEntry<Entry extends ZipPassThrough | ZipDeflate>(zip: Zip, entry: Entry): Entry {
  zip.add(entry);
  return entry;
}

async function* writeWorksheet(sheet: Sheet, guard: (text: string) => string): AsyncGenerator<string> {
  const lastColumn = Math.max(1, sheet.columns.length);
  yield `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
    `<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
    `<cols><col min="1" max="${lastColumn}" width="24" customWidth="1"/></cols><sheetData>`;
  let number = 0;
  for await (const rows of yieldSlices(sheet)) {
    yield rows.map((row) => {
      number++;
      const cells = row.map((cell, index) => writeCell(cell, nameColumn(index) + number, guard)).join("");
      return `<row r="${number}">${cells}</row>`;
    }).join("");
  }
  yield "</sheetData></worksheet>";
}

/** `A` to `Z`, then `AA`. */
function nameColumn(index: number): string {
  const last = String.fromCharCode(65 + index % 26);
  return index < 26 ? last : nameColumn(Math.floor(index / 26) - 1) + last;
}

function writeCell(value: CellValue, at: string, guard: (text: string) => string): string {
  if (value === null) return "";
  if (typeof value === "number") return `<c r="${at}"><v>${value}</v></c>`;
  const text = escapeCellText(guard(value));
  return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}

/**
 * Escapes text for XML. Characters that XML does not allow become `_xHHHH_`, and text that looks like this
 * escape is escaped, too (22.4.2.4).
 */
function escapeCellText(text: string): string {
  return text.toWellFormed().slice(0, mostCellText).toWellFormed()
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replace(
      /[^\t\n\u0020-\uffff]|[\ufffe\uffff]/g,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`,
    )
    .replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packaged = "http://schemas.openxmlformats.org/package/2006";
const spreadsheet = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** The parts of a workbook with one sheet of this name and no styles. */
const writeParts = (name: string): Readonly<Record<string, string>> => ({
  "[Content_Types].xml": `<Types xmlns="${packaged}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${spreadsheet}.worksheet+xml"/></Types>`,
  "_rels/.rels": `<Relationships xmlns="${packaged}/relationships">` +
    `<Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets>` +
    '<sheet name="' + name + '" sheetId="1" r:id="rId1"/></sheets></workbook>',
  "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${packaged}/relationships">` +
    `<Relationship Id="rId1" Type="${relationships}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
});
