/**
 * The number of files that a process may open. Imports no package, because the launcher uses it before every
 * start.
 */

/** The option with which the launcher passes the number to the service. */
const option = "--open-files=";

/** Returns the options for a service that this process starts: none if the number is unknown. */
export function openFilesOptions(): string[] {
  const limit = readLimit();
  return limit === null ? [] : [`${option}${limit}`];
}

/**
 * Returns how many files this process may open. Without all permissions only the launcher can read this, so it
 * passes the number in an option. Returns null if both are missing.
 */
export function readDeclaredOpenFiles(args: readonly string[] = Deno.args): number | null {
  const passed = args.find((arg) => arg.startsWith(option))?.slice(option.length) ?? "";
  return readLimit() ?? (/^\d+$/.test(passed) ? Number(passed) : null);
}

/** Reads the limit. Returns null without all permissions, and where it is not declared. */
function readLimit(): number | null {
  const path = "/proc/self/limits";
  if (Deno.permissions.querySync({ name: "read", path }).state !== "granted") return null;
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(Deno.readTextFileSync(path))?.[1];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}
