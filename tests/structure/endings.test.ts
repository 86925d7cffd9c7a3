/** Each word about what ends has one meaning, which the guide to the sources gives. */
import assert from "node:assert/strict";
import { readSources } from "./imports.ts";

const root = new URL("../../", import.meta.url);
const sources = readSources(root).filter(({ path }) => path.startsWith("src/"));

/** Words that are not used, and those that are used instead. */
const refused: Readonly<Record<string, string>> = {
  removal: "deletion",
  cleanup: "expire",
  purge: "erase",
  wipe: "erase",
};

/** Names that are stored. */
const stored = /"(?:account|case|folder)_removal"|"folders_in_removal"/g;

Deno.test("names, files and comments use no other word for a deletion", () => {
  assert.deepEqual(findRefused(sources), []);
  const bad = [{ path: "src/sales/removal/a.ts", text: "/** Cleanup. */\nexport const wipeAll = 1;\n" }];
  assert.deepEqual(findRefused(bad), [
    "src/sales/removal/a.ts: deletion, not removal",
    "src/sales/removal/a.ts: expire, not cleanup",
    "src/sales/removal/a.ts: erase, not wipe",
  ]);
});

Deno.test("only companies are erased", () => {
  const erasing = sources.filter(({ text }) => /eras(?:e|ing|ure)/i.test(text));
  assert.deepEqual(erasing.filter(({ text }) => !/compan/i.test(text)).map(({ path }) => path), []);
});

Deno.test("a file of a deletion or a withdrawal exports a function that begins with the word", () => {
  const named = sources.flatMap(({ path, text }) => {
    const [, word] = /\/(delete|withdraw)\.ts$/.exec(path) ?? [];
    return word && !new RegExp(`export (?:async )?function ${word}[A-Z]`).test(text) ? [path] : [];
  });
  assert.deepEqual(named, []);
});

Deno.test("the guide to the sources gives the meaning of each word", async () => {
  const guide = await Deno.readTextFile(new URL("src/docs/guides/sources.md", root));
  for (const word of ["delete", "reassign", "stop", "expire", "forget", "withdraw", "erase"]) {
    assert.match(guide, new RegExp(`^\\| \`${word}\`.*\\|`, "m"));
  }
});

function findRefused(files: typeof sources): string[] {
  return files.flatMap(({ path, text }) =>
    Object.entries(refused)
      .filter(([word]) => `${path} ${text.replaceAll(stored, "")}`.toLowerCase().includes(word))
      .map(([word, better]) => `${path}: ${better}, not ${word}`)
  );
}
