/** Functions are verbs with their object, in words of the field, and a name stands once in a wing. */
import assert from "node:assert/strict";
import ts from "typescript";
import { readSources } from "./imports.ts";

const root = new URL("../../", import.meta.url);
const sources = readSources(root);

interface Exported {
  readonly wing: string;
  readonly path: string;
  readonly kind: string;
  readonly name: string;
}

function exportsIn(files: readonly Source[]): Exported[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:async )?(function|const|class|interface|type)\*? (\w+)/gm)]
      .map(([, kind, name]) => ({ wing: path.split("/")[1]!, path, kind: kind!, name: name! }))
  );
}

interface Source {
  readonly path: string;
  readonly text: string;
}

interface Names {
  readonly path: string;
  /** The functions of a file: declared, and constants that are functions. */
  readonly functions: readonly string[];
  /** The names that it gives to what it imports. */
  readonly renamed: readonly string[];
  /** Its methods, and members and parameters that are functions by their type. */
  readonly methods: readonly string[];
  /** Every name that occurs in its code, also those of members and types. */
  readonly all: ReadonlySet<string>;
}

function namesIn(files: readonly Source[]): Names[] {
  return files.map(({ path, text }) => {
    const [functions, renamed, methods]: [string[], string[], string[]] = [[], [], []];
    const all = new Set<string>();
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) all.add(node.text);
      const isFunction = ts.isFunctionDeclaration(node) ||
        (ts.isVariableDeclaration(node) && node.initializer !== undefined &&
          (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer)));
      if (isFunction && node.name && ts.isIdentifier(node.name)) functions.push(node.name.text);
      if (ts.isImportSpecifier(node) && node.propertyName) renamed.push(node.name.text);
      const isMethod = ts.isMethodDeclaration(node) || ts.isMethodSignature(node) ||
        ((ts.isPropertySignature(node) || ts.isParameter(node)) && node.type &&
          ts.isFunctionTypeNode(node.type));
      if (isMethod && (ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name))) {
        methods.push(node.name.text.replace("#", ""));
      }
      ts.forEachChild(node, visit);
    };
    const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
    visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind));
    return { path, functions, renamed, methods, all };
  });
}

const irregular = /^(?:begun|found|given|gone|held|kept|known|left|made|seen|sent|shown|taken|written)$/;

/** Functions and methods whose name is a participle alone, such as `src/lists/conditions.ts tested`. */
function bareParticiples(names: readonly Names[]): string[] {
  return names.flatMap(({ path, functions, methods }) =>
    [...functions, ...methods].filter((name) => /^[a-z]+ed$/.test(name) || irregular.test(name)).map((name) =>
      `${path} ${name}`
    )
  ).sort();
}

const participle =
  /^(?:[a-z]+ed|begun|bound|brought|built|chosen|done|drawn|found|given|gone|grown|held|kept|known|left|lost|made|misspelt|saw|seen|sent|shown|taken|written)(?=[A-Z])/;

/** Verbs that end like a participle. */
const verbsInEd = new Set(["embed", "exceed", "feed", "need", "seed"]);

/** Functions that begin with a participle instead of a verb, such as `src/http/mount.ts offeredBy`. */
function findParticiples(names: readonly Names[]): string[] {
  return names.flatMap(({ path, functions }) =>
    functions.filter((name) => {
      const found = participle.exec(name);
      return found !== null && !verbsInEd.has(found[0]);
    }).map((name) => `${path} ${name}`)
  ).sort();
}

const sqlVerbs =
  /^(?:change|clear|compile|compose|count|delete|end|guard|has|insert|is|list|may|on|select|set|sum|update)[A-Z]/;

/** Functions that return SQL and are nouns, such as `src/sales/leads/queries.ts leadById`. */
function findSqlNouns(names: readonly Names[]): string[] {
  return names.flatMap(({ path, functions }) =>
    functions.filter((name) => /[a-z](?:ByIds?|Read)$/.test(name) && !sqlVerbs.test(name))
      .map((name) => `${path} ${name}`)
  );
}

