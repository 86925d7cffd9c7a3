/** What an empty list says: that nothing matches what its address asks for, or that there is nothing yet. */
import type { Visit } from "../visit.ts";

interface Empty {
  readonly empty: string;
  readonly action: { readonly href: string; readonly text: string } | null;
}

/**
 * `home`: the address of the whole list. `besides`: parameters that do not narrow it. `isFiltered`: whether it follows
 * conditions. `usual`: what it says when nothing is narrowed.
 */
export function explainEmpty(
  { query, texts }: Visit,
  { home, besides, isFiltered = false, usual }: {
    home: string;
    besides: readonly string[];
    isFiltered?: boolean;
    usual: Empty;
  },
): Empty {
  const isNarrowed = isFiltered ||
    [...query].some(([name, value]) => value.trim() !== "" && !besides.includes(name));
  return isNarrowed
    ? { empty: texts.customers.noMatch, action: { href: home, text: texts.filter.clear } }
    : usual;
}
