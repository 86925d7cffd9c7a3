/**
 * The tasks start here: `deno run -A src/entry/launch.ts TASK`. Runs the service, or the command that the first
 * word names, in a process of its own with the permissions that it needs, and ends as that process ends. They
 * run from the build below `dist`. The first start makes it; later ones say when the sources are newer. The
 * settings are not checked here, because the service checks them. Imports no package, because it runs before
 * every start and without `deno.json`.
 */
import { exists, findCurrentBuild, locateBuild, type Program, programs } from "./builds.ts";
import { openFilesOptions } from "./open_files.ts";
import { installOptions } from "./packages.ts";
import { explainRuntimeFault } from "./runtime.ts";
import { LaunchFault, listServiceRights } from "./service_rights.ts";

/** A command that this program starts. */
interface Launch {
  /** Arguments of `deno`. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * The service collects garbage itself when nobody calls. The space for new objects of each thread grows with its need
 * to 16 MB at most: with 32 MB an import, which keeps two threads at work, takes 100 MB more. It begins with 2 MB, and
 * not with 16, because each of up to seven threads of the database, documents and mails has its own. Without a least
 * size V8 makes it so small between calls that what calls have in hand counts as old: lists took up to two thirds more
 * processor time. Older garbage is collected once it has grown to what is in use. V8 alone waits for four times as much,
 * and no call took measurably less processor time: an import of 30,000 rows took up to 90 MB more. At half of what is in
 * use, lists of accounts took a sixth more processor time.
 */
export const memoryFlags =
  "--v8-flags=--expose-gc,--min-semi-space-size=2,--max-semi-space-size=16,--heap-growing-percent=100";

/** The permissions of each command. */
const rights: Record<Exclude<Program, "deno">, readonly string[]> = {
  backup: ["-A"],
  crm: ["--allow-env", "--allow-read", "--allow-write", "--allow-net"],
  jobs: ["-A"],
  migrate: ["-A"],
  restore: ["-A"],
  seed: ["-A"],
};

/** Signals that end a process; this one passes them on. */
const endings = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

let running: Deno.ChildProcess | null = null;
let isEnding = false;

if (import.meta.main) {
  // A signal may also come while packages are installed.
  for (const signal of endings) Deno.addSignalListener(signal, () => passOn(signal));
  const [task = "start", ...args] = Deno.args;
  try {
    const fault = explainRuntimeFault(Deno.version.deno);
    if (fault !== null) throw new LaunchFault(fault);
    const launch = await planLaunch(task);
    Deno.exit(await run([...launch.args, ...args], launch.env));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    Deno.exit(1);
  }
}

async function planLaunch(task: string): Promise<Launch> {
  switch (task) {
    case "start":
      return { args: await readServiceArgs() };
    case "build":
      await install("src/cli/dev.ts");
      return { args: ["run", "-q", "-A", "src/cli/build.ts"] };
    case "dev":
      await install("src/cli/dev.ts");
      return {
        // It runs the sources: a build takes twice as long as the slower start from them.
        args: ["run", "-q", "-A", "--env-file=.env", "--watch", "--no-clear-screen", "src/cli/dev.ts"],
        env: { WEBHOOK_ALLOW_PRIVATE: "true" },
      };
  }
  if (!isCommand(task)) throw new LaunchFault(`${task} is no task`);
  return { args: fromBuild(rights[task], await findProgram(task)) };
}

async function readServiceArgs(): Promise<string[]> {
  const options = [...listServiceRights(Deno.env.toObject()), memoryFlags];
  return fromBuild(options, await findProgram("deno"), openFilesOptions());
}

function isCommand(task: string): task is keyof typeof rights {
  return Object.hasOwn(rights, task);
}

/** Returns the arguments that run a built file with these permissions. */
function fromBuild(options: readonly string[], file: string, args: readonly string[] = []): string[] {
  return ["run", "-q", "--node-modules-dir=manual", ...options, file, ...args];
}

/**
 * Returns the path of the built program, or of its source file when the build fails. Makes the build when there
 * is none, and says so when the sources have changed since. Throws LaunchFault.
 */
async function findProgram(program: Program): Promise<string> {
  const upToDate = await locateBuild(".");
  const built = findBuiltFile(program);
  if (built !== null && exists("node_modules")) {
    if (!built.startsWith(`${upToDate}/`)) {
      console.error('The sources are newer than the build: "deno task build" makes a new one');
    }
    return built;
  }
  await install(programs.deno);
  if (await run(["run", "-q", "-A", "src/cli/build.ts"], {}, "null") === 0) {
    const file = findBuiltFile(program);
    if (file !== null) return file;
  }
  console.error('Starting from the sources: slower, and in more memory than after "deno task build"');
  return programs[program];
}

/** Returns the path of a program in the current build, or null. */
function findBuiltFile(program: Program): string | null {
  const file = `${findCurrentBuild(".")}/${program}.js`;
  return exists(file) ? file : null;
}

/** Installs missing packages; `entry` is a module that uses most of them. Throws LaunchFault. */
async function install(entry: string): Promise<void> {
  if (await run(["install", "-q", ...installOptions(entry)], {}, "null") === 0) return;
  throw new LaunchFault("The packages could not be installed: see above");
}

/**
 * Runs Deno to its end and returns its code. Without output it leaves the input to a later program, too. Nothing
 * else runs after a signal to end.
 */
async function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  stdout: "inherit" | "null" = "inherit",
): Promise<number> {
  running = new Deno.Command(Deno.execPath(), {
    args: [...args],
    env,
    stdin: stdout,
    stdout,
    stderr: "inherit",
  }).spawn();
  const { code } = await running.status;
  running = null;
  if (isEnding) Deno.exit(code);
  return code;
}

function passOn(signal: typeof endings[number]): void {
  isEnding = true;
  if (running === null) Deno.exit(1);
  try {
    running.kill(signal);
  } catch {
    // It has just ended.
  }
}
