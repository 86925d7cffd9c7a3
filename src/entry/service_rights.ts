/**
 * The permissions of the service: it may write only where its settings keep data. Imports no package, because
 * the launcher uses it before every start.
 */
import { basename, dirname, isAbsolute, join, normalize, relative } from "node:path";
import { defaultDatabaseUrl, defaultStorageUrl } from "../core/default_places.ts";
import { buildsFolder } from "./builds.ts";
import { toFilePath } from "./places.ts";

/** Why a start cannot be tried: one line for the operator. */
export class LaunchFault extends Error {}

/** Returns the permissions of the service as options of Deno. Throws LaunchFault. */
export function listServiceRights(env: Readonly<Record<string, string | undefined>>): string[] {
  const written = new Set<string>();
  for (
    const [name, otherwise] of [["DATABASE_URL", defaultDatabaseUrl], ["STORAGE_URL", defaultStorageUrl]]
  ) {
    const url = env[name!] || otherwise!;
    if (!/^file:(?!\/\/[^/])./.test(url)) continue;
    const place = findFolder(url, name === "DATABASE_URL");
    if (place === null) continue;
    if (holdsSources(place)) {
      throw new LaunchFault(`${name} must name a folder of its own, apart from the sources`);
    }
    // Deno splits its lists of paths at commas, and knows no way to write one.
    if (place.includes(",")) {
      throw new LaunchFault(`${name} names ${place}: deno task start accepts no path with a comma`);
    }
    written.add(place);
  }
  const paths = [...written].join(",");
  return [
    "--no-prompt",
    "--allow-net",
    "--allow-env",
    `--allow-read=${paths === "" ? "." : `.,${paths}`}`,
    ...(paths === "" ? [] : [`--allow-write=${paths}`]),
    "--allow-sys=hostname",
  ];
}

/** Returns the folder of the database or of the files; null for an address that the service rejects. */
function findFolder(url: string, isDatabase: boolean): string | null {
  try {
    const path = absolute(toFilePath(url));
    return short(isDatabase ? dirname(path) : path);
  } catch {
    return null;
  }
}

/** Returns an absolute path. The `resolve` of Node loads its `process`, which takes 5 ms of each start. */
function absolute(path: string): string {
  return isAbsolute(path) ? normalize(path) : join(Deno.cwd(), path);
}

/** Makes a path below the working folder relative, as the service shows it. */
function short(path: string): string {
  const way = relative(Deno.cwd(), path);
  return isInside(way) ? way || "." : path;
}

/** Reports whether the folder would let the service write to its own code, also through links. */
function holdsSources(folder: string): boolean {
  const place = resolveRealPath(absolute(folder));
  return ["src", "drizzle", "node_modules", buildsFolder, ".git"].map((name) =>
    resolveRealPath(absolute(name))
  )
    .some((own) => isBelow(place, own) || isBelow(own, place));
}

/** Returns the path with links resolved in the part that exists. */
function resolveRealPath(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(resolveRealPath(folder), basename(path));
  }
}

function isBelow(path: string, folder: string): boolean {
  return isInside(relative(folder, path));
}

/** Reports whether a relative path stays inside the folder in which it starts. */
function isInside(way: string): boolean {
  return way === "" || (way !== ".." && !way.startsWith("../") && !isAbsolute(way));
}
