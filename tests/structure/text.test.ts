import assert from "node:assert/strict";

const root = new URL("../../", import.meta.url);

Deno.test("no file of src is longer than 350 lines", () => {
  const long = files(["src"]).filter(({ text }) => text.split("\n").length > 351).map(({ path }) => path);
  assert.deepEqual(long, []);
});

Deno.test("no type or rule is switched off", () => {
  // In a comment, "any" is a word like others.
  const types = /^(?!\s*(?:\/\*|\*|\/\/)).*(?:: any\b|\bas any\b|<any>|\bas unknown as\b)/;
  assert.deepEqual(linesMatching(["src", "tests"], types), []);
  const switches = /@ts-(?:ignore|nocheck)|deno-(?:lint|fmt)-ignore/;
  assert.deepEqual(linesMatching(["src", "tests"], switches), []);
  // Such a comment states that a line must not compile, and why.
  assert.deepEqual(linesMatching(["src"], /@ts-expect-error/), []);
  assert.deepEqual(linesMatching(["tests"], /@ts-expect-error(?!: \w)/), []);
});

Deno.test("no statement selects a star, because it would be prepared again at each call", () => {
  const star = /\bselect (?:\w+\.)?\*|\breturning \*|columns: "\w+\.\*/;
  assert.deepEqual(linesMatching(["src"], star), []);
});

Deno.test("nothing is left unfinished or skipped", () => {
  assert.deepEqual(linesMatching(["src", "tests", "README.md"], /\b(?:TODO|FIXME|XXX|HACK)\b/), []);
  assert.deepEqual(
    linesMatching(["tests"], /\bignore: true\b|\bDeno\.test\.(?:ignore|only)\b|\bonly: true\b/),
    [],
  );
});

Deno.test("the project explains itself without documents from outside", () => {
  const outside = new RegExp(
    ["\\.\\./" + "shared\\b", "\\bD\\d{1,2}\\.\\d{1,2}\\b", "\\bdecisions" + "\\.md\\b"].join("|"),
  );
  const everywhere = ["src", "tests", "README.md", ".ci", "deno.json", "wrangler.toml", "drizzle.config.ts"];
  assert.deepEqual(linesMatching(everywhere, outside), []);
});

Deno.test("words that the page of style rules out do not occur", () => {
  const words = /\b(?:tells?|told|whom|whoever|whatever|thereby|wherein)\b/i;
  const found = linesMatching(["src", "tests", "README.md"], words);
  assert.deepEqual(found.filter((line) => !line.startsWith("src/docs/guides/style.md:")), []);
});

/** `path:line` of each matching line, except in this file, which contains the patterns. */
function linesMatching(places: readonly string[], pattern: RegExp): string[] {
  return files(places).flatMap(({ path, text }) =>
    text.split("\n").flatMap((
      line,
      index,
    ) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : []))
  );
}

/** The text files under the given places; ignores missing places. */
function files(places: readonly string[]): { path: string; text: string }[] {
  return places.flatMap((place) => walk(place)).filter((path) =>
    /(?:\.(?:tsx?|md|json|toml|sql)|\.ci\/run)$/.test(path) && path !== "tests/structure/text.test.ts"
  ).map((path) => ({ path, text: Deno.readTextFileSync(new URL(path, root)) }));
}

function walk(path: string): string[] {
  let stat: Deno.FileInfo;
  try {
    stat = Deno.statSync(new URL(path, root));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
  if (!stat.isDirectory) return [path];
  // Tests of the guides write snippets while they run.
  return [...Deno.readDirSync(new URL(path, root))].filter(({ name }) =>
    name !== "node_modules" && !name.startsWith("snippet_")
  ).flatMap((entry) => walk(`${path}/${entry.name}`));
}
