/** How the features of a wing depend on each other: by the values that they import, and by the tables in their SQL. */
import type { Source } from "./imports.ts";
import { featureOfTable, findImports, isRecord, resolve } from "./imports.ts";

/** A wing is a folder of `src`; its folders are features. */
const wings =
  /^src\/(identity|customers|sales|library|messages|insight|delivery|integration|console)\/([^/]+)(\/)?/;

/** The feature of a file, such as `sales/leads`; null outside of features. */
export function findFeature(path: string): string | null {
  const [, wing, name, isFolder] = wings.exec(path) ?? [];
  return isFolder === undefined ? null : `${wing}/${name}`;
}

/**
 * Returns the cycles of value imports among the features of a wing. Each is the shortest way around, such as
 * `sales/cases -> sales/tasks -> sales/cases`, and starts at its first feature in the alphabet. A file at the
 * root of a wing counts as a feature, so that it hides no import.
 */
export function valueCycles(sources: readonly Source[]): string[] {
  const edges = valueImports(sources);
  const seen = new Set<string>();
  return [...edges.keys()].sort().flatMap((feature) => {
    const way = seen.has(feature) ? null : wayBack(feature, edges);
    way?.forEach((each) => seen.add(each));
    return way === null ? [] : [way.join(" -> ")];
  });
}

/** The features of the same wing that each feature imports values of. */
function valueImports(sources: readonly Source[]): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  const described = new Set(sources.filter(isDescribed).map(({ path }) => path));
  for (const { path, text } of sources) {
    const from = described.has(path) ? null : findNode(path);
    if (from === null) continue;
    for (const { specifier, typeOnly } of findImports(text)) {
      if (typeOnly || !specifier.startsWith(".")) continue;
      const file = resolve(path, specifier);
      const to = described.has(file) ? null : findNode(file);
      if (to === null || to === from || getWing(to) !== getWing(from)) continue;
      edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
  }
  return edges;
}

/**
 * The feature of a file, or the file itself at the root of a wing, such as `messages/belonging.ts`. Nobody imports endpoints
 * and what a feature contributes, so that they stand above all features of the wing; tables stand below them.
 */
function findNode(path: string): string | null {
  if (/\/(?:routes|feature|table)\.ts$/.test(path)) return null;
  const [, wing, name] = wings.exec(path) ?? [];
  return wing === undefined ? null : `${wing}/${name}`;
}

/** A record that is described once has its table in its file, and stands below the features as a table does. */
function isDescribed({ path, text }: Source): boolean {
  return isRecord(path) && /\bsqliteTable\(/.test(text);
}

const getWing = (feature: string) => feature.split("/")[0];

/** Returns the shortest way from the feature back to itself, or null. */
function wayBack(feature: string, edges: ReadonlyMap<string, ReadonlySet<string>>): string[] | null {
  const reached = new Set<string>();
  for (const ways = [[feature]]; ways.length > 0;) {
    const way = ways.shift()!;
    for (const next of edges.get(way.at(-1)!) ?? []) {
      if (next === feature) return [...way, next];
      if (reached.has(next)) continue;
      reached.add(next);
      ways.push([...way, next]);
    }
  }
  return null;
}

/**
 * Returns the tables that the SQL of a feature names although another feature declares them, as
 * `feature: table`.
 */
export function foreignTables(sources: readonly Source[]): string[] {
  const owners = new Map<string, string | null>();
  for (const { path, text } of sources) {
    for (const [, table] of text.matchAll(/\bsqliteTable\(\s*"(\w+)"/g)) {
      owners.set(table!, isRecord(path) ? findFeature(path) : featureOfTable(path));
    }
  }
  const found = new Set<string>();
  for (const { path, text } of sources) {
    const feature = findFeature(path);
    if (feature === null) continue;
    for (const table of tablesIn(text)) {
      const owner = owners.get(table);
      if (owner && owner !== feature) found.add(`${feature}: ${table}`);
    }
  }
  return [...found].sort();
}

/** Returns the tables of features that the code of `db` names, in SQL or as a text. */
export function tablesInDb(sources: readonly Source[]): string[] {
  const owned = new Set(
    sources.filter(({ path }) => !path.startsWith("src/db/"))
      .flatMap(({ text }) => [...text.matchAll(/\bsqliteTable\(\s*"(\w+)"/g)].map(([, table]) => table!)),
  );
  const named = sources.filter(({ path }) => path.startsWith("src/db/")).flatMap(({ text }) => [
    ...tablesIn(text),
    ...[...text.matchAll(/sql`(\w+)`|"(\w+)"/g)].map(([, piece, name]) => (piece ?? name)!),
  ]);
  return [...new Set(named)].filter((table) => owned.has(table)).sort();
}

/** Returns the names in places where SQL has a table. */
function tablesIn(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(
    /^[ \t]*\/\/.*$/gm,
    "",
  );
  return [...code.matchAll(/\b(?:from|join|update|into)\s+([a-z][a-z_]*)\b/g)]
    .map(([, name]) => name!);
}
