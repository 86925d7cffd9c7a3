/**
 * `deno run -A tests/shared_config.ts`: writes what the configurations of the tests share with the service's into
 * them. A package is pinned by hand in the first of `deno.json`, `tests/deno.json` and `tests/long/deno.json` that
 * names it; the tests need all packages of the service.
 */
interface Configuration {
  compilerOptions?: unknown;
  imports: Record<string, string>;
}

const root = new URL("../", import.meta.url);

/** The text that each configuration of tests should have, by its path. */
export function sharedConfigurations(): Map<string, string> {
  const service = read("deno.json");
  const tests = read("tests/deno.json");
  tests.compilerOptions = service.compilerOptions;
  tests.imports = pinnedAs(service, { ...tests.imports, ...service.imports });
  const long = read("tests/long/deno.json");
  long.imports = pinnedAs(tests, long.imports);
  return new Map([["tests/deno.json", writeText(tests)], ["tests/long/deno.json", writeText(long)]]);
}

/** Returns the imports with the versions of `base`, for each package that it pins. */
function pinnedAs(base: Configuration, imports: Record<string, string>): Record<string, string> {
  const versions = new Map(
    Object.values(base.imports).map((pin) => [splitPin(pin).name, splitPin(pin).version]),
  );
  return Object.fromEntries(
    Object.entries(imports).map(([key, pin]) => {
      const { name, version, path } = splitPin(pin);
      return [key, `npm:${name}@${versions.get(name) ?? version}${path}`];
    }),
  );
}

/** Takes a specifier apart: a path may follow the version. */
function splitPin(pin: string): { name: string; version: string; path: string } {
  const [, name, version, path] = /^npm:(@?[^@]+)@([^/]+)(.*)$/.exec(pin)!;
  return { name: name!, version: version!, path: path! };
}

function read(path: string): Configuration {
  return JSON.parse(Deno.readTextFileSync(new URL(path, root)));
}

function writeText(configuration: Configuration): string {
  return `${JSON.stringify(configuration, null, 2)}\n`;
}

if (import.meta.main) {
  for (const [path, text] of sharedConfigurations()) Deno.writeTextFileSync(new URL(path, root), text);
}
