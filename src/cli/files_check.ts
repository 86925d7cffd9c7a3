/**
 * `deno task crm files check`: compares the storage with the database. Reads both in the order of their keys,
 * so any number of objects takes little memory. The service can run meanwhile: the check looks at each
 * difference again, and ignores objects that are being stored or removed.
 */
import type { Author } from "../db/commit.ts";
import { sql } from "../db/statements.ts";
import type { Deps } from "../deps.ts";
import { pictureFolder } from "../identity/pictures/address.ts";
import { contentFolder } from "../library/content.ts";
import { publishedFolder } from "../library/pictures/serve.ts";
import { letterFolder } from "../messages/campaigns/make_letters.ts";
import { previewFolder } from "../messages/previews/keep.ts";
import { sha256Stream } from "../platform/crypto.ts";
import type { Listed } from "../platform/storage/storage.ts";
import { findKeysWithoutRow, mend, readHolders, restoreRow } from "./file_holders.ts";

/** Folders of keys in which the service stores objects. Other folders in a bucket are not its own. */
const folders = [contentFolder, pictureFolder, publishedFolder, previewFolder, letterFolder];
/** Rows that are read, and differences that are confirmed, at once. */
const atOnce = 1_000;

/**
 * `stray`: an object without a row. `missing`: a row or a record without its object. `damaged`: an object of another
 * size or digest than its row.
 */
export interface Difference {
  readonly fault: "stray" | "missing" | "damaged";
  readonly key: string;
}

type Stored = Pick<Deps, "db" | "storage">;

export interface CheckOptions {
  /** Removes stray objects or restores their rows, and removes the references to missing objects. */
  readonly mends: boolean;
  /** Also compares the digests of the contents of files. */
  readonly digests: boolean;
}

/** Reports each difference as a line. Returns how many remain. */
export async function checkFiles(
  { deps, at }: Pick<Author, "deps" | "at">,
  { mends, digests }: CheckOptions,
  report: (line: string) => void,
): Promise<number> {
  let remaining = 0;
  for await (const found of findDifferences(deps, digests)) {
    const holders = await readHolders(deps, found.map(({ key }) => key));
    for (const difference of found) {
      const held = holders.get(difference.key) ?? [];
      const isMended = mends && await mendDifference(deps, difference, held.length > 0, at);
      if (!isMended) remaining++;
      const named = held.map((holder) => `  ${holder}`).join("");
      report(`${difference.fault}  ${difference.key}${named}${isMended ? "  mended" : ""}`);
    }
  }
  return remaining;
}

/** Yields confirmed differences, each key once. */
async function* findDifferences(deps: Stored, digests: boolean): AsyncGenerator<Difference[]> {
  for (const folder of folders) {
    let suspects: Difference[] = [];
    for await (const suspect of suspectsIn(deps, folder)) {
      suspects.push(suspect);
      if (suspects.length < atOnce) continue;
      yield await confirmDifferences(deps, suspects);
      suspects = [];
    }
    yield await confirmDifferences(deps, suspects);
  }
  for await (const keys of findKeysWithoutRow(deps)) {
    const missing: Difference[] = [];
    for (const key of keys) {
      const stored = await deps.storage.get(key);
      await stored?.body.cancel();
      // An object that exists is stray, which the comparison above reports.
      if (stored === null) missing.push({ fault: "missing", key });
    }
    yield missing;
  }
  if (digests) yield* findChangedContents(deps);
}

/**
 * Compares objects and rows in the order of their keys. Skips rows of objects that are being stored or
 * removed.
 */
async function* suspectsIn(deps: Stored, folder: string): AsyncGenerator<Difference> {
  const objects = yieldObjects((after) => deps.storage.list(folder, after));
  const rows = yieldObjects((after) => readRowsAfter(deps, folder, after));
  let [object, row] = [await objects.next(), await rows.next()];
  while (!object.done || !row.done) {
    const [stored, known] = [object.value, row.value];
    if (!known || (stored && stored.key < known.key)) yield { fault: "stray", key: stored!.key };
    else if (!known.isTaken) { /* being stored or removed */ }
    else if (!stored || known.key < stored.key) {
      yield { fault: "missing", key: known.key };
    } else if (stored.size !== known.size) yield { fault: "damaged", key: known.key };
    const [nextObject, nextRow] = [
      stored && (!known || stored.key <= known.key),
      known && (!stored || known.key <= stored.key),
    ];
    if (nextObject) object = await objects.next();
    if (nextRow) row = await rows.next();
  }
}

