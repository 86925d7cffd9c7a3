/** The service and its commands as users start them: the built files, each in its own process. */
import { exists, findCurrentBuild, locateBuild, type Program } from "../../src/entry/builds.ts";
import { memoryFlags } from "../../src/entry/launch.ts";
import { projectRoot, runCommand } from "./process.ts";

const folder = await built();

/** The file of the service that Deno runs; an absolute path. */
export const serviceFile = `${folder}/deno.js`;

const run = ["run", "-q", "-A", "--node-modules-dir=manual"] as const;

/** Arguments of Deno that run the service as `deno task start` does, with all permissions. */
export const serve: readonly string[] = [...run, memoryFlags, serviceFile];

/** Arguments of Deno that run a command as its task does, with all permissions. */
export function commandArguments(name: Program, ...args: readonly string[]): string[] {
  return [...run, `${folder}/${name}.js`, ...args];
}

/** Builds the service, unless the tasks run a build of these sources already. Returns the folder. */
async function built(): Promise<string> {
  const name = await locateBuild(projectRoot);
  const folder = projectRoot + name;
  if (exists(folder) && findCurrentBuild(projectRoot) === name) return folder;
  const { code, stderr } = await runCommand(["run", "-q", "-A", "src/cli/build.ts"], {});
  if (code !== 0) throw new Error(stderr);
  return folder;
}
