/** Collects the lines of parts that are not encoded. */
import type PostalMime from "postal-mime";

const lineFeed = 0x0a;
const firstBytes = 1_024;

/** Collects lines in one buffer that doubles. */
class LineDecoder {
  #bytes = new Uint8Array(firstBytes);
  #length = 0;

  update(line: Uint8Array): void {
    const length = this.#length + line.length + 1;
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(length, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(line, this.#length);
    this.#bytes[length - 1] = lineFeed;
    this.#length = length;
  }

  finalize(): ArrayBuffer {
    return this.#bytes.buffer.slice(0, this.#length);
  }
}

/** Encodings for which the library has decoders that take one chunk for many lines. */
const encoded = /base64|quoted-printable/i;
const eased = new WeakSet<object>();

/**
 * Lets all parsers of the library collect plain lines in a buffer. The library makes a blob of two chunks for each
 * line, which takes half a minute for half a million lines. The overridden method is internal to the library, so a
 * test counts the blobs.
 *
 * Works around: a blob of a million chunks.
 * True for: postal-mime 4.0.0, Deno 2.9.6.
 * Remove when: a mail of half a million lines takes a few seconds without it.
 */
export function easeLines(Parser: typeof PostalMime): void {
  const root: unknown = Reflect.get(new Parser(), "root");
  const node = typeof root === "object" && root !== null ? Reflect.getPrototypeOf(root) : null;
  if (node === null || eased.has(node)) return;
  const setUp: unknown = Reflect.get(node, "setupContentDecoder");
  if (typeof setUp !== "function") throw new Error("The parser of mail has another setupContentDecoder.");
  eased.add(node);
  Reflect.set(node, "setupContentDecoder", function (this: object, encoding: string): void {
    if (encoded.test(encoding)) Reflect.apply(setUp, this, [encoding]);
    else Reflect.set(this, "contentDecoder", new LineDecoder());
  });
}