async function* yieldObjects<T extends Listed>(
  read: (after: string | null) => Promise<readonly T[]>,
): AsyncGenerator<T, undefined> {
  for (let after: string | null = null;;) {
    const page = await read(after);
    if (page.length === 0) return;
    yield* page;
    after = page.at(-1)!.key;
  }
}

interface Known extends Listed {
  /** Whether a record has the object. */
  readonly isTaken: boolean;
}

async function readRowsAfter({ db }: Stored, folder: string, after: string | null): Promise<Known[]> {
  const [found] = await db.read([
    sql`select key, bytes, removed_from is null as taken from objects
      where key > ${after ?? folder} and key >= ${folder} and key < ${folder.slice(0, -1) + "0"}
      and instr(substr(key, ${folder.length + 1}), '/') = 0 order by key limit ${atOnce}`,
  ]);
  return found!.rows.map(({ key, bytes, taken }) => ({
    key: key as string,
    size: Number(bytes),
    isTaken: taken === 1,
  }));
}

/**
 * Returns the differences that still exist. Both sides were read at different moments, so some are only
 * apparent.
 */
async function confirmDifferences(deps: Stored, suspects: readonly Difference[]): Promise<Difference[]> {
  if (suspects.length === 0) return [];
  const [found] = await deps.db.read([
    sql`select key, bytes, removed_from is null as taken from objects
      where key in (select value from json_each(${JSON.stringify(suspects.map(({ key }) => key))}))`,
  ]);
  const rows = new Map(found!.rows.map((row) => [row.key as string, row]));
  const differences: Difference[] = [];
  for (const suspect of suspects) {
    const row = rows.get(suspect.key);
    if (
      suspect.fault === "stray"
        ? row === undefined
        : row?.taken === 1 && await isWrong(deps, suspect, row.bytes)
    ) {
      differences.push(suspect);
    }
  }
  return differences;
}

async function isWrong({ storage }: Stored, { fault, key }: Difference, bytes: unknown): Promise<boolean> {
  const stored = await storage.get(key);
  await stored?.body.cancel();
  return fault === "missing" ? stored === null : stored !== null && stored.size !== bytes;
}

/** Yields files whose content has another digest than when it arrived. */
async function* findChangedContents({ db, storage }: Stored): AsyncGenerator<Difference[]> {
  for (let after = 0;;) {
    const [found] = await db.read([
      sql`select f.seq, f.object_key, f.digest, f.size from files f where f.seq > ${after} order by f.seq limit ${100}`,
    ]);
    if (found!.rows.length === 0) return;
    for (const { seq, object_key, digest, size } of found!.rows) {
      after = Number(seq);
      const stored = await storage.get(object_key as string);
      // The comparison above reports a missing object, and one of another size.
      if (stored === null || stored.size !== size) {
        await stored?.body.cancel();
        continue;
      }
      const sum = sha256Stream();
      for await (const chunk of stored.body) sum.update(chunk);
      if (sum.digest() !== digest) yield [{ fault: "damaged", key: object_key as string }];
    }
  }
}

/** Mends a difference and returns whether it is gone. Only a backup can mend a damaged object. */
async function mendDifference(
  deps: Stored,
  { fault, key }: Difference,
  isHeld: boolean,
  at: string,
): Promise<boolean> {
  if (fault === "damaged") return false;
  if (fault === "stray" && isHeld) {
    const [restored] = await deps.db.write([restoreRow(key, at)]);
    return restored!.rows.length > 0;
  }
  if (fault === "stray") await deps.storage.remove(key);
  else await deps.db.write(mend(key, at));
  return true;
}
