/**
 * Hashes passwords while serving. A hash takes a core for at least 50 ms and 16 MiB, so few run
 * simultaneously: a flood of sign-ins neither blocks other calls nor fills the memory.
 */
import { hashPassword, verifyPassword } from "./crypto.ts";
import { FairQueue, QueueFull } from "./fair_queue.ts";

/** Too many passwords wait to be hashed. Try again after this many seconds. */
export class PasswordsBusy extends Error {
  readonly seconds = 5;
}

/** `origin`: the caller's address. Both throw `PasswordsBusy`. */
export interface Passwords {
  hash(password: string, origin?: string): Promise<string>;
  /** Takes as long for null (no such user, no password) as for a hash. */
  verify(password: string, stored: string | null, origin?: string): Promise<boolean>;
}

/** Hashes in a process: `atOnce` hashes run on threads beside the event loop, and others wait. */
export function makeQueuedPasswords(
  limits: { readonly atOnce: number; readonly waiting: number },
): Passwords {
  const queue = new FairQueue(limits);
  return passwordsBy(async (origin, task) => {
    try {
      return await queue.run(origin, task);
    } catch (error) {
      throw error instanceof QueueFull ? new PasswordsBusy() : error;
    }
  });
}

/**
 * Hashes in an isolate of Workers, where a hash blocks the isolate and a call may not wait for another one.
 * Starts at most `most` hashes within the window, and half as many from one origin. Refuses the others.
 */
export function makePacedPasswords(
  limits: { readonly most: number; readonly windowMs: number },
  now: () => number,
): Passwords {
  let started: { readonly at: number; readonly origin: string }[] = [];
  return passwordsBy(async (origin, task) => {
    const at = now();
    started = started.filter((each) => each.at > at - limits.windowMs && each.at <= at);
    const own = started.filter((each) => each.origin === origin).length;
    if (started.length >= limits.most || own >= limits.most / 2) throw new PasswordsBusy();
    started.push({ at, origin });
    return await task();
  });
}

type Gate = <T>(origin: string, task: () => Promise<T>) => Promise<T>;

function passwordsBy(gate: Gate): Passwords {
  return {
    hash: (password, origin = "") => gate(origin, () => hashPassword(password)),
    verify: (password, stored, origin = "") => gate(origin, () => verifyPassword(password, stored)),
  };
}
