/**
 * The parts of a ZIP of stored entries (APPNOTE.TXT 6.3.10). Each part depends only on the names, times,
 * sizes and checksums of the entries, so that any part of the archive can be made without the contents before
 * it.
 */

export interface ZipEntry {
  readonly name: string;
  readonly lastModified: Date;
  /** Bytes of the content, fewer than 4 GiB. */
  readonly size: number;
  /** The CRC-32 of the content. */
  readonly crc: number;
}

/** The highest values of fields of 16 and of 32 bits. They mean that the ZIP64 record has the value. */
const [most16, most32] = [0xffff, 0xffffffff];
const [plainVersion, version64] = [20, 45];
/** Names are UTF-8. */
const utf8 = 1 << 11;
const encoder = new TextEncoder();

/** Returns the header before the content of an entry. */
export function encodeLocalHeader(entry: ZipEntry): Uint8Array<ArrayBuffer> {
  const name = encoder.encode(entry.name);
  const header = new Uint8Array(30 + name.length);
  const view = new DataView(header.buffer);
  view.setUint32(0, 0x04034b50, true);
  view.setUint16(4, plainVersion, true);
  setCommon(view, 6, entry, name.length);
  header.set(name, 30);
  return header;
}

/** The entry in the directory at the end; `offset`: where its local header begins. */
export function encodeDirectoryEntry(entry: ZipEntry, offset: number): Uint8Array<ArrayBuffer> {
  const name = encoder.encode(entry.name);
  const isFar = offset >= most32;
  const header = new Uint8Array(46 + name.length + (isFar ? 12 : 0));
  const view = new DataView(header.buffer);
  view.setUint32(0, 0x02014b50, true);
  view.setUint16(4, isFar ? version64 : plainVersion, true);
  view.setUint16(6, isFar ? version64 : plainVersion, true);
  setCommon(view, 8, entry, name.length);
  view.setUint16(30, isFar ? 12 : 0, true);
  view.setUint32(42, isFar ? most32 : offset, true);
  header.set(name, 46);
  if (isFar) {
    view.setUint16(46 + name.length, 1, true);
    view.setUint16(48 + name.length, 8, true);
    view.setBigUint64(50 + name.length, BigInt(offset), true);
  }
  return header;
}

/**
 * Returns the records that end the archive. They use ZIP64 when the number of entries, or the size or offset
 * of the directory, needs it.
 */
export function endRecords(
  count: number,
  directory: { size: number; offset: number },
): Uint8Array<ArrayBuffer> {
  const { size, offset } = directory;
  const is64 = count >= most16 || size >= most32 || offset >= most32;
  const records = new Uint8Array((is64 ? 76 : 0) + 22);
  const view = new DataView(records.buffer);
  if (is64) {
    view.setUint32(0, 0x06064b50, true);
    view.setBigUint64(4, 44n, true);
    view.setUint16(12, version64, true);
    view.setUint16(14, version64, true);
    view.setBigUint64(24, BigInt(count), true);
    view.setBigUint64(32, BigInt(count), true);
    view.setBigUint64(40, BigInt(size), true);
    view.setBigUint64(48, BigInt(offset), true);
    view.setUint32(56, 0x07064b50, true);
    view.setBigUint64(64, BigInt(offset + size), true);
    view.setUint32(72, 1, true);
  }
  const end = is64 ? 76 : 0;
  view.setUint32(end, 0x06054b50, true);
  view.setUint16(end + 8, Math.min(count, most16), true);
  view.setUint16(end + 10, Math.min(count, most16), true);
  view.setUint32(end + 12, Math.min(size, most32), true);
  view.setUint32(end + 16, Math.min(offset, most32), true);
  return records;
}

/** The CRC-32 of ISO 3309, as ZIP uses it. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (let index = 0; index < bytes.length; index++) crc = table[(crc ^ bytes[index]!) & 0xff]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc >>> 0;
});

/** The fields that both headers have in the same order. */
function setCommon(
  view: DataView,
  at: number,
  { lastModified, size, crc }: ZipEntry,
  nameBytes: number,
): void {
  view.setUint16(at, utf8, true);
  view.setUint16(at + 2, 0, true);
  view.setUint32(at + 4, dosTime(lastModified), true);
  view.setUint32(at + 8, crc, true);
  view.setUint32(at + 12, size, true);
  view.setUint32(at + 16, size, true);
  view.setUint16(at + 20, nameBytes, true);
}

/** Returns the date and time in the format of MS-DOS, in UTC. The earliest year is 1980. */
function dosTime(at: Date): number {
  const year = Math.max(at.getUTCFullYear(), 1980) - 1980;
  const date = (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return ((date << 16) | time) >>> 0;
}
