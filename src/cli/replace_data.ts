/**
 * Replaces the database, the files and the key of a box. A marker file is beside the database from before
 * the first change until everything is in place. While it exists no process opens the database, and another
 * restore continues from the step at which the first one stopped.
 */
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { locateRestoreMarker } from "../entry/places.ts";
import { syncPath, writeDurably } from "../entry/write_durably.ts";

export interface Places {
  readonly database: string;
  /** Absent for a bucket. */
  readonly files?: string;
  /** Absent if the environment has the key. */
  readonly key?: string;
}

export interface Marker {
  /** Part of the names under which the old files are kept. */
  readonly stamp: string;
  /** Paths that existed before the first attempt. */
  readonly taken: readonly string[];
}

/** Returns the marker of an interrupted restore, or null. */
export function readMarker({ database }: Places): Marker | null {
  const path = locateRestoreMarker(database);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
}

/** Writes the marker, so that no process opens the database. `taken`: the paths to keep. */
export function setMarker(places: Places, taken: readonly string[]): Marker {
  const path = locateRestoreMarker(places.database);
  const time = new Date().toISOString().replaceAll(/\D/g, "");
  let stamp = time.slice(0, 14);
  for (
    let n = 2;
    listFilePaths(places).some((each) => existsSync(makeFormerPath(each, places, stamp)));
    n++
  ) {
    stamp = `${time.slice(0, 14)}-${n}`;
  }
  const marker: Marker = { stamp, taken };
  writeDurably(`${path}.incoming`, JSON.stringify(marker));
  renameSync(`${path}.incoming`, path);
  syncPath(dirname(path));
  return marker;
}

export function removeMarker({ database }: Places): void {
  rmSync(locateRestoreMarker(database), { force: true });
  syncPath(dirname(database));
}

/** Returns all files of the places, in the order in which they are moved aside. */
export function listFilePaths({ database, files, key }: Places): string[] {
  // A database that was not closed cleanly has its log in files beside it.
  const paths = [`${database}-wal`, `${database}-shm`, database, files, key];
  return paths.filter((path) => path !== undefined);
}

/** Path of the replacement before it is moved into its place. */
export function makeIncomingPath(path: string): string {
  return `${path}.incoming`;
}

/**
 * Moves the old files aside and the replacements into their places: the key first, the database last. Returns
 * the paths of the old files.
 */
export function replace(places: Places, marker: Marker): string[] {
  for (const path of listFilePaths(places).filter((each) => existsSync(each))) {
    const former = makeFormerPath(path, places, marker.stamp);
    if (marker.taken.includes(path) && !existsSync(former)) renameSync(path, former);
    // An earlier attempt put this file there.
    else rmSync(path, { recursive: true });
    syncPath(dirname(path));
  }
  for (const path of [places.key, places.files, places.database]) {
    if (path === undefined || !existsSync(makeIncomingPath(path))) continue;
    renameSync(makeIncomingPath(path), path);
    syncPath(dirname(path));
  }
  return [places.database, places.files, places.key]
    .filter((path) => path !== undefined)
    .map((path) => makeFormerPath(path, places, marker.stamp))
    .filter((path) => existsSync(path));
}

function makeFormerPath(path: string, { database }: Places, stamp: string): string {
  const ending = path.startsWith(`${database}-`) ? path.slice(database.length) : "";
  return `${path.slice(0, path.length - ending.length)}.before-${stamp}${ending}`;
}
