/** `TIMES=true` holds times as well, on a machine that does nothing else. */
export const timed = Deno.env.get("TIMES") === "true";
