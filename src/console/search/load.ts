/** Reads what the search over everything finds. */
import { forms, readParameters } from "../parts/parameters.ts";
import type { Visit } from "../visit.ts";
import type { FoundType } from "./schema.ts";

export interface FoundItem {
  readonly id: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly status: string | null;
}

export interface FoundGroup {
  readonly type: FoundType;
  readonly total: number;
  readonly items: readonly FoundItem[];
}

export interface SearchContent {
  /** Null: the address asks for nothing. */
  readonly asked: string | null;
  readonly groups: readonly FoundGroup[];
  readonly ignored: readonly string[];
}

export async function readSearch({ query, call }: Visit): Promise<SearchContent> {
  const { values, ignored } = readParameters(query, { q: forms.search });
  const asked = values.q ?? null;
  if (asked === null) return { asked, groups: [], ignored };
  const { data } = await call<{ data: readonly FoundGroup[] }>("searchAll", { query: { q: asked } });
  return { asked, groups: data, ignored };
}

/** Where the records of a kind are shown. */
interface Place {
  readonly of: (id: string) => string;
  /** The list of all that are found; null while the console has none. */
  readonly all: ((search: string) => string) | null;
  /** Whether the address is a file, which a page cannot show in its place. */
  readonly isFile?: true;
}

const customers = (kind: "accounts" | "contacts"): Place => ({
  of: (id) => `/app/${kind}/${id}`,
  all: (search) => `/app/customers?${new URLSearchParams({ kind, search })}`,
});

export const places: Readonly<Record<FoundType, Place>> = {
  account: customers("accounts"),
  contact: customers("contacts"),
  case: {
    of: (id) => `/app/cases/${id}`,
    all: (search) => `/app/cases?${new URLSearchParams({ view: "list", search })}`,
  },
  lead: {
    of: (id) => `/app/leads/${id}`,
    all: (search) => `/app/leads?${new URLSearchParams({ view: "all", search })}`,
  },
  file: { of: (id) => `/app/files/${id}/download`, all: null, isFile: true },
};
