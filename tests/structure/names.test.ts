/** Functions are verbs with their object. What is left from before is listed, and the lists only get shorter. */
import assert from "node:assert/strict";
import { readSources } from "./imports.ts";

const sources = readSources(new URL("../../", import.meta.url));

interface Exported {
  readonly wing: string;
  readonly path: string;
  readonly kind: string;
  readonly name: string;
}

function exportsIn(files: readonly { readonly path: string; readonly text: string }[]): Exported[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:async )?(function|const|class|interface|type) (\w+)/gm)]
      .map(([, kind, name]) => ({ wing: path.split("/")[1]!, path, kind: kind!, name: name! }))
  );
}

const irregular = /^(?:begun|found|given|gone|held|kept|known|left|made|seen|sent|shown|taken|written)$/;

/** Exported functions whose name is a participle alone, such as `src/lists/conditions.ts tested`. */
function bareParticiples(exported: readonly Exported[]): string[] {
  return exported.filter(({ kind, name }) =>
    kind === "function" && (/^[a-z]+ed$/.test(name) || irregular.test(name))
  )
    .map(({ path, name }) => `${path} ${name}`).sort();
}

/** Names that two files of a wing export, such as `sales contentOf`. */
function namesStandingTwice(exported: readonly Exported[]): string[] {
  const files = new Map<string, Set<string>>();
  for (const { wing, path, name } of exported) {
    const key = `${wing} ${name}`;
    files.set(key, (files.get(key) ?? new Set()).add(path));
  }
  return [...files].filter(([, { size }]) => size > 1).map(([key]) => key).sort();
}

/** The numbers of exported functions that are nouns in `-Of`, by wing. */
function nounsOf(exported: readonly Exported[]): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const { wing, kind, name } of exported) {
    if (kind === "function" && /[a-z]Of$/.test(name)) numbers[wing] = (numbers[wing] ?? 0) + 1;
  }
  return numbers;
}

const participlesLeft: readonly string[] = [
  "src/core/answer.ts accepted",
  "src/core/answer.ts created",
  "src/db/statements.ts bounded",
  "src/db/statements.ts joined",
  "src/lists/conditions.ts tested",
  "src/records/kinds.ts computed",
  "src/records/members.ts shown",
];

const twiceLeft: readonly string[] = [
  "later Turns",
  "staged notAside",
];

/** The most nouns in `-Of` of a wing. */
const nounsLeft: Readonly<Record<string, number>> = {
  "core": 0,
  "db": 13,
  "fields": 2,
  "facts": 1,
  "lists": 9,
  "filters": 10,
  "http": 0,
  "records": 2,
  "staged": 5,
  "customers": 0,
  "identity": 0,
  "library": 0,
  "sales": 0,
  "insight": 0,
};

Deno.test("no exported function is a bare participle, except those that the list still has", () => {
  const found = bareParticiples(exportsIn(sources));
  assert.deepEqual(found.filter((each) => !participlesLeft.includes(each)), []);
  assert.deepEqual(participlesLeft.filter((each) => !found.includes(each)), [], "take these off the list");
});

Deno.test("no name is exported by two files of a wing, except those that the list still has", () => {
  const found = namesStandingTwice(exportsIn(sources));
  assert.deepEqual(found.filter((each) => !twiceLeft.includes(each)), []);
  assert.deepEqual(twiceLeft.filter((each) => !found.includes(each)), [], "take these off the list");
});

Deno.test("a wing has no more nouns in -Of than before", () => {
  const found = nounsOf(exportsIn(sources));
  for (const [wing, number] of Object.entries(nounsLeft)) {
    assert.ok((found[wing] ?? 0) <= number, `${wing} has ${found[wing]}, not ${number}`);
  }
});

/** Constants in capitals, such as `src/core/ids.ts TOKEN_BYTES`. Types of one letter are none. */
function screamingConstants(files: readonly { readonly path: string; readonly text: string }[]): string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(/\b(?:const|let) ([A-Z][A-Z0-9_]+)\b/g)].map(([, name]) => `${path} ${name}`)
  );
}

Deno.test("constants are in camel case", () => {
  assert.deepEqual(screamingConstants(sources), []);
  const files = [{ path: "src/core/ids.ts", text: "const TOKEN_BYTES = 20;\nconst uuidForm = /a/;" }];
  assert.deepEqual(screamingConstants(files), ["src/core/ids.ts TOKEN_BYTES"]);
});

Deno.test("the checks find a participle, a name that stands twice, and a noun in -Of", () => {
  const files = exportsIn([
    {
      path: "src/sales/leads/write.ts",
      text: "export async function placed() {}\nexport function rowOf() {}",
    },
    { path: "src/sales/cases/write.ts", text: "export const rowOf = 1;\nexport function needName() {}" },
    { path: "src/core/ids.ts", text: "export interface placed {}\nexport function readFeed() {}" },
  ]);
  assert.deepEqual(bareParticiples(files), ["src/sales/leads/write.ts placed"]);
  assert.deepEqual(namesStandingTwice(files), ["sales rowOf"]);
  assert.deepEqual(nounsOf(files), { sales: 1 });
});
