/** The service as users start it: built, in a process of its own. */
import { builtService, exists } from "../../src/entry/built.ts";
import { PROJECT_ROOT, runCommand } from "./process.ts";

/** The file that Deno runs; an absolute path. */
export const serviceFile = await built();

/** Arguments of Deno that run it as `deno task start` does, with all permissions. */
export const serve: readonly string[] = [
  "run",
  "-q",
  "-A",
  "--node-modules-dir=manual",
  "--v8-flags=--expose-gc",
  serviceFile,
];

/** Builds the service unless that of these sources is there. */
async function built(): Promise<string> {
  const file = PROJECT_ROOT + await builtService(PROJECT_ROOT);
  if (exists(file)) return file;
  const { code, stderr } = await runCommand(["run", "-q", "-A", "src/cli/build.ts"], {});
  if (code !== 0) throw new Error(stderr);
  return file;
}
