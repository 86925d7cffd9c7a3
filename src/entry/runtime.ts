/** Checks the version of Deno. Imports nothing, so that an old Deno can load it. */

/** The version that the tests run on. */
export const oldestDeno = "2.9.6";

/** Returns one line when `version` is too old for the service, else null. */
export function explainRuntimeFault(version: string): string | null {
  const [have, need] = [parseVersion(version), parseVersion(oldestDeno)];
  const first = need.findIndex((number, index) => number !== have[index]);
  if (first === -1 || (have[first] ?? 0) > need[first]!) return null;
  return `Deno ${version} is too old: Wayline CRM needs Deno ${oldestDeno} or later`;
}

function parseVersion(version: string): number[] {
  return version.split("-")[0]!.split(".").map(Number);
}
