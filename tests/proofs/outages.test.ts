import { inFolder } from "../support/engines.ts";
import { survive, type Where } from "./outages.ts";

const rounds = Number(Deno.env.get("OUTAGES") ?? 5);
const isLong = rounds > 5;
const times = isLong
  ? { away: 15_000, longest: 60_000, back: 2_000 }
  : { away: 400, longest: 400, back: 150 };

for (const where of ["file", "remote"] satisfies Where[]) {
  const seed = Math.floor(Math.random() * 2 ** 31);
  Deno.test(`${rounds} outages of what the service uses (${where}) end no call with 500 and lose nothing`, () =>
    inFolder(async (folder) => {
      console.log(`seed ${seed}`);
      const { statuses, mails } = await survive(folder, { where, rounds, random: makeRandom(seed), times });
      console.log(`${JSON.stringify(statuses)}, ${mails} mails`);
    }));
}

/** Mulberry32. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = state + 0x6D2B79F5 | 0;
    let mixed = Math.imul(state ^ state >>> 15, 1 | state);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
  };
}
