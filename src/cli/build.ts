/**
 * `deno task build`: bundles the sources and packages that a start loads into a few large files. A start from
 * them takes half as long, and the service a quarter less memory, because Deno loads dozens of files instead
 * of a thousand.
 */
import { build, type Plugin } from "esbuild";
import {
  buildsFolder,
  currentLink,
  exists,
  findCurrentBuild,
  isBuildName,
  isWhole,
  locateBuild,
  programs,
} from "../entry/builds.ts";
import { syncPath } from "../entry/write_durably.ts";

/**
 * Packages that the build contains: those that a start loads, and those that share objects with them. The
 * others stay in `node_modules`, and are loaded from there on first use.
 */
export const bundledPackages: readonly string[] = [
  "@asteasolutions/zod-to-openapi",
  "@hono/node-server",
  "@hono/zod-validator",
  "@oslojs/encoding",
  "content-disposition",
  "countries-list",
  "croner",
  "drizzle-orm",
  "hono",
  "ipaddr.js",
  "libphonenumber-js",
  "mustache",
  "oauth4webapi",
  "range-parser",
  "uuidv7",
  "zod",
];

/** Modules that run in a thread of their own; each has the name `…_worker.ts`. */
const threads = ["database/backup", "database/reader", "database/writer", "mail/parser", "pdf/print"]
  .map((name) => `src/platform/${name}_worker.ts`);

/** Number of older builds to keep, of 3 MB each. A service survives this many new ones without a restart. */
const keptBuilds = 20;
/** Milliseconds after which an unfinished build counts as killed. */
const abandoned = 3_600_000;

/** Decides what the build contains, and how its parts find each other. */
const places: Plugin = {
  name: "places",
  setup(bundler) {
    bundler.onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
      if (kind === "entry-point" || importer.includes("/node_modules/")) return;
      return bundledPackages.includes(namePackage(path)) ? undefined : { path, external: true };
    });
    bundler.onLoad({ filter: /\.md$/ }, ({ path }) => ({
      contents: Deno.readTextFileSync(path),
      loader: "text",
    }));
    // In the build, the module of a thread is in the same folder as all others, as JavaScript.
    bundler.onLoad({ filter: /\/src\/platform\/.*\.ts$/ }, ({ path }) => ({
      contents: Deno.readTextFileSync(path).replaceAll(/"\.\/(\w+_worker)\.ts"/g, '"./$1.js"'),
      loader: "ts",
    }));
  },
};

if (import.meta.main) await main();

async function main(): Promise<void> {
  try {
    let folder = await locateBuild(".");
    const isBuilt = isWhole(folder);
    // The sources may change meanwhile.
    for (; !isWhole(folder); folder = await locateBuild(".")) await buildInto(folder);
    linkTo(folder);
    console.log(isBuilt ? `${folder} is up to date` : `Built ${folder}`);
    if (!isBuilt) removeOlder(folder);
  } catch (error) {
    console.error(`The service could not be built: ${error instanceof Error ? error.message : error}`);
    Deno.exit(1);
  }
}

/**
 * Builds in a temporary folder and renames it when all files are on the disk, so that a kill leaves no
 * partial build.
 */
async function buildInto(folder: string): Promise<void> {
  const unfinished = `${buildsFolder}/.${crypto.randomUUID()}`;
  Deno.mkdirSync(unfinished, { recursive: true });
  try {
    await bundle(Object.values(programs), unfinished);
    // The service may run as another user than the build, and the umask of the build may hide new files from
    // others.
    Deno.chmodSync(unfinished, 0o755);
    for (const { name } of Deno.readDirSync(unfinished)) {
      Deno.chmodSync(`${unfinished}/${name}`, 0o644);
      syncPath(`${unfinished}/${name}`);
    }
    syncPath(unfinished);
    replace(folder, unfinished);
    syncPath(buildsFolder);
  } finally {
    if (exists(unfinished)) Deno.removeSync(unfinished, { recursive: true });
  }
}

/** Lets later starts run this build. */
function linkTo(folder: string): void {
  if (findCurrentBuild(".") === folder) return;
  const link = `${buildsFolder}/.${crypto.randomUUID()}`;
  Deno.symlinkSync(folder.slice(buildsFolder.length + 1), link);
  Deno.renameSync(link, currentLink);
  syncPath(buildsFolder);
}

/** Bundles the programs, and the modules of their threads, into a folder. Both are paths from the project. */
export async function bundle(entryPoints: readonly string[], folder: string): Promise<void> {
  await build({
    entryPoints: [...entryPoints, ...threads],
    entryNames: "[name]",
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "esnext",
    // Keeps names and short lines, so that a stack in the log can be read.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    legalComments: "none",
    tsconfigRaw: { compilerOptions: { jsx: "react-jsx", jsxImportSource: "hono/jsx" } },
    logLevel: "silent",
    plugins: [places],
  });
}

/** Returns the name of the package that an import such as `hono/jsx` names. */
function namePackage(path: string): string {
  return path.split("/", path.startsWith("@") ? 2 : 1).join("/");
}

/**
 * Moves a build to its folder, and replaces a damaged one. If two processes build at once, the folder of the
 * first one stays.
 */
function replace(folder: string, by: string): void {
  if (exists(folder) && !isWhole(folder)) Deno.removeSync(folder, { recursive: true });
  try {
    Deno.renameSync(by, folder);
  } catch (error) {
    if (!isWhole(folder)) throw error;
  }
}

/**
 * Removes older builds, but keeps the newest of them: a running process may still load their files. Also
 * removes killed builds.
 */
function removeOlder(current: string): void {
  const builds = [...Deno.readDirSync(buildsFolder)]
    .filter(({ name }) => isBuildName(name) || name.startsWith("."))
    .map(({ name }) => ({
      name,
      path: `${buildsFolder}/${name}`,
      at: readChangeTime(`${buildsFolder}/${name}`),
    }));
  const older = builds.filter(({ name, path }) => isBuildName(name) && path !== current)
    .sort((one, other) => other.at - one.at).slice(keptBuilds);
  const killed = builds.filter(({ name, at }) => name.startsWith(".") && Date.now() - at > abandoned);
  for (const { path } of [...older, ...killed]) {
    try {
      Deno.removeSync(path, { recursive: true });
    } catch {
      // Another process removes it, or it belongs to another user. The next build tries again.
    }
  }
}

/**
 * Returns the time of the last change in epoch milliseconds; the current time if the path no longer exists.
 */
function readChangeTime(path: string): number {
  try {
    return Number(Deno.lstatSync(path).mtime);
  } catch {
    return Date.now();
  }
}
