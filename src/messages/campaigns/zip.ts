/** A ZIP of any number of entries, as a stream. */
import { makeZip } from "client-zip";

export interface ZipEntry {
  readonly name: string;
  readonly lastModified: Date;
  readonly input: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

/** Bytes of the record that ends a ZIP. */
const endBytes = 22;
/** The highest values of fields of 16 and of 32 bits, which mean that ZIP64 has the value. */
const [most16, most32] = [0xffff, 0xffffffff];

/** With ZIP64 where the number of entries or the size needs it. */
export function zipStream(entries: AsyncIterable<ZipEntry>): ReadableStream<Uint8Array> {
  let count = 0;
  async function* counted() {
    for await (const entry of entries) {
      count++;
      yield entry;
    }
  }
  let held = new Uint8Array();
  return makeZip(counted(), { buffersAreUTF8: true }).pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const all = new Uint8Array(held.length + chunk.length);
        all.set(held);
        all.set(chunk, held.length);
        const end = Math.max(0, all.length - endBytes);
        if (end > 0) controller.enqueue(all.subarray(0, end));
        held = all.slice(end);
      },
      flush(controller) {
        const more = endOf64(held, count);
        if (more) controller.enqueue(more);
        controller.enqueue(held);
      },
    }),
  );
}

/**
 * The records of ZIP64 before the end record (section 4.3.14 of the ZIP specification), which the library writes for
 * large sizes, but not for many entries; null where they are not needed.
 */
function endOf64(end: Uint8Array, count: number): Uint8Array | null {
  const view = new DataView(end.buffer, end.byteOffset, end.length);
  const [size, offset] = [view.getUint32(12, true), view.getUint32(16, true)];
  if (count <= most16 || size === most32 || offset === most32) return null;
  const made = new DataView(new ArrayBuffer(76));
  made.setUint32(0, 0x06064b50, true);
  made.setBigUint64(4, 44n, true);
  made.setUint16(12, 45, true);
  made.setUint16(14, 45, true);
  made.setBigUint64(24, BigInt(count), true);
  made.setBigUint64(32, BigInt(count), true);
  made.setBigUint64(40, BigInt(size), true);
  made.setBigUint64(48, BigInt(offset), true);
  made.setUint32(56, 0x07064b50, true);
  made.setBigUint64(64, BigInt(offset + size), true);
  made.setUint32(72, 1, true);
  return new Uint8Array(made.buffer);
}
