/**
 * fast-check with a fixed seed: a test draws the same cases in every run, so that a failure comes from the
 * change. `PROPERTY_SEED` searches elsewhere; with "random", at each run somewhere else, as `deno task
 * test:long` does.
 */
import fc from "fast-check";

const asked = Deno.env.get("PROPERTY_SEED") ?? "20260302";

/** Of each property; undefined: another one each time. */
export const propertySeed = asked === "random" ? undefined : Number(asked);

if (propertySeed !== undefined) fc.configureGlobal({ seed: propertySeed });

export default fc;
