import assert from "node:assert/strict";
import { readSources, type Source } from "./imports.ts";

const sources = readSources(new URL("../../", import.meta.url));

/** Files that insert a text as SQL, how often, and why. Others use `identifier` and `literal`. */
const rawTexts: readonly { readonly path: string; readonly times: number; readonly reason: string }[] = [
  { path: "src/db/commit.ts", times: 1, reason: "core names the expression for the number of a new case" },
  { path: "src/db/outbox.ts", times: 1, reason: "core wraps a bound body into such expressions" },
];

/** Files that handle texts and lists of values themselves, so the rule does not apply. */
const drivers = /^src\/(?:platform\/|db\/statements\.ts$)/;

Deno.test("text becomes SQL only where the list has a line for it", () => {
  assert.deepEqual(rawTextsIn(sources), rawTexts.map(({ path, times }) => [path, times]));
  assert.deepEqual(rawTexts.filter(({ reason }) => reason === ""), []);
});

Deno.test("statements are composed by one tag", () => {
  const others = /\bfunction (?:statement|raw)\(/;
  assert.deepEqual(sources.filter(({ text }) => others.test(text)).map(({ path }) => path), []);
});

Deno.test("no statement is a text with a list of values beside it", () => {
  assert.deepEqual(listsOfValuesIn(sources), []);
});

Deno.test("the check finds raw text and lists of values", () => {
  const text =
    'read([{ sql: "select 1 where 1 = ?", args: [1] }, rawSql(name), rawSql(name, [])]) // rawSql(x)';
  const findBoth = (
    path: string,
  ) => [rawTextsIn([{ path, text }]), listsOfValuesIn([{ path, text }])];
  assert.deepEqual(findBoth("src/sales/leads/list.ts"), [[[
    "src/sales/leads/list.ts",
    3,
  ]], [
    "src/sales/leads/list.ts",
  ]]);
  assert.deepEqual(findBoth("src/db/statements.ts"), [[], []]);
});

function rawTextsIn(files: readonly Source[]): [path: string, times: number][] {
  return files.filter(({ path }) => isService(path)).flatMap(
    ({ path, text }) => {
      const times = text.match(/\brawSql\(/g)?.length ?? 0;
      return times > 0 ? [[path, times]] : [];
    },
  );
}

function listsOfValuesIn(files: readonly Source[]): string[] {
  return files.filter(({ path, text }) => isService(path) && /\bsql: ["'`][^]{0,600}?\bargs: \[/.test(text))
    .map(({ path }) => path);
}

function isService(path: string): boolean {
  return path.startsWith("src/") && !drivers.test(path);
}
