/** Rules for the imports of `src`, read from the import statements. */

/** One source file: its path from the project's root with forward slashes, and its text. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** The files beside `app.ts`: they join what the features contribute. */
const appFiles = [
  "app.ts",
  "contributions.ts",
  "deps.ts",
  "erase.ts",
  "feature.ts",
  "features.ts",
  "foundation.ts",
  "jobs.ts",
  "mail_kinds.ts",
  "notices.ts",
  "schema.ts",
  "staged_kinds.ts",
  "triggers.ts",
];

/** Files of types alone, which lower layers may know. */
const typeFiles: ReadonlySet<string> = new Set(["deps.ts", "feature.ts"]);

/** Layers from the bottom up. A layer imports itself and those before it. Peers share a line. */
export const layers: readonly (readonly string[])[] = [
  ["core"],
  ["config.ts"],
  ["platform"],
  ["fields"],
  ["db"],
  ["facts"],
  ["lists"],
  ["http"],
  ["records"],
  ["later"],
  ["filters", "staged"],
  ["identity"],
  ["customers"],
  ["sales"],
  ["library"],
  ["messages"],
  ["insight", "delivery"],
  ["integration", "console"],
  ["docs"],
  appFiles,
  ["entry", "cli"],
];

/** Layers whose members import each other; elsewhere peers do not. */
const filesOfOneLevel: ReadonlySet<string> = new Set([...appFiles, "entry", "cli"]);

/** The folders of features: `src/sales/leads/` is the feature `sales/leads`. */
const wingNames: ReadonlySet<string> = new Set(
  layers.slice(findLevel("identity"), findLevel("docs")).flat(),
);

/** Bundled data: the list of migrations, for runtimes that cannot read files, and bodies of events. */
const bundledPackages: ReadonlySet<string> = new Set([
  "drizzle/meta/_journal.json",
  "src/docs/payloads.json",
]);

/** Texts that are bundled with the source that imports them. */
const bundledTexts = /^src\/docs\/(?:guides\/)?[\w-]+\.md$/;

/** Layers that use the modules and globals of a runtime; everything else runs on every runtime. */
const runtimeLayers: ReadonlySet<string> = new Set(["entry", "cli", "platform"]);

/** Modules that workerd lacks: nothing that the Workers entry reaches may use them. */
const notOnWorkerd = [
  "node:sqlite",
  "node:fs",
  "node:fs/promises",
  "node:child_process",
  "node:worker_threads",
  "node:os",
  "libsql",
  "@libsql/client",
];

/** Returns one line for each fault, in the order of the files. */
export function importFaults(sources: readonly Source[]): string[] {
  const known = new Map(sources.map((source) => [source.path, source]));
  return [
    ...sources.flatMap((source) => fileFaults(source, known)),
    ...workerFaults(known),
  ];
}

/** Reads every TypeScript file of `src` under the given root. */
export function readSources(root: URL, top = "src/"): Source[] {
  const found: Source[] = [];
  const walk = (folder: string) => {
    for (const entry of Deno.readDirSync(new URL(folder, root))) {
      const path = folder + entry.name;
      if (entry.name === "node_modules") continue;
      if (entry.isDirectory) walk(`${path}/`);
      else if (/\.tsx?$/.test(path)) found.push({ path, text: Deno.readTextFileSync(new URL(path, root)) });
    }
  };
  walk(top);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

export interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
  /** The names in braces that are imported as values. */
  readonly values: readonly string[];
}

