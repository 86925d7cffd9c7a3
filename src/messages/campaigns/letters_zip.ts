/**
 * Streams the letters of a campaign as one ZIP, whole or in part. Its layout is computed from the rows of the
 * letters, so that a download that ended early, or an invocation that reached its limit, can continue where
 * it stopped.
 */
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { sha256 } from "../../platform/crypto.ts";
import type { Range } from "../../platform/storage/storage.ts";
import { crc32, encodeDirectoryEntry, encodeLocalHeader, endRecords, type ZipEntry } from "./zip.ts";

type Stores = Pick<Deps, "db" | "storage">;

/** Where the parts of the archive are. */
export interface ZipLayout {
  /** Changes with any letter, its name or their order. */
  readonly digest: string;
  readonly count: number;
  /** Where the directory begins, after all contents. */
  readonly directory: { readonly offset: number; readonly size: number };
  /** Bytes of the archive. */
  readonly size: number;
}

interface Letter extends ZipEntry {
  readonly object: string;
}

/** Rows that are read at once. */
const atOnce = 5_000;

/** Reads the letters in bounded pages; returns their layout. */
export async function planZip(stores: Stores, campaignId: string): Promise<ZipLayout> {
  let [count, offset, size] = [0, 0, 0];
  let digest = "";
  for await (const page of readPages(stores, campaignId)) {
    for (const letter of page) {
      count++;
      size += encodeDirectoryEntry(letter, offset).length;
      offset += encodeLocalHeader(letter).length + letter.size;
    }
    digest = updateDigest(digest, page);
  }
  const directory = { offset, size };
  return { digest, count, directory, size: offset + size + endRecords(count, directory).length };
}

/** Streams the bytes of a range, both ends included. Contents before it are not read. */
export function streamZipPart(
  stores: Stores,
  campaignId: string,
  layout: ZipLayout,
  range: Range,
): ReadableStream<Uint8Array> {
  const parts = streamParts(stores, campaignId, layout, range);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await parts.return(undefined);
    },
  }, { highWaterMark: 0 });
}

async function* streamParts(
  stores: Stores,
  campaignId: string,
  layout: ZipLayout,
  { start, end }: Range,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  /** Returns the part of `bytes` that is in the range. `bytes` begin at the offset `at` of the archive. */
  const within = (bytes: Uint8Array) => bytes.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
  const overlaps = (length: number) => at <= end && at + length > start;
  let digest = "";
  for await (const page of readPages(stores, campaignId)) {
    digest = updateDigest(digest, page);
    for (const letter of page) {
      const header = encodeLocalHeader(letter);
      if (overlaps(header.length)) yield within(header);
      at += header.length;
      if (overlaps(letter.size)) yield* streamContent(stores, letter, { start: start - at, end: end - at });
      at += letter.size;
      if (at > end) return;
    }
  }
  if (digest !== layout.digest) throw new Error("the letters changed while they were read");
  let offset = 0;
  for await (const page of readPages(stores, campaignId)) {
    for (const letter of page) {
      const entry = encodeDirectoryEntry(letter, offset);
      if (overlaps(entry.length)) yield within(entry);
      at += entry.length;
      offset += encodeLocalHeader(letter).length + letter.size;
    }
  }
  const records = endRecords(layout.count, layout.directory);
  if (overlaps(records.length)) yield within(records);
}

/** `range` is relative to the content, and can extend beyond both of its ends. */
async function* streamContent(
  { storage }: Stores,
  { object, size }: Letter,
  range: Range,
): AsyncGenerator<Uint8Array> {
  const [start, end] = [Math.max(0, range.start), Math.min(size - 1, range.end)];
  const isWhole = start === 0 && end === size - 1;
  const stored = await storage.get(object, isWhole ? undefined : { start, end });
  if (stored === null) throw new Error("a letter is missing in the storage");
  for await (const chunk of stored.body) yield chunk;
}

async function* readPages({ db, storage }: Stores, campaignId: string): AsyncGenerator<Letter[]> {
  let number = 0;
  for (let after = 0;;) {
    const [found] = await db.read([
      sql`select m.id, m.object, m.letter_size, m.letter_crc, m.sent_at, c.last_name, c.first_name
        from campaign_messages m left join contacts c on c.id = m.contact_id
        where m.campaign_id = ${campaignId} and m.id > ${after} order by m.id limit ${atOnce} + 0`,
    ]);
    const page: Letter[] = [];
    for (const row of found!.rows) {
      after = Number(row.id);
      if (row.object === null) continue;
      const object = String(row.object);
      const measured = row.letter_size === null
        ? await measure(storage, object)
        : { size: Number(row.letter_size), crc: Number(row.letter_crc) };
      if (measured === null) continue;
      page.push({
        object,
        ...measured,
        name: makeLetterName(++number, [row.last_name, row.first_name].filter((name) => name).join(" ")),
        lastModified: new Date(`${String(row.sent_at).replace(" ", "T")}Z`),
      });
    }
    yield page;
    if (found!.rows.length < atOnce) return;
  }
}

/**
 * Reads the size and checksum of a letter that was made before rows had them; null when the letter is
 * missing.
 */
async function measure(
  storage: Stores["storage"],
  object: string,
): Promise<{ size: number; crc: number } | null> {
  const stored = await storage.get(object);
  if (stored === null) return null;
  const bytes = new Uint8Array(await new Response(stored.body).arrayBuffer());
  return { size: bytes.length, crc: crc32(bytes) };
}

function updateDigest(before: string, page: readonly Letter[]): string {
  return sha256(
    before + JSON.stringify(page.map(({ name, size, crc, lastModified }) => [name, size, crc, lastModified])),
  );
}

/** Returns a name such as `0001 Lovelace Ada.pdf`, without characters that a file system refuses. */
export function makeLetterName(number: number, name: string): string {
  const plain = name.replaceAll(/[\p{C}/\\:*?"<>|]+/gu, " ").replaceAll(/\s+/g, " ").trim().slice(0, 100);
  return `${String(number).padStart(4, "0")}${plain === "" ? "" : ` ${plain}`}.pdf`;
}
