/** Calculates how many connections fit beside the files that the process itself needs. */
import { closeSync, openSync } from "node:fs";
import { ConfigError } from "../config.ts";
import { usualConnections } from "../db/event_readers.ts";
import { readDeclaredOpenFiles } from "./open_files.ts";

/**
 * Reserved for the database and its threads, stored files, outgoing calls, and connections that arrive
 * together before any can be refused.
 */
const mostReserve = 320;

export interface DescriptorLimits {
  /** Largest number of open connections. */
  readonly maxConnections: number;
  /** Largest number of connections that wait to be accepted. */
  readonly backlog: number;
}

/** Throws ConfigError when the process may not open as many files as the configured connections need. */
export function checkDescriptors(
  { maxConnections }: { readonly maxConnections: number | null },
): DescriptorLimits {
  const wanted = maxConnections ?? usualConnections;
  const openFiles = openFilesUpTo(wanted + mostReserve);
  const reserve = Math.min(mostReserve, Math.floor(openFiles / 2));
  const most = openFiles - reserve;
  if (maxConnections !== null && most < wanted) {
    throw new ConfigError(
      `MAX_CONNECTIONS must be at most ${most}: this process may open ${openFiles} files (ulimit -n)`,
    );
  }
  return { maxConnections: Math.min(wanted, most), backlog: Math.floor(reserve / 4) };
}

/** Returns how many files the process may open, up to `enough`. */
function openFilesUpTo(enough: number): number {
  const limit = readDeclaredOpenFiles() ?? probeLimit(enough);
  return Math.min(limit, enough);
}

/**
 * Finds the limit by opening files until that fails, which takes 50 ms. `Deno.openSync` would take four times
 * as long.
 */
function probeLimit(enough: number): number {
  const opened: number[] = [];
  try {
    while (opened.length < enough) opened.push(openSync(import.meta.filename!, "r"));
    return enough;
  } catch {
    // If not even the first file opens, this user may not read it, and the limit is unknown.
    return opened.length === 0 ? enough : opened.length;
  } finally {
    for (const file of opened) closeSync(file);
  }
}