export function findImports(text: string): Import[] {
  const code = withoutComments(text);
  const statements = code.matchAll(/^[ \t]*(?:import|export)\b([^;'"`=()]*?)\bfrom\s*["']([^"']+)["']/gm);
  const bare = code.matchAll(/^[ \t]*import\s*["']([^"']+)["']/gm);
  const dynamic = code.matchAll(/\bimport\(\s*["'`]([^"'`]+)["'`]/g);
  return [
    ...[...statements].map((match) => ({
      specifier: match[2] ?? "",
      typeOnly: isTypeOnly(match[1] ?? ""),
      values: valuesIn(match[1] ?? ""),
    })),
    ...[...bare, ...dynamic].map((match) => ({ specifier: match[1] ?? "", typeOnly: false, values: [] })),
  ];
}

function valuesIn(clause: string): string[] {
  if (isTypeOnly(clause)) return [];
  return splitItems(clause).filter((item) => !item.startsWith("type ")).map((item) => item.split(/\s/)[0]!);
}

/** The items of a list in braces. */
function splitItems(clause: string): string[] {
  const list = /^\{([^}]*)\}$/.exec(clause.trim())?.[1];
  return (list ?? "").split(",").map((item) => item.trim()).filter((item) => item !== "");
}

/** `type { A }`, `type * as A`, or a list in which every name carries `type`. */
function isTypeOnly(clause: string): boolean {
  const names = clause.trim();
  if (/^type\s+[{*A-Za-z]/.test(names)) return true;
  const items = splitItems(names);
  return items.length > 0 && items.every((item) => item.startsWith("type "));
}

/**
 * Removes comments. Removes a line comment only if the line has nothing else, because a string may contain
 * `//`.
 */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^[ \t]*\/\/.*$/gm, "");
}

function fileFaults(source: Source, known: ReadonlyMap<string, Source>): string[] {
  const { path } = source;
  const layer = getLayer(path);
  const faults: string[] = [];
  const fault = (text: string) => faults.push(`${path}: ${text}`);
  if (findLevel(layer) < 0) fault("is in no known layer");

  const code = withoutComments(source.text);
  if (!runtimeLayers.has(layer) && /\bDeno\s*\./.test(code)) {
    fault("uses Deno.* outside entry, cli and platform");
  }
  if (typeFiles.has(layer) && /^export\s+(?:default|const|let|function|async|class|enum)\b/m.test(code)) {
    fault("holds more than types");
  }

  for (const { specifier, typeOnly, values } of findImports(source.text)) {
    if (/^(?:npm|jsr|https?):/.test(specifier)) fault(`${specifier} is not named in deno.json`);
    if (specifier.startsWith("node:") && !runtimeLayers.has(layer)) {
      fault(`imports ${specifier} outside entry, cli and platform`);
    }
    if (!specifier.startsWith(".")) continue;
    const target = resolve(path, specifier);
    if (bundledPackages.has(target) || bundledTexts.test(target)) continue;
    if (!known.has(target)) fault(`imports ${target}, which is no source file of src`);
    else {
      const problem = edgeFault(path, target, typeOnly) ?? recordFault(path, known.get(target)!, values);
      if (problem !== null) fault(`imports ${target}: ${problem}`);
    }
  }
  return faults;
}

function edgeFault(from: string, to: string, typeOnly: boolean): string | null {
  const [importer, imported] = [getLayer(from), getLayer(to)];
  if (typeFiles.has(importer) && !typeOnly) return `${importer} holds types only`;
  if (typeFiles.has(imported)) {
    if (!typeOnly) return "it is imported with `import type` only";
    const describes = imported !== "feature.ts" || appFiles.includes(importer) || isManifest(from);
    if (!describes) return "only a feature's own feature.ts and the files beside app.ts know it";
    return findLevel(importer) >= findLevel("db") ? null : "known from db upwards only";
  }
  if (isManifest(to) && importer !== "features.ts") {
    return "only features.ts reads what a feature contributes";
  }
  if (isRoutes(to) && from !== to.replace(/routes\.ts$/, "feature.ts")) {
    return "only the feature.ts beside it imports the endpoints of a feature";
  }
  if (imported === "schema.ts" || imported === "triggers.ts") {
    const gathers = importer === "cli" || importer === "erase.ts";
    return gathers ? null : "only the command line, the erasing of companies and tests gather tables";
  }
  const tableOf = featureOfTable(to);
  if (tableOf !== null && tableOf !== findFeature(from) && !mayReadTables(from)) {
    return `the tables of ${tableOf} are its own; use its verbs and queries`;
  }
  if (findLevel(importer) > findLevel(imported)) return null;
  if (importer === imported) return null;
  if (findLevel(importer) === findLevel(imported) && filesOfOneLevel.has(importer)) return null;
  return `${importer} is below or beside ${imported}`;
}

/** A record's file has its tables beside its schemas and its presenter, which other features use. */
function recordFault(from: string, { path, text }: Source, values: readonly string[]): string | null {
  const feature = isRecord(path) ? findFeature(path) : null;
  if (feature === null || feature === findFeature(from) || mayReadTables(from)) return null;
  const tables = [...text.matchAll(/^export const (\w+) = sqliteTable\(/gm)].map(([, name]) => name!);
  const taken = values.filter((name) => tables.includes(name));
  return taken.length > 0 ? `${taken} of ${feature} is its own table; use its verbs and queries` : null;
}

/** The `feature.ts` of a feature, which says what it contributes. */
function isManifest(path: string): boolean {
  return path.endsWith("/feature.ts") && findFeature(path) !== null;
}

/** The endpoints of a feature. */
function isRoutes(path: string): boolean {
  return path.endsWith("/routes.ts") && findFeature(path) !== null;
}

/** Foreign keys join table files; the command line seeds them. */
function mayReadTables(path: string): boolean {
  return path.endsWith("/table.ts") || isRecord(path) || getLayer(path) === "cli";
}

/** Everything that the Workers entry imports by value must run on workerd. */
function workerFaults(known: ReadonlyMap<string, Source>): string[] {
  const reached = new Set<string>();
  const faults: string[] = [];
  const visit = (path: string, way: readonly string[]) => {
    const source = known.get(path);
    if (source === undefined || reached.has(path)) return;
    reached.add(path);
    const here = [...way, path];
    if (/\bDeno\s*\./.test(withoutComments(source.text))) {
      faults.push(`${path}: uses Deno.* and is part of the worker (${here.join(" -> ")})`);
    }
    for (const { specifier, typeOnly } of findImports(source.text)) {
      if (typeOnly) continue;
      if (specifier.startsWith(".")) visit(resolve(path, specifier), here);
      else if (notOnWorkerd.includes(specifier)) {
        faults.push(`${path}: ${specifier} does not run on workerd (${here.join(" -> ")})`);
      }
    }
  };
  visit("src/entry/worker.ts", []);
  return faults;
}

function getLayer(path: string): string {
  return path.split("/")[1] ?? "";
}

function findLevel(layer: string): number {
  return layers.findIndex((peers) => peers.includes(layer));
}

function findFeature(path: string): string | null {
  const [, wing, feature, ...rest] = path.split("/");
  return wing !== undefined && wingNames.has(wing) && rest.length > 0 ? `${wing}/${feature}` : null;
}

/** `record.ts`, the record of a feature. */
export function isRecord(path: string): boolean {
  return path.endsWith("/record.ts");
}

/** The feature that declares its tables in the file. */
export function featureOfTable(path: string): string | null {
  return path.endsWith("/table.ts") ? findFeature(path) : null;
}

export function resolve(from: string, specifier: string): string {
  return new URL(specifier, `file:///${from}`).pathname.slice(1);
}
