/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** What the page could not follow. */
import type { Visit } from "../visit.ts";

/** Names parameters of the address that mean nothing. */
export function Ignored({ visit, names }: { visit: Visit; names: readonly string[] }) {
  if (names.length === 0) return null;
  return <p class="alert" role="alert">{visit.texts.ignored(names.join(", "))}</p>;
}
