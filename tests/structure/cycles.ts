/** Files that reach themselves by their imports, be it of types alone. */
import { findImports, resolve, type Source } from "./imports.ts";

/**
 * Returns one line for each circle of files. A type that both of two files need stands in a small file below
 * both.
 */
export function fileCycles(sources: readonly Source[]): string[] {
  const known = new Set(sources.map(({ path }) => path));
  const edges = new Map(sources.map(({ path, text }) => [
    path,
    findImports(text).filter(({ specifier }) => specifier.startsWith("."))
      .map(({ specifier }) => resolve(path, specifier)).filter((to) => known.has(to)),
  ]));
  const found: string[] = [];
  const state = new Map<string, "open" | "done">();
  const walk = (path: string, way: readonly string[]) => {
    state.set(path, "open");
    for (const next of edges.get(path)!) {
      if (state.get(next) === "open") found.push([...way.slice(way.indexOf(next)), next].join(" -> "));
      else if (!state.has(next)) walk(next, [...way, next]);
    }
    state.set(path, "done");
  };
  for (const path of edges.keys()) if (!state.has(path)) walk(path, [path]);
  return found;
}
