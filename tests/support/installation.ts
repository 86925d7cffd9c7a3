/** Says what `deno install` fetches: the first time it takes minutes, and is silent itself. */
import { exists } from "../../src/entry/builds.ts";

/**
 * Reports the first installation into the folder until it is disposed: what is fetched, and from then on how
 * many packages are there. Reports nothing when the folder has packages.
 */
export function reportInstallation(
  what: string,
  folder: string,
  print: (line: string) => void,
  everyMs = 10_000,
): Disposable {
  const store = `${folder}/.deno`;
  if (exists(store)) return { [Symbol.dispose]() {} };
  const start = performance.now();
  print(`Fetching the packages of ${what}; this happens once …`);
  const timer = setInterval(() => {
    const packages = exists(store) ? [...Deno.readDirSync(store)].length : 0;
    print(`  ${packages} packages after ${Math.round((performance.now() - start) / 1000)} s`);
  }, everyMs);
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
    },
  };
}
