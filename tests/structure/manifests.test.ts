/** Each feature says in its `feature.ts` what it contributes, and `features.ts` lists them all. */
import assert from "node:assert/strict";
import config from "../../drizzle.config.ts";
import { actions, pages } from "../../src/console/console.ts";
import { resolveGiven } from "../../src/contributions.ts";
import { features } from "../../src/features.ts";
import { references, tables } from "../../src/schema.ts";
import { getTableName } from "drizzle-orm";
import { layers, readSources } from "./imports.ts";

const root = new URL("../../", import.meta.url);
const sources = readSources(root);
const paths = sources.map(({ path }) => path.replace("src/", ""));

Deno.test("every feature.ts is in the list once, and names its folder", () => {
  const listed = features.slice(1).map(({ folder }) => `${folder}/feature.ts`);
  const wings = layers.slice(layers.findIndex(([name]) => name === "identity")).flat();
  const files = paths.filter((path) => path.endsWith("/feature.ts") && wings.includes(path.split("/")[0]!));
  assert.deepEqual(listed.toSorted(), files);
});

Deno.test("the list of features is in the order of the layers", () => {
  const levels = features.map(({ folder }) =>
    layers.findIndex((layer) => layer.includes(folder.split("/")[0]!))
  );
  assert.deepEqual(levels, levels.toSorted((one, other) => one - other));
});

Deno.test("every table and its references are contributed by a feature", () => {
  const countDeclared = (call: string) =>
    sources.flatMap(({ text }) => text.match(new RegExp(`^export const \\w+ = ${call}\\(`, "gm")) ?? [])
      .length;
  assert.equal(tables.length, countDeclared("sqliteTable"));
  assert.equal(references.length, countDeclared("declareReferences"));
  assert.equal(new Set(tables.map(getTableName)).size, tables.length);
});

Deno.test("drizzle-kit finds the files of all tables by their names", () => {
  const files = sources.filter(({ text }) => text.includes('sqliteTable("')).map(({ path }) => path);
  const forms = [config.schema ?? []].flat().map((glob) => new RegExp(`^${compileGlob(glob)}$`));
  assert.deepEqual(files.filter((path) => !forms.some((form) => form.test(path))), []);
});

Deno.test("every file of triggers or endpoints stands in the folder of a feature that names it", () => {
  const named = new Set(
    features.flatMap(({ folder, triggers = [] }) =>
      triggers.map((file) => new URL(file, `file:///${folder}/`).pathname)
    ),
  );
  const triggers = sources.filter(({ path, text }) =>
    path !== "src/triggers.ts" && / readonly SchemaObject\[\] =/.test(text)
  )
    .map(({ path }) => path.replace("src", ""));
  assert.deepEqual(triggers.filter((path) => !named.has(path)), []);
  const contributed = new Set(features.map(({ folder }) => `${folder}/routes.ts`));
  assert.deepEqual(
    paths.filter((path) =>
      path.endsWith("/routes.ts") && path !== "docs/routes.ts" && !contributed.has(path)
    ),
    [],
  );
});

Deno.test("all methods of a path stand in one folder, and the path is a literal of its routes", () => {
  const folders = new Map<string, Set<string>>();
  const getText = (path: string) => sources.find((source) => source.path === path)!.text;
  const composed: string[] = [];
  for (const { folder, endpoints } of features) {
    for (const { declared: { path } } of endpoints ? resolveGiven(endpoints) : []) {
      folders.set(path, (folders.get(path) ?? new Set()).add(folder));
      if (!getText(`src/${folder}/routes.ts`).includes(`"${path}"`)) composed.push(path);
    }
  }
  assert.deepEqual([...folders].filter(([, { size }]) => size > 1).map(([path]) => path), []);
  assert.deepEqual(composed, []);
});

Deno.test("the path of each page and form of /app is a literal of the console", () => {
  const text = sources.filter(({ path }) => path.startsWith("src/console/")).map((source) => source.text)
    .join("\n");
  const paths = new Set([...pages, ...actions].map(({ path }) => path));
  assert.ok(paths.size > 60);
  assert.deepEqual([...paths].filter((path) => !text.includes(`"${path}"`)), []);
});

Deno.test("record.ts holds a record that is described once, and no other file does", () => {
  const described = sources.filter(({ text }) => text.includes("} satisfies Members;")).map(({ path }) =>
    path
  );
  const named = sources.filter(({ path }) => path.endsWith("/record.ts")).map(({ path }) => path);
  assert.deepEqual(described.toSorted(), named.toSorted());
});

/** Returns the regular expression of a glob. */
function compileGlob(glob: string): string {
  return glob.replace("./", "").replaceAll(".", "\\.").replaceAll("**/", "(?:.+/)?").replaceAll("*", "[^/]*")
    .replaceAll("{", "(?:").replaceAll("}", ")").replaceAll(",", "|");
}
