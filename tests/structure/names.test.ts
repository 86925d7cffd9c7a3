/** Functions are verbs with their object, and a name stands once in a wing. */
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

/** Exported functions that are nouns in `-Of`, such as `src/sales/leads/write.ts rowOf`. */
function nounsOf(exported: readonly Exported[]): string[] {
  return exported.filter(({ kind, name }) => kind === "function" && /[a-z]Of$/.test(name))
    .map(({ path, name }) => `${path} ${name}`);
}

/** Participles that stay, with the reason. */
const participles: Readonly<Record<string, string>> = {
  "src/core/answer.ts accepted": "the answer 202, by the name that HTTP gives it",
  "src/core/answer.ts created": "the answer 201, by the name that HTTP gives it",
  "src/records/kinds.ts computed": "a kind of member, like `readOnly` and `internal`",
};

Deno.test("no exported function is a bare participle, except those with a reason", () => {
  assert.deepEqual(bareParticiples(exportsIn(sources)), Object.keys(participles));
});

Deno.test("no name is exported by two files of a wing", () => {
  assert.deepEqual(namesStandingTwice(exportsIn(sources)), []);
});

Deno.test("no exported function is a noun in -Of", () => {
  assert.deepEqual(nounsOf(exportsIn(sources)), []);
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
  assert.deepEqual(nounsOf(files), ["src/sales/leads/write.ts rowOf"]);
});

const comment = /\/\*.*?\*\/|\/\/[^\n]*/gs;

Deno.test("a name in backticks in a comment stands in the sources", () => {
  const code = sources.map(({ text }) => text.replaceAll(comment, "")).join("\n");
  const known = new Set(code.match(/[A-Za-z_]\w+/g));
  const unknown = sources.flatMap(({ path, text }) =>
    [...text.matchAll(comment)].flatMap(([said]) => [...said.matchAll(/`([a-z]+[A-Z]\w+)`/g)])
      .map(([, name]) => name!).filter((name) => !known.has(name)).map((name) => `${path} ${name}`)
  );
  assert.deepEqual(unknown, []);
});
