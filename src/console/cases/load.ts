/** Reads a page of cases. */
import { findable, findName, type Offer, readPeople, readTeams } from "../parts/choices.ts";
import type { Pagination } from "../parts/list.tsx";
import type { Visit } from "../visit.ts";
import { creation, forms, readCaseParameters, type ValueForm } from "../parts/parameters.ts";

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
  readonly people: Offer;
  readonly teams: Offer;
  /** Those of the address that the list follows and the form does not show. */
  readonly kept: Readonly<Record<string, string>>;
  /** Parameters that the address has and that mean nothing. */
  readonly ignored: readonly string[];
}

/** The values that parameters of the address may have. */
const known: Readonly<Record<string, ValueForm>> = {
  view: forms.caseView,
  show: /^(?:all|mine|team)$/,
  status: /^(?:open|closed|declined)$/,
  sort: /^-?(?:created_at|updated_at|latest_activity_at|estimated_close_date|value)$/,
  sort_mode: /^(?:important|recent)$/,
  search: forms.search,
  users: forms.ids,
  teams: forms.ids,
  relations_paths: forms.uuids,
  milestone_ids: /^(?:none|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i,
  lead_types: forms.uuids,
  lead_sources: forms.search,
  account_ids: forms.uuids,
  contact_ids: forms.uuids,
  created_from_lead: forms.flag,
  ...creation,
  ...Object.fromEntries(findable.map((of) => [findName(of), forms.search])),
};

/** Those that the form does not show. */
const narrowing = [
  "relations_paths",
  "milestone_ids",
  "lead_types",
  "lead_sources",
  "account_ids",
  "contact_ids",
  "created_from_lead",
  "start_at",
  "end_at",
];

export async function readCases(visit: Visit): Promise<CasesContent> {
  const { query, call } = visit;
  const { values: { show, view: _, sort, ...asked }, ignored } = readCaseParameters(query, known);
  const values = Object.fromEntries(Object.entries(asked).filter(([name]) => !name.startsWith("find_")));
  // The list has one order at a time.
  const isSorted = sort !== undefined && values.sort_mode === undefined;
  const shown: Record<string, string> = show === undefined || show === "all" ? {} : { show };
  const [cases, people, teams] = await Promise.all([
    call<CasesContent["cases"]>("listCases", {
      query: { ...values, ...(isSorted ? { sort } : {}), ...shown, view: "summary", per_page: "25" },
    }),
    readPeople(visit),
    readTeams(visit),
  ]);
  const kept = Object.entries(values).filter(([name]) => narrowing.includes(name));
  return {
    cases,
    ignored: sort !== undefined && !isSorted ? ["sort", ...ignored] : ignored,
    people,
    teams,
    kept: Object.fromEntries(kept),
  };
}
