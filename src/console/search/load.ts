/** Reads what global search finds. */
import type { PageOf, Pagination } from "../parts/list.tsx";
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
  /** Which of them the page shows, where it is their whole list. */
  readonly pagination?: Pagination;
}

export interface SearchContent {
  /** Null: the address asks for nothing. */
  readonly asked: string | null;
  readonly groups: readonly FoundGroup[];
  readonly ignored: readonly string[];
}

interface FilePage extends PageOf<{ readonly id: string; readonly name: string; readonly size: number }> {}

/** `types=file`: the whole list of files that are found, which have no other page yet. */
export async function readSearch({ query, call, formats }: Visit): Promise<SearchContent> {
  const { values, ignored } = readParameters(query, { q: forms.search, types: /^file$/ });
  const { q: asked = null, types, page = "1" } = values;
  if (asked === null) return { asked, groups: [], ignored };
  if (types) {
    const { data, pagination } = await call<FilePage>("listFiles", {
      query: { search: asked, page, per_page: "25" },
    });
    const items = data.map(({ id, name, size }) => ({
      id,
      title: name,
      subtitle: formats.bytes(size),
      status: null,
    }));
    const files = { type: "file" as const, total: pagination.total, items, pagination };
    return { asked, groups: items.length > 0 ? [files] : [], ignored };
  }
  const { data } = await call<{ data: readonly FoundGroup[] }>("searchAll", { query: { q: asked } });
  return { asked, groups: data, ignored };
}

/** Where the records of a kind are shown. */
interface Place {
  readonly of: (id: string) => string;
  /** The list of all that are found. */
  readonly all: (search: string) => string;
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
  file: {
    of: (id) => `/app/files/${id}/download`,
    all: (q) => `/app/search?${new URLSearchParams({ q, types: "file" })}`,
    isFile: true,
  },
};
