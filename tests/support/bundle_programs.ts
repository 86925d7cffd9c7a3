/**
 * Bundles the programs of the tests into the given folder, as `deno task build` bundles the service. Each start
 * then takes half the processor time.
 */
import { bundle } from "../../src/cli/build.ts";
import { programs } from "./programs.ts";

await bundle(programs, Deno.args[0]!);
Deno.exit();
