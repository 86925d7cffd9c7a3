/**
 * Searches the chunks of a form faster and frees them at once, because they belong to the reader.
 *
 * Works around: `indexOf` of bytes takes over half the time of an upload, and the garbage collector lets 64 MiB of
 * read chunks pile up.
 * True for: Deno 2.9.6, @fastify/busboy 3.2.6.
 * Remove when: an upload without this file takes as long, and as little memory.
 */

/** Bytes. The parser copies the end of a chunk that may begin a delimiter: less than a whole delimiter. */
const shortestDelimiter = "\r\n--x".length;

export class OwnChunks {
  readonly #buffers = new WeakSet<ArrayBufferLike>();
  #search: Search | null = null;

  /** Adds a chunk before it goes to the parser. */
  add(chunk: Uint8Array): void {
    // A chunk that is a part of a buffer may share it with others.
    if (chunk.byteLength === chunk.buffer.byteLength) this.#buffers.add(chunk.buffer);
    // Deno's `indexOf` takes over half the time of an upload. The parser always seeks the same delimiter.
    const findBytes = (sought: Uint8Array, from: number): number => {
      if (this.#search?.sought !== sought) this.#search = new Search(sought);
      return this.#search.in(chunk, from);
    };
    Object.defineProperty(chunk, "indexOf", { value: findBytes });
  }

  /**
   * Passes bytes on and frees their chunk as soon as they are read, because the garbage collector would let
   * 64 MiB pile up. Leaves chunks with the beginning or the end of a file to the garbage collector.
   */
  async *freeing(views: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const view of views) {
      yield view;
      const { buffer, byteOffset, byteLength } = view;
      const isWhole = byteOffset === 0 && buffer.byteLength - byteLength < shortestDelimiter;
      if (isWhole && buffer instanceof ArrayBuffer && this.#buffers.has(buffer)) buffer.transfer(0);
    }
  }
}

/** Finds bytes with the Boyer-Moore-Horspool algorithm, which skips most of the searched bytes. */
class Search {
  /** By byte: the distance from its last occurrence before the last sought byte to that last byte. */
  readonly #skips: Uint16Array;

  constructor(readonly sought: Uint8Array) {
    this.#skips = new Uint16Array(256).fill(sought.length);
    for (let at = 0; at < sought.length - 1; at++) this.#skips[sought[at]!] = sought.length - 1 - at;
  }

  in(bytes: Uint8Array, from: number): number {
    const { sought } = this;
    const skips = this.#skips;
    const end = sought.length - 1;
    for (let at = from; at + end < bytes.length; at += skips[bytes[at + end]!]!) {
      let place = end;
      while (place >= 0 && bytes[at + place] === sought[place]) place--;
      if (place < 0) return at;
    }
    return -1;
  }
}
