/** Reads a page of cases. */
import type { Pagination } from "../parts/list.tsx";
import type { Visit } from "../visit.ts";
import { forms, readParameters } from "../parts/parameters.ts";

interface Named {
  readonly id: string;
  readonly name: string | null;
}

export interface CaseEntry {
  readonly id: string;
  readonly case_number: number;
  readonly status: string;
  readonly account: Named;
  readonly contact: Named;
  readonly relations_paths: { readonly name: string };
  readonly user: { readonly name: string } | null;
  readonly latest_activity_at: string | null;
  readonly created_at: string;
}

export interface CasesContent {
  readonly cases: {
    readonly data: readonly CaseEntry[];
    readonly pagination: Pagination;
    readonly statuses: Readonly<Record<"all" | "open" | "closed" | "declined", number>>;
  };
  /** Parameters that the address has and that mean nothing. */
  readonly ignored: readonly string[];
}

/** The values that parameters of the address may have. */
const known: Readonly<Record<string, RegExp>> = {
  show: /^(?:all|mine|team)$/,
  status: /^(?:open|closed|declined)$/,
  sort_mode: /^(?:important|recent)$/,
  search: forms.search,
  users: forms.ids,
  teams: forms.ids,
};

export async function readCases({ query, call }: Visit): Promise<CasesContent> {
  const { values: { show, ...values }, ignored } = readParameters(query, known);
  const shown: Record<string, string> = show === undefined || show === "all" ? {} : { show };
  const cases = await call<CasesContent["cases"]>("listCases", {
    query: { ...values, ...shown, view: "summary", per_page: "25" },
  });
  return { cases, ignored };
}
