import assert from "node:assert/strict";
import { readSources, type Source } from "./imports.ts";

const sources = readSources(new URL("../../", import.meta.url));

/** Files that insert a text as SQL, with the most times and the reason why `identifier` and `literal` do not do. */
const rawTexts: Readonly<
  Record<string, readonly [most: number, reason: string]>
> = {
  "src/db/commit.ts": [
    1,
    "core names the expression for the number of a new case, and core knows no SQL",
  ],
  "src/db/outbox.ts": [
    1,
    "core wraps the bound body into the expressions for such numbers",
  ],
  "src/lists/page.ts": [
    9,
    "the order of a list is a text over names that the list checks",
  ],
  "src/lists/pages.ts": [
    31,
    "the order of a list is a text over names that the list checks",
  ],
  "src/lists/plan.ts": [
    4,
    "the order of a list is a text over names that the list checks",
  ],
};

/** Where texts and lists of values are the subject itself. */
const drivers = /^src\/(?:platform\/|db\/statements\.ts$)/;

Deno.test("text becomes SQL only where the list has a line for it", () => {
  const beyond = rawTextsIn(sources).filter(([path, times]) => times > (rawTexts[path]?.[0] ?? 0));
  assert.deepEqual(beyond, []);
});

Deno.test("no statement is a text with a list of values beside it", () => {
  assert.deepEqual(listsOfValuesIn(sources), []);
});

Deno.test("the check finds raw text and lists of values", () => {
  const text = 'read([{ sql: "select 1 where 1 = ?", args: [1] }, rawSql(name), new Sql(name)]) // rawSql(x)';
  const found = (
    path: string,
  ) => [rawTextsIn([{ path, text }]), listsOfValuesIn([{ path, text }])];
  assert.deepEqual(found("src/sales/leads/list.ts"), [[[
    "src/sales/leads/list.ts",
    3,
  ]], [
    "src/sales/leads/list.ts",
  ]]);
  assert.deepEqual(found("src/db/statements.ts"), [[], []]);
});

function rawTextsIn(files: readonly Source[]): [path: string, times: number][] {
  return files.filter(({ path }) => isService(path)).flatMap(
    ({ path, text }) => {
      const times = text.match(/\brawSql\(|\bnew Sql\(/g)?.length ?? 0;
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
