/** The map of the sources, as `src/docs/guides/sources.md` draws it, and the tree. */
import assert from "node:assert/strict";
import { layers } from "./imports.ts";
import { projectRoot } from "../support/process.ts";

const guide = await Deno.readTextFile(`${projectRoot}src/docs/guides/sources.md`);
const [, map] = /```\nsrc\/\n([^]*?)```/.exec(guide)!;
const drawn = [...map!.matchAll(/^ {2}([\w.]+)\/? +(\S.*)$/gm)].map(([, name, about]) => ({
  name: name!,
  about,
}));

Deno.test("the map of the sources has one line for each folder and file of src", () => {
  const tree = [...Deno.readDirSync(`${projectRoot}src`)].map(({ name }) => name);
  assert.deepEqual(drawn.map(({ name }) => name).sort(), tree.sort());
  const lines = map!.split("\n").filter((line) => line.startsWith("  "));
  assert.equal(lines.length, drawn.length, "each has a few words");
  for (const { name } of drawn) {
    const isFolder = Deno.statSync(`${projectRoot}src/${name}`).isDirectory;
    assert.equal(map!.includes(`  ${name}/ `), isFolder, name);
  }
});

Deno.test("the map of the sources is in the order of the layers", () => {
  const levels = drawn.map(({ name }) => layers.findIndex((layer) => layer.includes(name)));
  assert.deepEqual(levels, [...levels].sort((one, other) => other - one));
  assert.ok(!levels.includes(-1));
});

Deno.test("the map of the sources names the folders of the ports", () => {
  const about = drawn.find(({ name }) => name === "platform")!.about!;
  for (const { name, isDirectory } of Deno.readDirSync(`${projectRoot}src/platform`)) {
    if (isDirectory) assert.match(about, new RegExp(`\\b${name}\\b`));
  }
});
