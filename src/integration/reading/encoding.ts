/** Finds out how the bytes of a file are to be read as text. */

export const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const;
export type Encoding = (typeof encodings)[number];

const marks: readonly { readonly encoding: Encoding; readonly bytes: readonly number[] }[] = [
  { encoding: "utf-8", bytes: [0xef, 0xbb, 0xbf] },
  { encoding: "utf-16le", bytes: [0xff, 0xfe] },
  { encoding: "utf-16be", bytes: [0xfe, 0xff] },
];

/** How files of other kinds begin: ZIP (xlsx, ods), OLE (xls), gzip, 7z, RAR, PDF. */
const otherKinds: readonly (readonly number[])[] = [
  [0x50, 0x4b, 0x03, 0x04],
  [0x50, 0x4b, 0x05, 0x06],
  [0xd0, 0xcf, 0x11, 0xe0],
  [0x1f, 0x8b],
  [0x37, 0x7a, 0xbc, 0xaf],
  [0x52, 0x61, 0x72, 0x21],
  [0x25, 0x50, 0x44, 0x46],
];

/** Returns whether a file that begins with these bytes is a workbook, an archive or a document. */
export function isOtherKind(head: Uint8Array): boolean {
  return otherKinds.some((bytes) => beginsWith(head, bytes));
}

/**
 * Decides on the encoding of a file by its byte order mark, else UTF-8 if all of its bytes are, else
 * Windows-1252. `add` takes the file in pieces; `encoding` returns the answer for the bytes so far.
 */
export class EncodingJudge {
  readonly #utf8 = new TextDecoder("utf-8", { fatal: true });
  #head = new Uint8Array();
  #isUtf8 = true;

  add(bytes: Uint8Array): void {
    if (this.#head.length < longestMark) {
      const head = new Uint8Array([...this.#head, ...bytes.subarray(0, longestMark)]);
      this.#head = head.slice(0, longestMark);
    }
    if (!this.#isUtf8) return;
    try {
      this.#utf8.decode(bytes, { stream: true });
    } catch {
      this.#isUtf8 = false;
    }
  }

  /** `isWhole`: nothing follows, so that a character that is cut off at the end is a fault of UTF-8. */
  encoding({ isWhole }: { readonly isWhole: boolean }): Encoding {
    const marked = marks.find(({ bytes }) => beginsWith(this.#head, bytes));
    if (marked) return marked.encoding;
    if (isWhole && this.#isUtf8) {
      try {
        this.#utf8.decode();
      } catch {
        this.#isUtf8 = false;
      }
    }
    return this.#isUtf8 ? "utf-8" : "windows-1252";
  }
}

const longestMark = 3;

function beginsWith(bytes: Uint8Array, beginning: readonly number[]): boolean {
  return beginning.every((byte, index) => bytes[index] === byte);
}

/** Returns a stream that decodes bytes to text, without a byte order mark. Faulty characters become U+FFFD. */
export function decoding(encoding: Encoding): TransformStream<Uint8Array, string> {
  const decoder = new TextDecoder(encoding);
  return new TransformStream({
    transform(bytes, controller) {
      const text = decoder.decode(bytes, { stream: true });
      if (text !== "") controller.enqueue(text);
    },
    flush(controller) {
      const text = decoder.decode();
      if (text !== "") controller.enqueue(text);
    },
  });
}
