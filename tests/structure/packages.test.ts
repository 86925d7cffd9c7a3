import assert from "node:assert/strict";
import { bundledPackages } from "../../src/cli/build.ts";
import { oldestDeno } from "../../src/entry/runtime.ts";
import { sharedConfigurations } from "../shared_config.ts";
import { inFolder } from "../support/engines.ts";
import { projectRoot, runCommand, runOfTests } from "../support/process.ts";

const configurations = ["deno.json", "tests/deno.json", "tests/long/deno.json"];

interface Configuration {
  imports: Record<string, string>;
  compilerOptions: unknown;
}

interface Lock {
  specifiers: Record<string, string>;
  npm: Record<string, { integrity: string }>;
}

Deno.test("the tests use the packages of the service, and each version is set in one place", async () => {
  for (const [path, text] of sharedConfigurations()) {
    assert.equal(await Deno.readTextFile(projectRoot + path), text, "deno run -A tests/shared_config.ts");
  }
  const service = await read<Configuration>("deno.json");
  const { imports } = await read<Configuration>("tests/deno.json");
  for (const [name, pin] of Object.entries(service.imports)) assert.equal(imports[name], pin, name);
  const elsewhere = (await readFiles(["src", "tests", "README.md", ".ci/run", "Dockerfile"]))
    .filter(({ path }) => !configurations.includes(path) && !path.endsWith("deno.lock"))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/npm:@?[\w./-]+@\d[\d.]*/g)].map(([pin]) => `${path}: ${pin}`)
    );
  assert.deepEqual(elsewhere, []);
});

Deno.test("the tasks are short, and pass no arguments through a shell", async () => {
  const { tasks } = await read<{ tasks: Record<string, string | { dependencies: string[] }> }>("deno.json");
  for (const [name, command] of Object.entries(tasks)) {
    if (typeof command !== "string") continue;
    assert.ok(command.length <= 100, `${name} has ${command.length} characters: make it a script`);
    assert.doesNotMatch(command, /[$`]|npm:|&&/, name);
  }
});

Deno.test("the image, the guides and the checks use the same version of Deno", async () => {
  const version = /^FROM denoland\/deno:([\d.]+)$/m.exec(
    await Deno.readTextFile(`${projectRoot}Dockerfile`),
  )![1]!;
  assert.equal(oldestDeno, version);
  assert.match(await Deno.readTextFile(`${projectRoot}README.md`), new RegExp(`Deno\\]\\S* ${version}\\.`));
  const denoVersion = /^deno_version=.*$/m.exec(await Deno.readTextFile(`${projectRoot}.ci/run`))![0];
  const { stdout } = await runCommand(
    [
      "-c",
      `${denoVersion}; echo $deno_version`,
    ],
    {},
    { command: "bash" },
  );
  assert.equal(stdout, `${version}\n`);
});

Deno.test("every package is pinned to one version", async () => {
  for (const path of configurations) {
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
      await Deno.copyFile(`${projectRoot}${name}`, `${folder}/${name}`);
    }
    const { code, stderr } = await runCommand(["install", "--frozen"], {}, { cwd: folder });
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(stderr, /warning/i);
    const store = `${folder}/node_modules/.deno`;
    const packages = [...Deno.readDirSync(store)].filter(({ name }) => /@\d/.test(name));
    assert.ok(packages.length > 40 && packages.length <= 175, `${packages.length} packages`);
    const bytes = measureFolder(store);
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

/** The text files below the places, without installed packages. */
async function readFiles(places: readonly string[]): Promise<{ path: string; text: string }[]> {
  const found = await Promise.all(places.map(async (path) => {
    if (!Deno.statSync(projectRoot + path).isDirectory) {
      return [{ path, text: await Deno.readTextFile(projectRoot + path) }];
    }
    const names = [...Deno.readDirSync(projectRoot + path)].map(({ name }) => name);
    return await readFiles(
      names.filter((name) => name !== "node_modules" && !name.startsWith("snippet_")).map((name) =>
        `${path}/${name}`
      ),
    );
  }));
  return found.flat();
}

async function read<T>(path: string): Promise<T> {
  return JSON.parse(await Deno.readTextFile(`${projectRoot}${path}`));
}

/** Bytes of all files below the folder. */
function measureFolder(folder: string): number {
  let bytes = 0;
  for (const { name, isDirectory, isFile } of Deno.readDirSync(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) bytes += measureFolder(path);
    else if (isFile) bytes += Deno.statSync(path).size;
  }
  return bytes;
}
