/**
 * Prints the arguments with which `deno task start` runs Deno: the service may write only where its settings
 * keep data. Reads the settings without checking them, since the service does that and reports what is wrong.
 * Imports no package: it runs before every start, without `deno.json`.
 */
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { defaultDatabaseUrl, defaultStorageUrl } from "../core/default_places.ts";
import { pathOf } from "./places.ts";
import { runtimeFault } from "./runtime.ts";

/** What `deno` is given where the service cannot be started: it ends with code 1. */
const refused = "eval --no-config --no-lock Deno.exit(1)";

if (import.meta.main) console.log(argumentsOf(Deno.env.toObject(), Deno.version.deno) ?? refused);

/** The arguments, separated by spaces; null after a line on standard error. */
function argumentsOf(env: Record<string, string | undefined>, version: string): string | null {
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
      return refuse(`${name} must name a place in a folder of its own, apart from the sources`);
    }
    // The task's shell separates arguments at white space, and expands patterns.
    if (/[\s"'\\$*?[\]{}~`]/.test(place)) {
      return refuse(`${name} names ${place}: deno task start takes no path with spaces or signs of a shell`);
    }
    written.add(place.replaceAll(",", ",,"));
  }
  const paths = [...written].join(",");
  return [
    "run -q --no-prompt --node-modules-dir=manual --env-file=.env --allow-net --allow-env",
    `--allow-read=${paths === "" ? "." : `.,${paths}`}`,
    paths === "" ? "" : `--allow-write=${paths}`,
    "--allow-sys=hostname src/entry/deno.ts",
  ].join(" ");
}

/** The folder of the database, or of the files; null for an address that the service refuses. */
function placeOf(url: string, isDatabase: boolean): string | null {
  try {
    const path = resolve(pathOf(url));
    return short(isDatabase ? dirname(path) : path);
  } catch {
    return null;
  }
}

/** Relative where it lies below the working folder, which may have spaces in its name. */
function short(path: string): string {
  const below = relative(".", path);
  return below === "" ? "." : below.startsWith("..") || isAbsolute(below) ? path : below;
}

/** Whether the service could then write to its own sources. */
function holdsSources(folder: string): boolean {
  return !relative(folder, "src").startsWith("..");
}

function refuse(line: string): null {
  console.error(line);
  return null;
}
