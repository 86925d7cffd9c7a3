import assert from "node:assert/strict";
import { bundledPackages } from "../../src/cli/build.ts";
import { inFolder } from "../support/engines.ts";
import { PROJECT_ROOT, runCommand, runOfTests } from "../support/process.ts";

interface Configuration {
  imports: Record<string, string>;
  compilerOptions: unknown;
}

interface Lock {
  specifiers: Record<string, string>;
  npm: Record<string, { integrity: string }>;
}

Deno.test("the tests use the same packages as the service, in the same versions", async () => {
  const [service, tests] = await Promise.all([
    read<Configuration>("deno.json"),
    read<Configuration>("tests/deno.json"),
  ]);
  assert.deepEqual(tests.compilerOptions, service.compilerOptions);
  for (const [name, pin] of Object.entries(service.imports)) assert.equal(tests.imports[name], pin, name);
});

Deno.test("every package is pinned to one version", async () => {
  for (const path of ["deno.json", "tests/deno.json", "tests/long/deno.json"]) {
    for (const pin of Object.values((await read<Configuration>(path)).imports)) {
      assert.match(pin, /^npm:(@[\w-]+\/)?[\w.-]+@\d+\.\d+\.\d+(\/\w+)?$/, path);
    }
  }
});

Deno.test("both locks resolve the packages of the service alike", async () => {
  const [service, tests] = await Promise.all([read<Lock>("deno.lock"), read<Lock>("tests/deno.lock")]);
  const packages = Object.entries(service.npm);
  assert.ok(packages.length > 40);
  const different = packages.filter(([name, { integrity }]) => tests.npm[name]?.integrity !== integrity);
  assert.deepEqual(different.map(([name]) => name), []);
});

Deno.test("a fresh installation fetches at most 175 packages and 230 MB", () =>
  inFolder(async (folder) => {
    for (const name of ["deno.json", "deno.lock"]) {
      await Deno.copyFile(`${PROJECT_ROOT}${name}`, `${folder}/${name}`);
    }
    const { code, stderr } = await runCommand(["install", "--frozen"], {}, { cwd: folder });
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(stderr, /warning/i);
    const store = `${folder}/node_modules/.deno`;
    const packages = [...Deno.readDirSync(store)].filter(({ name }) => /@\d/.test(name));
    assert.ok(packages.length > 40 && packages.length <= 175, `${packages.length} packages`);
    const bytes = sizeOf(store);
    assert.ok(bytes > 50e6 && bytes <= 230e6, `${bytes} bytes`);
  }));

Deno.test("a start loads the packages that the build contains and no other: what few requests need is loaded when one does", async () => {
  const { code, stdout, stderr } = await runCommand([
    ...runOfTests,
    "tests/structure/fixtures/loaded_packages.ts",
  ], {});
  assert.equal(code, 0, stderr);
  const { start, html } = JSON.parse(stdout) as Record<"start" | "html", string[]>;
  // The build contains one more package, which is loaded with the OpenAPI document.
  assert.deepEqual(start, bundledPackages.filter((name) => name !== "@asteasolutions/zod-to-openapi"));
  for (const name of ["sanitize-html", "postcss", "htmlparser2"]) assert.ok(html.includes(name), name);
});

async function read<T>(path: string): Promise<T> {
  return JSON.parse(await Deno.readTextFile(`${PROJECT_ROOT}${path}`));
}

/** Bytes of all files below the folder. */
function sizeOf(folder: string): number {
  let bytes = 0;
  for (const { name, isDirectory, isFile } of Deno.readDirSync(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) bytes += sizeOf(path);
    else if (isFile) bytes += Deno.statSync(path).size;
  }
  return bytes;
}
