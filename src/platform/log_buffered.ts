/**
 * The log of a box. Writes errors immediately, and so the first line after a pause, such as `listening`;
 * lines that follow within 50 ms are written together.
 */

import { writeSync } from "node:fs";
import { type Log, makeLineLog } from "./log.ts";

const flushAfterMs = 50;
const flushAtCharacters = 64 * 1024;
const stdoutDescriptor = 1;

export interface BufferedLog extends Log {
  /** Writes the gathered lines. Call it before the process ends. */
  flush(): void;
}

/** A log to a file descriptor, by default standard output. Keeps the order of lines. */
export function openBufferedLog(
  { level, now, descriptor = stdoutDescriptor }: {
    level: "info" | "error" | "off";
    now: () => number;
    descriptor?: number;
  },
): BufferedLog {
  let gathered = "";
  // Set while lines are gathered.
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    const text = gathered;
    gathered = "";
    if (text !== "") writeAll(descriptor, text);
  };
  const gather = () => {
    timer = setTimeout(() => {
      timer = undefined;
      if (gathered === "") return;
      write();
      gather();
    }, flushAfterMs);
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    write();
  };
  for (const end of ["unload", "error", "unhandledrejection"]) globalThis.addEventListener(end, flush);
  const log = makeLineLog((line, urgent) => {
    gathered += line;
    if (urgent || timer === undefined || gathered.length >= flushAtCharacters) write();
    if (timer === undefined) gather();
  }, { level, now });
  return { ...log, flush };
}

function writeAll(descriptor: number, text: string): void {
  let rest = encoder.encode(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
  } catch {
    // The reader of the log is gone; the service continues.
  }
}

const encoder = new TextEncoder();