const madeThings = /^(.*?)[a-z](?:Endpoints?|Event|OfRow|OfJson|Sql|Table)$/;
const makers = new Set(
  ("add call compare compile compose create declare describe draft emit find has hash index insert is join keep lacks list make merge mount needs notify " +
    "parse pick present quote raw read remove render require reserve select serve split take test write")
    .split(" "),
);

/** Functions that are named after the thing that they return, such as `src/sales/cases/parts.ts caseOfRow`. */
function findThings(names: readonly Names[]): string[] {
  return names.flatMap(({ path, functions }) =>
    functions.filter((name) => madeThings.test(name) && !makers.has(/^[a-z]+/.exec(name)?.[0] ?? ""))
      .map((name) => `${path} ${name}`)
  );
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

/** Functions and methods that are nouns in `-Of`, such as `src/sales/leads/write.ts rowOf`. */
function findNouns(names: readonly Names[]): string[] {
  return names.flatMap(({ path, functions, renamed, methods }) =>
    [...functions, ...renamed, ...methods].filter((name) => /[a-z]Of$/.test(name)).map((name) =>
      `${path} ${name}`
    )
  );
}

/** Words that only this project used, each with the word of the field that replaces it. */
const ownWords: Readonly<Record<string, string>> = {
  aside: "threaded; `setAside` stays, as the table and the log name it",
  astray: "missing",
  beside: "prefetched, extra",
  kick: "wake",
  lot: "batch",
  room: "quota, limit, capacity",
  rounds: "iterations",
  standing: "state, fixed",
  standings: "states",
  unborn: "late",
};

/** Names with a word of our own, and types called `Taken`, such as `src/later/queue.ts kickAll`. */
function namesWithOwnWords(names: readonly Names[]): string[] {
  return names.flatMap(({ path, all }) =>
    [...all].filter((name) => {
      const words = name.replaceAll(/set_?(?:record_?)?aside/gi, "").split(/(?=[A-Z])|[^A-Za-z]+/);
      return name === "Taken" || words.some((word) => Object.hasOwn(ownWords, word.toLowerCase()));
    }).map((name) => `${path} ${name}`)
  ).sort();
}

/** Lines that end with an expression that the formatter tore out of its text, such as `src/core/time.ts:4`. */
function tornExpressions(files: readonly Source[]): string[] {
  return files.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => /\$\{\s*$/.test(line) ? [`${path}:${index + 1}`] : [])
  );
}

/** Participles that stay, with the reason. */
const participles: Readonly<Record<string, string>> = {
  "src/core/answer.ts accepted": "the answer 202, by the name that HTTP gives it",
  "src/core/answer.ts created": "the answer 201, by the name that HTTP gives it",
  "src/entry/worker.ts scheduled": "the handler of timers, by the name that Workers gives it",
  "src/http/problems.ts unauthenticated": "the problem 401, by the code that the API gives it",
  "src/records/kinds.ts computed": "a kind of member, like `readOnly` and `internal`",
};

/** Names that begin with a participle and stay, with the reason. */
const participlesWithNouns: Readonly<Record<string, string>> = {
  "src/records/kinds.ts numberedId": "a kind of member, as lists of members name it",
  "src/records/kinds.ts requiredLine": "a kind of member, like `optionalLine`",
};

const names = namesIn(sources);
const testSources = readSources(root, "tests/");
const inTests = namesIn(testSources);

/** Verbs that say enough in the file of a helper, beside those with an object. */
const plainVerbs = new Set(
  ("accept act allow ask assign audit call compare connect copy evaluate exchange explain fill forget grow invite keep " +
    "learn leave look make measure meet merge parse perform plan plant play post prepare press put rearrange redeem " +
    "refuse regroup reject resolve send serve spoil stand subscribe summarize survive sweep tick unsubscribe upload " +
    "visit write").split(" "),
);

/** Files of tests whose helpers are nouns, with the reason. */
const nounsOfTests: Readonly<Record<string, string>> = {
  "tests/identity/fields/rules.ts": "kinds of rules, which lists of fields name like a schema",
};

