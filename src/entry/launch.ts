/**
 * Prints the arguments with which the tasks call `deno run`: for the service, or for the named command. Both
 * run from a build, which this program makes when the sources have changed. The service may write only where
 * its settings keep data. The settings are not checked here, because the service checks them. Imports no
 * package, because it runs before every start and without `deno.json`. The first word is the value of
 * `--node-modules-dir=`. If nothing is printed, its empty value is an error; a bare `deno run` would instead
 * run the user's arguments.
 */
import { basename, dirname, isAbsolute, join, normalize, relative } from "node:path";
import { defaultDatabaseUrl, defaultStorageUrl } from "../core/default_places.ts";
import { buildFolder, buildsFolder, exists, type Program, programs } from "./built.ts";
import { openFilesOption } from "./open_files.ts";
import { installOptions } from "./packages.ts";
import { pathOf } from "./places.ts";
import { runtimeFault } from "./runtime.ts";

/** Arguments that make `deno run` end with code 1, used when the service cannot start. */
const refused = "manual --no-config --no-lock data:text/javascript,Deno.exit(1)";

/** Most builds to try while the sources keep changing. */
const mostTries = 3;

/**
 * The service collects the garbage of its start itself. Before that, space for 32 MB of new objects lets the
 * start do without half of the collections, which take a tenth of its time.
 */
export const memoryFlags = "--v8-flags=--expose-gc,--min-semi-space-size=32,--max-semi-space-size=32";

const all = "-A --env-file=.env";

/** The permissions of each command, as options of Deno. */
const rights: Record<Exclude<Program, "deno">, string> = {
  backup: all,
  crm: "--env-file=.env --allow-env --allow-read --allow-write --allow-net",
  jobs: all,
  migrate: all,
  restore: all,
  seed: all,
};

if (import.meta.main) {
  const [command] = Deno.args as [Exclude<Program, "deno">?];
  try {
    console.log(await argumentsOf(command ?? "deno") ?? refused);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.log(refused);
  }
}

/** Returns the arguments, separated by spaces; or prints a line on standard error and returns null. */
async function argumentsOf(program: Program): Promise<string | null> {
  const fault = runtimeFault(Deno.version.deno);
  if (fault !== null) return refuse(fault);
  const options = program === "deno" ? serviceRights(Deno.env.toObject()) : rights[program];
  const file = options === null ? null : await fileOf(program);
  const own = program === "deno" ? openFilesOption() : "";
  return file === null ? null : `manual ${options} ${file} ${own}`;
}

/**
 * Returns the path of the built program, or of its source file when the build fails. Returns null when the
 * packages cannot be installed. Explains both failures on standard error.
 */
async function fileOf(program: Program): Promise<string | null> {
  for (let tries = 0; tries < mostTries; tries++) {
    const file = `${await buildFolder(".")}/${program}.js`;
    if (exists(file) && exists("node_modules")) return file;
    // The name is computed again: the sources may change meanwhile, and installing may change the lock file.
    if (!await succeeds(["install", "-q", ...installOptions(programs.deno)])) {
      return refuse("The packages could not be installed: see above");
    }
    if (!await succeeds(["run", "-q", "-A", "src/cli/build.ts"])) break;
  }
  console.error('Starting from the sources: slower, and in more memory than after "deno task build"');
  return programs[program];
}

/** Runs Deno. Discards its standard output, which would end up among the arguments. */
async function succeeds(args: string[]): Promise<boolean> {
  return (await new Deno.Command(Deno.execPath(), { args, stdout: "null", stderr: "inherit" }).spawn().status)
    .success;
}

/** Returns the permissions of the service as options of Deno; or prints why it cannot, and returns null. */
function serviceRights(env: Record<string, string | undefined>): string | null {
  const written = new Set<string>();
  for (
    const [name, otherwise] of [["DATABASE_URL", defaultDatabaseUrl], ["STORAGE_URL", defaultStorageUrl]]
  ) {
    const url = env[name!] || otherwise!;
    if (!/^file:(?!\/\/[^/])./.test(url)) continue;
    const place = placeOf(url, name === "DATABASE_URL");
    if (place === null) continue;
    if (holdsSources(place)) {
      return refuse(`${name} must name a folder of its own, apart from the sources`);
    }
    // The task's shell splits arguments at white space and expands patterns.
    if (/[\s"'\\$*?[\]{}~`]/.test(place)) {
      return refuse(
        `${name} names ${place}: deno task start accepts no path with spaces or shell characters`,
      );
    }
    written.add(place.replaceAll(",", ",,"));
  }
  const paths = [...written].join(",");
  return [
    `--no-prompt ${memoryFlags} --env-file=.env --allow-net --allow-env`,
    `--allow-read=${paths === "" ? "." : `.,${paths}`}`,
    paths === "" ? "" : `--allow-write=${paths}`,
    "--allow-sys=hostname",
  ].join(" ");
}

/** Returns the folder of the database or of the files; null for an address that the service rejects. */
function placeOf(url: string, isDatabase: boolean): string | null {
  try {
    const path = absolute(pathOf(url));
    return short(isDatabase ? dirname(path) : path);
  } catch {
    return null;
  }
}

/** Returns an absolute path. The `resolve` of Node loads its `process`, which takes 5 ms of each start. */
function absolute(path: string): string {
  return isAbsolute(path) ? normalize(path) : join(Deno.cwd(), path);
}

/** Makes a path below the working folder relative, because that folder's name may contain spaces. */
function short(path: string): string {
  const way = relative(Deno.cwd(), path);
  return isInside(way) ? way || "." : path;
}

/** Reports whether the folder would let the service write to its own code, also through links. */
function holdsSources(folder: string): boolean {
  const place = realPath(absolute(folder));
  return ["src", "drizzle", "node_modules", buildsFolder, ".git"].map((name) => realPath(absolute(name)))
    .some((own) => isBelow(place, own) || isBelow(own, place));
}

/** Returns the path with links resolved in the part that exists. */
function realPath(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), basename(path));
  }
}

function isBelow(path: string, folder: string): boolean {
  return isInside(relative(folder, path));
}

/** Reports whether a relative path stays inside the folder in which it starts. */
function isInside(way: string): boolean {
  return way === "" || (way !== ".." && !way.startsWith("../") && !isAbsolute(way));
}

function refuse(line: string): null {
  console.error(line);
  return null;
}
