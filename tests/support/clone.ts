/** A copy of the project as a fresh clone has it. */

/** Folders that a fresh clone does not have. */
const own = new Set([".git", "node_modules", "data", "dist", ".wrangler", ".env", ".dev.vars", "coverage"]);

/** In subfolders only installed packages are left out, such as those of `tests`. */
const packages = new Set(["node_modules"]);

/** Copies the project, or a folder of it, as a fresh clone has it. */
export async function copyProject(
  from: string,
  to: string,
  leaveOut: ReadonlySet<string> = own,
): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory, isFile } of Deno.readDir(from)) {
    if (leaveOut.has(name)) continue;
    if (isDirectory) await copyProject(`${from}/${name}`, `${to}/${name}`, packages);
    else if (isFile) await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}
