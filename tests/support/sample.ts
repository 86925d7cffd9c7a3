/**
 * Proofs that try many things of one kind, such as every operation. `deno task test` tries one of four parts of them,
 * which the commit chooses; `deno task test --all` and single files try all.
 */

/** The variable that names the sample: a whole number. Without it, proofs try all. */
export const sampleVariable = "SAMPLE";

/** As many samples together are the whole. */
export const samplesOfWhole = 4;

/** Whether proofs try all. Only then they can count what they tried. */
export const isWhole: boolean = !Deno.env.get(sampleVariable);

/** Returns the items of the sample, in their order; all of them without one. */
export function takeSample<T>(items: readonly T[]): readonly T[] {
  return pickSample(items, Deno.env.get(sampleVariable) ?? "");
}

/** Returns the items of the sample with the given number; all of them for "". */
export function pickSample<T>(items: readonly T[], sample: string): readonly T[] {
  if (sample === "") return items;
  if (!/^\d{1,15}$/.test(sample)) {
    throw new TypeError(`${sampleVariable} must be a whole number, not "${sample}"`);
  }
  const part = Number(sample) % samplesOfWhole;
  return items.filter((_, index) => index % samplesOfWhole === part);
}
