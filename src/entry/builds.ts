/**
 * Finds the build of the service and its commands: a folder below `dist` with `deno.js`, `crm.js` and so on.
 * Its name depends on the sources. `deno task build` makes it and lets the link `dist/current` lead there.
 * Imports no package, because it runs before every start.
 */

/** Holds one folder for each build. */
export const buildsFolder = "dist";

/** The link below it to the build that starts. */
export const currentLink = `${buildsFolder}/current`;

/** The source file of each program in a build, by the name of the program. */
export const programs = {
  deno: "src/entry/deno.ts",
  backup: "src/cli/backup.ts",
  crm: "src/cli/crm.ts",
  jobs: "src/cli/jobs.ts",
  migrate: "src/cli/migrate.ts",
  restore: "src/cli/restore.ts",
  seed: "src/cli/seed.ts",
} as const;

export type Program = keyof typeof programs;

/** Bytes of the digest that form the name of a build. */
const nameBytes = 8;

/** Returns the path of the build that starts, relative to the project folder `root`; null if there is none. */
export function findCurrentBuild(root: string): string | null {
  try {
    const name = Deno.readLinkSync(`${root}/${currentLink}`);
    return isBuildName(name) ? `${buildsFolder}/${name}` : null;
  } catch {
    return null;
  }
}

/**
 * Returns the path of the build of the sources as they are, relative to the project folder `root`, whether or
 * not that build exists. Its name changes with the path, size and time of each file: files that are unpacked or
 * checked out may be older than a build of others. Reading these takes a tenth of the time of reading contents.
 */
export async function locateBuild(root: string): Promise<string> {
  const others = ["drizzle/meta/_journal.json", "deno.json", "deno.lock"];
  const lines = [...listFiles(root, "src"), ...others.flatMap((path) => listFile(root, path))].sort();
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(lines.join("\n")));
  return `${buildsFolder}/${new Uint8Array(digest, 0, nameBytes).toHex()}`;
}

/** Reports whether a name below `dist` is that of a build. */
export function isBuildName(name: string): boolean {
  return new RegExp(`^[0-9a-f]{${2 * nameBytes}}$`).test(name);
}

/** Reports whether a build has all programs. Some are missing if somebody has damaged the build. */
export function isWhole(folder: string): boolean {
  return Object.keys(programs).every((name) => exists(`${folder}/${name}.js`));
}

/**
 * Returns a line for each file, except hidden files and links, which editors leave behind. Times are in whole
 * seconds, because layers of container images keep no fractions.
 */
function listFiles(root: string, folder: string): string[] {
  return [...Deno.readDirSync(`${root}/${folder}`)].flatMap(({ name, isDirectory, isFile }) => {
    const path = `${folder}/${name}`;
    if (name.startsWith(".")) return [];
    return isDirectory ? listFiles(root, path) : isFile ? listFile(root, path) : [];
  });
}

/** Returns the line of a file in a list; an empty list if the file does not exist. */
function listFile(root: string, path: string): string[] {
  try {
    const { size, mtime } = Deno.statSync(`${root}/${path}`);
    return [`${path} ${size} ${Math.floor(Number(mtime) / 1000)}`];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** Reports whether a file or folder exists and this user can see it. */
export function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}
