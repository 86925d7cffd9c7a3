/**
 * Prints the arguments with which the tasks call `deno run`: for the service, or for the command that is named. Both
 * run from a build, which this makes when the sources have changed. The service may write only where its
 * settings keep data; the settings are read here without checking them, as the service checks them. Imports no
 * package, because it runs before every start and without `deno.json`. The first word is the value of
 * `--node-modules-dir=`, which is an error when this prints nothing: a bare `deno run` would run the user's arguments.
 */
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { defaultDatabaseUrl, defaultStorageUrl } from "../core/default_places.ts";
import { buildFolder, buildsFolder, exists, type Program, programs } from "./built.ts";
import { installOptions } from "./packages.ts";
import { pathOf } from "./places.ts";
import { runtimeFault } from "./runtime.ts";

/** Arguments that make `deno run` end with code 1, used when the service cannot start. */
const refused = "manual --no-config --no-lock data:text/javascript,Deno.exit(1)";

/** Builds before it gives up, while the sources keep changing. */
const mostTries = 3;

const all = "-A --env-file=.env";

/** What each command may do, as options of Deno. */
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

/** Returns the arguments, separated by spaces; null after a line on standard error. */
async function argumentsOf(program: Program): Promise<string | null> {
  const fault = runtimeFault(Deno.version.deno);
  if (fault !== null) return refuse(fault);
  const options = program === "deno" ? serviceRights(Deno.env.toObject()) : rights[program];
  const file = options === null ? null : await fileOf(program);
  return file === null ? null : `manual ${options} ${file}`;
}

/**
 * Returns the path of the built program; that of its sources where it cannot be built, and null where the packages
 * cannot be installed, after lines on standard error.
 */
async function fileOf(program: Program): Promise<string | null> {
  for (let tries = 0; tries < mostTries; tries++) {
    const file = `${await buildFolder(".")}/${program}.js`;
    if (exists(file) && exists("node_modules")) return file;
    // The sources may change meanwhile, and the lock file when packages are installed.
    if (!await succeeds(["install", "-q", ...installOptions(programs.deno)])) {
      return refuse("The packages could not be installed: see above");
    }
    if (!await succeeds(["run", "-q", "-A", "src/cli/build.ts"])) break;
  }
  console.error('Starting from the sources: slower, and in more memory than after "deno task build"');
  return programs[program];
}

/** What the command prints on standard output is not wanted among the arguments. */
async function succeeds(args: string[]): Promise<boolean> {
  return (await new Deno.Command(Deno.execPath(), { args, stdout: "null", stderr: "inherit" }).spawn().status)
    .success;
}

/** Returns what the service may do, as options of Deno; null after a line on standard error. */
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
    "--no-prompt --v8-flags=--expose-gc --env-file=.env --allow-net --allow-env",
    `--allow-read=${paths === "" ? "." : `.,${paths}`}`,
    paths === "" ? "" : `--allow-write=${paths}`,
    "--allow-sys=hostname",
  ].join(" ");
}

/** Returns the folder of the database or of the files; null for an address that the service rejects. */
function placeOf(url: string, isDatabase: boolean): string | null {
  try {
    const path = resolve(pathOf(url));
    return short(isDatabase ? dirname(path) : path);
  } catch {
    return null;
  }
}

/** Returns a relative path below the working folder, whose name may contain spaces. */
function short(path: string): string {
  return isBelow(path, ".") ? relative(".", path) || "." : path;
}

/** Reports whether the service could write to what it runs, also through links. */
function holdsSources(folder: string): boolean {
  const place = realPath(resolve(folder));
  return ["src", "drizzle", "node_modules", buildsFolder, ".git"].map((name) => realPath(resolve(name)))
    .some((own) => isBelow(place, own) || isBelow(own, place));
}

/** The part of the path that exists, without links, and the rest. */
function realPath(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), basename(path));
  }
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith("../") && !isAbsolute(way));
}

function refuse(line: string): null {
  console.error(line);
  return null;
}
