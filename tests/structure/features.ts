/** How the features of a wing depend on each other: by the values that they import, and by the tables in their SQL. */
import type { Source } from "./imports.ts";
import { importsOf, resolve } from "./imports.ts";

/** Folders of `src` whose folders are features. */
const wings =
  /^src\/(identity|customers|sales|library|messages|insight|delivery|integration|console)\/([^/]+)\//;

/** The feature of a file, such as `sales/leads`; null outside of features. */
export function featureOf(path: string): string | null {
  const [, wing, feature] = wings.exec(path) ?? [];
  return wing === undefined ? null : `${wing}/${feature}`;
}

/** Pairs of features of one wing that reach each other by imports of values, each as `a <-> b`, sorted. */
export function valueCycles(sources: readonly Source[]): string[] {
  const edges = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    const from = featureOf(path);
    if (from === null) continue;
    for (const { specifier, typeOnly } of importsOf(text)) {
      if (typeOnly || !specifier.startsWith(".")) continue;
      const to = featureOf(resolve(path, specifier));
      if (to === null || to === from || wingOf(to) !== wingOf(from)) continue;
      edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
  }
  const pairs = [...edges].flatMap(([from, tos]) =>
    [...tos].filter((to) => from < to && edges.get(to)?.has(from)).map((to) => `${from} <-> ${to}`)
  );
  return pairs.sort();
}

const wingOf = (feature: string) => feature.split("/")[0];

/** The tables that SQL of a feature names although another feature declares them, each as `feature: table`. */
export function foreignTables(sources: readonly Source[]): string[] {
  const owners = new Map<string, string | null>();
  for (const { path, text } of sources) {
    for (const [, table] of text.matchAll(/\bsqliteTable\(\s*"(\w+)"/g)) {
      owners.set(table!, featureOf(path));
    }
  }
  const found = new Set<string>();
  for (const { path, text } of sources) {
    const feature = featureOf(path);
    if (feature === null) continue;
    for (const table of tablesIn(text)) {
      const owner = owners.get(table);
      if (owner && owner !== feature) found.add(`${feature}: ${table}`);
    }
  }
  return [...found].sort();
}

/** Names that stand where SQL has a table. */
function tablesIn(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(
    /^[ \t]*\/\/.*$/gm,
    "",
  );
  return [...code.matchAll(/\b(?:from|join|update|into)\s+([a-z][a-z_]*)\b/g)]
    .map(([, name]) => name!);
}
