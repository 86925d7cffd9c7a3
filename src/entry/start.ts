/**
 * Prints the arguments with which `deno task start` runs Deno: the service may write only where its settings
 * keep data. Installs and builds the service when its sources have changed. Reads the settings without checking
 * them; the service checks them. Imports no package, because it runs before every start and without `deno.json`.
 */
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { defaultDatabaseUrl, defaultStorageUrl } from "../core/default_places.ts";
import { buildsFolder, builtService, exists } from "./built.ts";
import { pathOf } from "./places.ts";
import { runtimeFault } from "./runtime.ts";

/** Arguments that make `deno` end with code 1, used when the service cannot start. */
const refused = "eval --no-config --no-lock Deno.exit(1)";

if (import.meta.main) {
  const options = optionsOf(Deno.env.toObject(), Deno.version.deno);
  const entry = options === null ? null : await entryOf();
  console.log(entry === null ? refused : `run ${options} ${entry}`);
}

/**
 * Returns the path of the built service; that of the sources where it cannot be built, and null where its packages
 * cannot be installed, after lines on standard error.
 */
async function entryOf(): Promise<string | null> {
  const service = await builtService(".");
  const installed = exists("node_modules");
  if (exists(service) && installed) return service;
  const [sources, build] = ["src/entry/deno.ts", "src/cli/build.ts"];
  if (!installed) console.error("Fetching packages; this happens once …");
  // With an entry, Deno fetches what the lock file names without the history of each package.
  if (!await succeeds(["install", "-q", ...(installed ? [] : ["--entrypoint", sources])])) return null;
  if (await succeeds(["run", "-q", "-A", build])) return service;
  console.error('Starting from the sources: slower, and in more memory than after "deno task build"');
  return sources;
}

/** What the command prints on standard output is not wanted among the arguments. */
async function succeeds(args: string[]): Promise<boolean> {
  return (await new Deno.Command(Deno.execPath(), { args, stdout: "null", stderr: "inherit" }).spawn().status)
    .success;
}

/** Returns the options for Deno, separated by spaces; null after a line on standard error. */
function optionsOf(env: Record<string, string | undefined>, version: string): string | null {
  const fault = runtimeFault(version);
  if (fault !== null) return refuse(fault);
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
    "-q --no-prompt --node-modules-dir=manual --v8-flags=--expose-gc --env-file=.env --allow-net --allow-env",
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
  const below = relative(".", path);
  return below === "" ? "." : below.startsWith("..") || isAbsolute(below) ? path : below;
}

/** Reports whether the service could write to what it runs. */
function holdsSources(folder: string): boolean {
  return !relative(folder, "src").startsWith("..") || !relative(folder, buildsFolder).startsWith("..") ||
    !relative(buildsFolder, folder).startsWith("..");
}

function refuse(line: string): null {
  console.error(line);
  return null;
}