/** Helpers of tests, exported by their file, that are one word and no verb, such as `tests/support/rows.ts rows`. */
function findPlainNouns(files: readonly Names[], exported: readonly Exported[]): string[] {
  const shared = new Set(exported.map(({ path, name }) => `${path} ${name}`));
  return files.filter(({ path }) => nounsOfTests[path] === undefined).flatMap(({ path, functions }) =>
    functions.filter((name) => /^[a-z]+$/.test(name) && !plainVerbs.has(name)).map((name) =>
      `${path} ${name}`
    )
  ).filter((name) => shared.has(name));
}

Deno.test("no function is a bare participle, except those with a reason", () => {
  assert.deepEqual(bareParticiples(names), Object.keys(participles));
  assert.deepEqual(bareParticiples(inTests.map((each) => ({ ...each, methods: [] }))), []);
});

Deno.test("no function begins with a participle, except those with a reason", () => {
  assert.deepEqual(findParticiples(names), Object.keys(participlesWithNouns));
  const text =
    "function keptRows() {}\nconst orderedBy = () => 1;\nfunction needsRow() {}\nfunction seedRows() {}";
  assert.deepEqual(findParticiples(namesIn([{ path: "src/db/rows.ts", text }])), [
    "src/db/rows.ts keptRows",
    "src/db/rows.ts orderedBy",
  ]);
});

Deno.test("a function that returns a statement is a verb", () => {
  assert.deepEqual(findSqlNouns(names), []);
  const text = "function leadById() {}\nconst ownerRead = () => 1;\nfunction selectLeadById() {}";
  assert.deepEqual(findSqlNouns(namesIn([{ path: "src/db/rows.ts", text }])), [
    "src/db/rows.ts leadById",
    "src/db/rows.ts ownerRead",
  ]);
});

Deno.test("a function that makes endpoints, events, records or SQL is a verb", () => {
  assert.deepEqual(findThings(names), []);
  const text = "function leadEndpoints() {}\nconst leadOfRow = () => 1;\nfunction declareLeadEndpoints() {}";
  assert.deepEqual(findThings(namesIn([{ path: "src/db/rows.ts", text }])), [
    "src/db/rows.ts leadEndpoints",
    "src/db/rows.ts leadOfRow",
  ]);
});

Deno.test("no name is exported by two files of a wing", () => {
  assert.deepEqual(namesStandingTwice(exportsIn(sources)), []);
});

Deno.test("no function is a noun in -Of", () => {
  assert.deepEqual(findNouns(names), []);
  const inFunctions = inTests.map((each) => ({ ...each, methods: [] }));
  assert.deepEqual(findNouns(inFunctions), []);
});

Deno.test("a helper that several tests import is a verb, with its object where the file does not give it", () => {
  assert.deepEqual(findPlainNouns(inTests, exportsIn(testSources)), []);
  const files = [{
    path: "tests/support/rows.ts",
    text: "export const rows = () => 1;\nexport function send() {}\nfunction own() {}\nexport const all = 1;",
  }];
  assert.deepEqual(findPlainNouns(namesIn(files), exportsIn(files)), ["tests/support/rows.ts rows"]);
});

Deno.test("names have the words of the field instead of our own", () => {
  assert.deepEqual(namesWithOwnWords(names), []);
});

Deno.test("no line ends within an expression of a text", () => {
  assert.deepEqual(tornExpressions([...sources, ...testSources]), []);
});

/** Constants in capitals, such as `src/core/ids.ts TOKEN_BYTES`. Types of one letter are none. */
function screamingConstants(files: readonly Source[]): string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(/\b(?:const|let) ([A-Z][A-Z0-9_]+)\b/g)].map(([, name]) => `${path} ${name}`)
  );
}

Deno.test("constants are in camel case", () => {
  assert.deepEqual(screamingConstants(sources), []);
  const files = [{ path: "src/core/ids.ts", text: "const TOKEN_BYTES = 20;\nconst uuidForm = /a/;" }];
  assert.deepEqual(screamingConstants(files), ["src/core/ids.ts TOKEN_BYTES"]);
});

