/** With `TIMES=true`, tests also check times. The machine must do nothing else meanwhile. */
export const timed = Deno.env.get("TIMES") === "true";
