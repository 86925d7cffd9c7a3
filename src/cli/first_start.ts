/** Prints the options with which `deno task dev` and `deno task build` install the packages. */
import { installOptions } from "../entry/packages.ts";

if (import.meta.main) console.log(installOptions("src/cli/dev.ts").join(" "));
