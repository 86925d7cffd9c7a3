/** A clock that tests move, and a log and a mailer that keep what they get. */
import { type Clock, makeWatchedClock } from "../../src/platform/clock.ts";
import { type Log, makeLineLog } from "../../src/platform/log.ts";
import type { Letter, Mailer } from "../../src/platform/mail/mail.ts";

export interface MovableClock extends Clock {
  set(ms: number): void;
  /** Moves forward, or back if negative, as time passes. */
  move(ms: number): void;
  /** Shows a time that is so much later, or earlier if negative, although none has passed. */
  swing(ms: number): void;
}

/** A clock that stands still until it is moved. */
export function movableClock(ms: number): MovableClock {
  let [present, passed] = [ms, 0];
  const watched = makeWatchedClock(() => present, () => passed);
  function move(by: number): void {
    present += by;
    passed += by;
    watched.now();
  }
  return {
    ...watched,
    set: (moment) => move(moment - present),
    move,
    swing: (by) => {
      watched.now();
      present += by;
      watched.now();
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
  const log = makeLineLog((line) => entries.push(JSON.parse(line)), { level: "info", now: Date.now });
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
