/** Reads a page of cases. */
import type { Pagination } from "../parts/list.tsx";
import type { Visit } from "../visit.ts";
import { pageOf } from "../parts/page_number.ts";

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
  show: /^(?:mine|team)$/,
  status: /^(?:open|closed|declined)$/,
  sort_mode: /^(?:important|recent)$/,
  search: /^[^\0]{1,200}$/,
  users: /^\d{1,15}(?:,\d{1,15}){0,49}$/,
  teams: /^\d{1,15}(?:,\d{1,15}){0,49}$/,
};

export async function readCases(visit: Visit): Promise<CasesContent> {
  const ignored: string[] = [];
  const asked: Record<string, string> = {};
  for (const [name, form] of Object.entries(known)) {
    const value = visit.query.get(name)?.trim();
    if (!value || (name === "show" && value === "all")) continue;
    if (form.test(value)) asked[name] = value;
    else ignored.push(name);
  }
  const { page, isKnown } = pageOf(visit.query);
  if (!isKnown) ignored.push("page");
  const cases = await visit.call<CasesContent["cases"]>("listCases", {
    query: { ...asked, view: "summary", per_page: "25", page },
  });
  return { cases, ignored };
}
