/** Repeatable random numbers: the same seed gives the same numbers on every machine. */

export interface Random {
  /** At least 0 and below 1. */
  fraction(): number;
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number;
  /** True with this percentage. */
  chance(percent: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** A UUID version 7 for a time in epoch milliseconds. */
  uuid(ms: number): string;
}

export function makeRandom(seed: number): Random {
  const next = sfc32(seed);
  const fraction = () => next() / 2 ** 32;
  const below = (limit: number) => Math.floor(fraction() * limit);
  return {
    fraction,
    below,
    chance: (percent) => fraction() * 100 < percent,
    pick: (from) => from[below(from.length)]!,
    uuid(ms) {
      const time = Math.floor(ms).toString(16).padStart(12, "0");
      const [a, b, c] = [next(), next(), next()];
      const rest = hex(b & 0x3fffffff | 0x80000000) + hex(c);
      return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(a).slice(5)}-${rest.slice(0, 4)}-${rest.slice(4)}`;
    },
  };
}

/**
 * Divides a whole number into this many shares, each between zero and about twice the average. The shares add
 * up to the number.
 */
export function deal(random: Random, total: number, shares: number): () => number {
  let [left, places] = [total, shares];
  return () => {
    const average = left / places;
    const wanted = average * 2 * random.fraction();
    const share = places <= 1 ? left : Math.min(left, Math.floor(wanted + random.fraction()));
    left -= share;
    places--;
    return share;
  };
}

/** The generator sfc32 by Chris Doty-Humphrey: whole numbers of 32 bits. */
function sfc32(seed: number): () => number {
  let [a, b, c, counter] = [seed | 0, 0x9e3779b9 | 0, 0x243f6a88 | 0, 1];
  const next = () => {
    const sum = (a + b | 0) + counter | 0;
    counter = counter + 1 | 0;
    a = b ^ b >>> 9;
    b = c + (c << 3) | 0;
    c = (c << 21 | c >>> 11) + sum | 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 12; i++) next();
  return next;
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}
