/**
 * Where the service and its commands are built: a folder below `dist` that is named after the sources, with
 * `deno.js`, `crm.js` and so on. `deno task build` makes it. Imports no package, because it runs before every start.
 */

/** Holds one folder for each build. */
export const buildsFolder = "dist";

/** The sources of what a build runs, by its name there. */
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

/** Bytes of a digest in the name of a build. */
const nameBytes = 8;

/**
 * Returns the folder of the build in the folder `root` of the project, whether it is there or not. Its name changes
 * with each file's path, size and time, which are read a tenth as long as the contents.
 */
export async function buildFolder(root: string): Promise<string> {
  const others = ["drizzle/meta/_journal.json", "deno.json", "deno.lock"];
  const lines = [...filesIn(root, "src"), ...others.flatMap((path) => lineOf(root, path))].sort();
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(lines.join("\n")));
  return `${buildsFolder}/${new Uint8Array(digest, 0, nameBytes).toHex()}`;
}

/** Reports whether a name below `dist` is that of a build. */
export function isBuildName(name: string): boolean {
  return new RegExp(`^[0-9a-f]{${2 * nameBytes}}$`).test(name);
}

/** Reports whether a build has its programs; one that a person damaged may lack some. */
export function isWhole(folder: string): boolean {
  return Object.keys(programs).every((name) => exists(`${folder}/${name}.js`));
}

/**
 * A line for each file, without hidden ones and links, which editors leave. Layers of container images keep whole
 * seconds only.
 */
function filesIn(root: string, folder: string): string[] {
  return [...Deno.readDirSync(`${root}/${folder}`)].flatMap(({ name, isDirectory, isFile }) => {
    const path = `${folder}/${name}`;
    if (name.startsWith(".")) return [];
    return isDirectory ? filesIn(root, path) : isFile ? lineOf(root, path) : [];
  });
}

/** Empty for a file that is gone. */
function lineOf(root: string, path: string): string[] {
  try {
    const { size, mtime } = Deno.statSync(`${root}/${path}`);
    return [`${path} ${size} ${Math.floor(Number(mtime) / 1000)}`];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** Reports whether a file or folder is there for this user. */
export function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}
