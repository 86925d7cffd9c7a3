/**
 * Replaces the database, the files and the key of a box by others. A marker stands beside the database from before
 * the first change until all are in place: as long as it is there nothing else opens the database, and a restore
 * that is run again goes on from any step at which one was broken off.
 */
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { restoreMarkerOf } from "../entry/places.ts";
import { syncPath, writeDurably } from "../entry/write_durably.ts";

export interface Places {
  readonly database: string;
  /** None for a bucket. */
  readonly files?: string;
  /** None where the environment has the key. */
  readonly key?: string;
}

export interface Marker {
  /** Part of the names under which the former files are kept. */
  readonly stamp: string;
  /** The paths that held something before the first attempt. */
  readonly taken: readonly string[];
}

/** The marker of a restore that was broken off; null when there is none. */
export function readMarker({ database }: Places): Marker | null {
  const path = restoreMarkerOf(database);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
}

/** Keeps others from opening the database from now on. `taken`: the paths that are to be kept. */
export function setMarker(places: Places, taken: readonly string[]): Marker {
  const path = restoreMarkerOf(places.database);
  const time = new Date().toISOString().replaceAll(/\D/g, "");
  let stamp = time.slice(0, 14);
  for (let n = 2; pathsOf(places).some((each) => existsSync(asideOf(each, places, stamp))); n++) {
    stamp = `${time.slice(0, 14)}-${n}`;
  }
  const marker: Marker = { stamp, taken };
  writeDurably(`${path}.incoming`, JSON.stringify(marker));
  renameSync(`${path}.incoming`, path);
  syncPath(dirname(path));
  return marker;
}

export function removeMarker({ database }: Places): void {
  rmSync(restoreMarkerOf(database), { force: true });
  syncPath(dirname(database));
}

/** Everything that belongs to the places, in the order in which it is put aside. */
export function pathsOf({ database, files, key }: Places): string[] {
  // What a database that was not closed has beside it belongs to it.
  const paths = [`${database}-wal`, `${database}-shm`, database, files, key];
  return paths.filter((path) => path !== undefined);
}

/** The path at which the new one of a place waits. */
export function incomingOf(path: string): string {
  return `${path}.incoming`;
}

/**
 * Puts aside what was there and moves what waits into its place: the key first, the database last. Answers the
 * paths under which the former ones are kept.
 */
export function replace(places: Places, marker: Marker): string[] {
  for (const path of pathsOf(places).filter((each) => existsSync(each))) {
    const aside = asideOf(path, places, marker.stamp);
    if (marker.taken.includes(path) && !existsSync(aside)) renameSync(path, aside);
    // An earlier attempt put it there.
    else rmSync(path, { recursive: true });
    syncPath(dirname(path));
  }
  for (const path of [places.key, places.files, places.database]) {
    if (path === undefined || !existsSync(incomingOf(path))) continue;
    renameSync(incomingOf(path), path);
    syncPath(dirname(path));
  }
  return [places.database, places.files, places.key]
    .filter((path) => path !== undefined)
    .map((path) => asideOf(path, places, marker.stamp))
    .filter((path) => existsSync(path));
}

function asideOf(path: string, { database }: Places, stamp: string): string {
  const ending = path.startsWith(`${database}-`) ? path.slice(database.length) : "";
  return `${path.slice(0, path.length - ending.length)}.before-${stamp}${ending}`;
}
