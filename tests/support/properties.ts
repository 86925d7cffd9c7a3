/**
 * fast-check with a fixed seed: a test draws the same cases in every run, so that a failure comes from the
 * change. `PROPERTY_SEED` sets another seed. With "random", each run draws other cases, as in `deno task
 * test:long`.
 */
import fc from "fast-check";

const asked = Deno.env.get("PROPERTY_SEED") ?? "20260302";

/** The seed of each property. Undefined if each run draws another one. */
export const propertySeed = asked === "random" ? undefined : Number(asked);

if (propertySeed !== undefined) fc.configureGlobal({ seed: propertySeed });

/**
 * Returns parameters that give a property its own cases by the name of what it is about. Properties in a loop
 * would otherwise all draw the same few.
 */
export function seedCases(name: string): { readonly seed?: number } {
  if (propertySeed === undefined) return {};
  let seed = propertySeed;
  for (const char of name) seed = Math.imul(seed, 31) + char.charCodeAt(0) | 0;
  return { seed };
}

/** Any code point, with halves of surrogate pairs. */
const codePoint = fc.integer({ min: 0, max: 0x10ffff }).map(
  (code) => String.fromCodePoint(code),
  (text) => {
    const code = typeof text === "string" ? text.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== text) throw new TypeError("not one code point");
    return code;
  },
);

/**
 * Any text. The unit "binary" of fast-check has the same texts, and spends a second on a table of code
 * points.
 */
export const anyText = fc.string({ unit: codePoint });

export default fc;