Deno.test("the checks find names that stand twice, participles, nouns in -Of, own words and torn texts", () => {
  const files = [
    {
      path: "src/sales/leads/write.ts",
      text: "export async function placed() {}\nexport function rowOf() {}",
    },
    { path: "src/sales/cases/write.ts", text: "export const rowOf = 1;\nexport function needName() {}" },
    { path: "src/core/ids.ts", text: "export interface placed {}\nexport function readFeed() {}" },
    {
      path: "src/later/run.ts",
      text: "function run() { const kept = async ({ id }: Row) => id; function* idsOf() {} return kept; }",
    },
    { path: "src/later/queue.ts", text: "interface Taken { kickBudget: number; has_room: 1; showroom: 1 }" },
    {
      path: "src/staged/steps.ts",
      text: "const hasSetAside = set_aside + setRecordAside; class A { #lot = 1; partOf() {} #ended() {} }",
    },
    { path: "src/core/phone.ts", text: 'import { findCountry as countryOf } from "./reference.ts";' },
    { path: "src/lists/list.ts", text: "const ids = [`a ${a}`];\nconst text = `b $" + "{\n  b\n}`;" },
  ];
  const found = namesIn(files);
  assert.deepEqual(bareParticiples(found), [
    "src/later/run.ts kept",
    "src/sales/leads/write.ts placed",
    "src/staged/steps.ts ended",
  ]);
  assert.deepEqual(namesStandingTwice(exportsIn(files)), ["sales rowOf"]);
  assert.deepEqual(findNouns(found), [
    "src/sales/leads/write.ts rowOf",
    "src/later/run.ts idsOf",
    "src/staged/steps.ts partOf",
    "src/core/phone.ts countryOf",
  ]);
  assert.deepEqual(namesWithOwnWords(found), [
    "src/later/queue.ts Taken",
    "src/later/queue.ts has_room",
    "src/later/queue.ts kickBudget",
    "src/staged/steps.ts #lot",
  ]);
  assert.deepEqual(tornExpressions(files), ["src/lists/list.ts:2"]);
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

Deno.test("a file in backticks in a comment is there: beside the comment, or in the folder that the comment names", () => {
  assert.deepEqual(findMissingFiles(sources), []);
  const files = [
    { path: "src/core/ids.ts", text: "/** See `time.ts`, `core/time.ts`, `list.ts` and `lists/list.ts`. */" },
    { path: "src/core/time.ts", text: 'const text = "`gone.ts`"; // Not `serve.tsx`.' },
    { path: "src/lists/list.ts", text: "" },
  ];
  assert.deepEqual(findMissingFiles(files), ["src/core/ids.ts list.ts", "src/core/time.ts serve.tsx"]);
});

/** Files that comments name and that are not there, such as `src/core/time.ts serve.tsx`. */
function findMissingFiles(files: readonly Source[]): string[] {
  const paths = files.map(({ path }) => path);
  return files.flatMap(({ path, text }) => {
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    return [...text.matchAll(comment)].flatMap(([said]) => [...said.matchAll(/`([\w/]+\.tsx?)`/g)])
      .map(([, name]) => name!)
      .filter((name) =>
        !(name.includes("/")
          ? paths.some((each) => `/${each}`.endsWith(`/${name}`))
          : paths.includes(folder + name))
      ).map((name) => `${path} ${name}`);
  });
}

Deno.test("a function or type that the guide to the sources names is there", async () => {
  const guide = await Deno.readTextFile(new URL("src/docs/guides/sources.md", root));
  const known = new Set([...names, ...inTests].flatMap(({ all }) => [...all]));
  const named = [...guide.matchAll(/`([A-Za-z]+[a-z][A-Z]\w*)[`(]/g)].map(([, name]) => name!);
  assert.deepEqual(named.filter((name) => !known.has(name)), []);
  assert.ok(named.length > 10, named.join(" "));
});
