/** A clock that tests move, and a log and a mailer that keep what they get. */
import type { Clock } from "../../src/platform/clock.ts";
import { lineLog, type Log } from "../../src/platform/log.ts";
import type { Letter, Mailer } from "../../src/platform/mail/mail.ts";

export interface MovableClock extends Clock {
  set(ms: number): void;
  /** Moves forward, or back if negative. */
  move(ms: number): void;
}

/** A clock that stands still until it is moved. */
export function movableClock(ms: number): MovableClock {
  let present = ms;
  return {
    now: () => present,
    set: (moment) => {
      present = moment;
    },
    move: (by) => {
      present += by;
    },
  };
}

export interface MemoryLog extends Log {
  /** The lines so far, parsed. */
  readonly entries: Record<string, unknown>[];
}

/** A log that keeps its entries in memory, in the form in which they would be written. */
export function memoryLog(): MemoryLog {
  const entries: Record<string, unknown>[] = [];
  const log = lineLog((line) => entries.push(JSON.parse(line)), { level: "info", now: Date.now });
  return { ...log, entries };
}

export interface MemoryMailer extends Mailer {
  readonly sent: Letter[];
}

export function memoryMailer(): MemoryMailer {
  const sent: Letter[] = [];
  return {
    sent,
    send(letter) {
      sent.push(letter);
      return Promise.resolve("sent");
    },
  };
}
