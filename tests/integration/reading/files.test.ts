/** Files are read as text, and rows are taken from them one by one. */
import assert from "node:assert/strict";
import { findDelimiter } from "../../../src/integration/reading/delimiter.ts";
import { EncodingJudge, isOtherKind } from "../../../src/integration/reading/encoding.ts";
import { guardText, unguardText } from "../../../src/integration/reading/guard.ts";
import {
  longestLine,
  openRows,
  type Reading,
  UnreadableFile,
} from "../../../src/integration/reading/rows.ts";

const csv: Reading = { format: "csv", encoding: "utf-8", delimiter: "," };
const ndjson: Reading = { ...csv, format: "ndjson" };

/** Returns a stream of the bytes, in pieces of the size. */
function streamPieces(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let start = 0;
  return new ReadableStream({
    pull(controller) {
      if (start >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(start, start += size));
    },
  });
}

/** Reads a text or bytes in pieces of one byte, then in one piece, and expects the same rows. */
async function read(file: string | Uint8Array, reading: Reading) {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  const results = [];
  for (const size of [bytes.length > 65_536 ? 4_096 : 1, bytes.length + 1]) {
    const { columns, rows } = await openRows(streamPieces(bytes, size), reading);
    const cells = [];
    for await (const row of rows) cells.push(row.cells);
    results.push({ columns: [...columns], cells });
  }
  assert.deepEqual(results[0], results[1]);
  return results[0]!;
}

function judgeEncoding(bytes: Uint8Array): string {
  const judge = new EncodingJudge();
  for (const byte of bytes) judge.add(Uint8Array.of(byte));
  return judge.encoding({ isWhole: true });
}

Deno.test("csv is read with quotes, every kind of line end, and empty lines left out", async () => {
  const { columns, cells } = await read('a,b\r\n"x, ""y""\n",2\n\n\r3,"4"\r,\r\n5\n6,7,8', csv);
  assert.deepEqual(columns, ["a", "b"]);
  assert.deepEqual(cells, [['x, "y"\n', "2"], ["3", "4"], ["", ""], ["5", undefined], ["6", "7"]]);
});

Deno.test("a header alone has no rows, and quotes inside a cell are part of it", async () => {
  assert.deepEqual(await read("a;b\n", { ...csv, delimiter: ";" }), { columns: ["a", "b"], cells: [] });
  assert.deepEqual((await read('a,b\n5" pipe,say "hi"\n', csv)).cells, [['5" pipe', 'say "hi"']]);
  assert.deepEqual(await read("", csv), { columns: [], cells: [] });
});

Deno.test("a quote that is not closed names the row where it begins", async () => {
  await assert.rejects(
    read('a,b\n1,2\n3,"4\n5,6\n', csv),
    (error) => error instanceof UnreadableFile && error.row === 2 && /quote/.test(error.message),
  );
});

Deno.test("lines of ndjson are objects, and each may bring further columns", async () => {
  const { columns, cells } = await read('{"a":1}\r\n\n{"b":[1,2],"a":null}\n[1]\nnot\n{"c":""}', ndjson);
  assert.deepEqual(columns, ["a", "b", "c"]);
  assert.deepEqual(cells, [[1], [null, [1, 2]], null, null, [undefined, undefined, ""]]);
});

Deno.test("a line of ndjson that is too long is counted, and not kept", async () => {
  const long = `{"a":"${"x".repeat(longestLine)}"}`;
  const { cells } = await read(`{"a":1}\n${long}\n\n${long}\r\n{"a":2}\n${long}`, ndjson);
  assert.deepEqual(cells, [[1], null, null, [2], null]);
});

Deno.test("the encoding is found by its mark, else UTF-8, else Windows-1252", async () => {
  const utf16 = (littleEndian: boolean) => {
    const text = "\ufeffname\nZoë\n";
    const view = new DataView(new ArrayBuffer(text.length * 2));
    [...text].forEach((character, index) => view.setUint16(index * 2, character.charCodeAt(0), littleEndian));
    return new Uint8Array(view.buffer);
  };
  const latin = Uint8Array.from([..."name\nZo\xeb \x80\n"].map((character) => character.charCodeAt(0)));
  const files: [Uint8Array, Reading["encoding"], string][] = [
    [new TextEncoder().encode("\ufeffname\nZoë\n"), "utf-8", "Zoë"],
    [new TextEncoder().encode("name\nZoë\n"), "utf-8", "Zoë"],
    [utf16(true), "utf-16le", "Zoë"],
    [utf16(false), "utf-16be", "Zoë"],
    [latin, "windows-1252", "Zoë €"],
  ];
  for (const [bytes, encoding, name] of files) {
    assert.equal(judgeEncoding(bytes), encoding);
    assert.deepEqual(await read(bytes, { ...csv, encoding }), { columns: ["name"], cells: [[name]] });
  }
  const cut = new TextEncoder().encode("Zoë").slice(0, 3);
  const judge = new EncodingJudge();
  judge.add(cut);
  assert.equal(judge.encoding({ isWhole: false }), "utf-8");
  assert.equal(judge.encoding({ isWhole: true }), "windows-1252");
});

Deno.test("workbooks, archives and documents are known by their first bytes", () => {
  assert.ok(isOtherKind(Uint8Array.of(0x50, 0x4b, 3, 4, 20)));
  assert.ok(isOtherKind(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0)));
  assert.ok(!isOtherKind(new TextEncoder().encode("Primary key;PK\n")));
  assert.ok(!isOtherKind(new Uint8Array()));
});

Deno.test("the delimiter is the one that parts the first lines alike", () => {
  assert.equal(findDelimiter("a,b,c\n1,2,3\n"), ",");
  assert.equal(findDelimiter("name;price\nA;1,50\nB;2,50\n"), ";");
  assert.equal(findDelimiter("a\tb\n1,5\t2\n"), "\t");
  assert.equal(findDelimiter('"a|b"|c\n"1;2;3"|4\n'), "|");
  assert.equal(findDelimiter("name\nAda\n"), ",");
  assert.equal(findDelimiter('"a;b\n;;",c\n"x",y'), ",");
});

Deno.test("what is guarded against spreadsheets is read back as it was", () => {
  const dangerous = [
    "=1+1",
    "+31 6",
    "-1",
    "@a",
    "\tx",
    "\n",
    " \u200b=1",
    "'=1",
    "''+1",
    "#N/A",
    "'#N/A",
    "\u00a0@",
  ];
  for (const text of dangerous) {
    assert.equal(guardText(text), `'${text}`);
    assert.equal(unguardText(guardText(text)), text);
  }
  for (const text of ["", "a=1", "'s Hertogenbosch", "31", "'", "#N/A!", "a\n=", "''"]) {
    assert.equal(guardText(text), text);
    assert.equal(unguardText(text), text);
  }
});
