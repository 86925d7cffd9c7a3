/** Reads the list of leads of a view. */
import type { LeadList } from "../lead/summary.ts";
import type { TodayCounts } from "../today/load.ts";
import { creation, forms, readParameters } from "../parts/parameters.ts";
import { readAll } from "../parts/choices.ts";
import type { Visit } from "../visit.ts";

export const agencyViews = ["assignable", "rejected", "escalated", "called", "revoked"] as const;
export type AgencyView = typeof agencyViews[number];
export const ownViews = ["team", "mine", "all"] as const;
export type LeadView = typeof ownViews[number] | AgencyView;

/** Statuses of leads that are open. */
const open = "assignable,assigned,rejected,escalated,called,revoked";

/** The values that parameters of the address may have. */
const known = { search: forms.search, lead_types: forms.uuid, lead_sources: forms.search } as const;
const status = "(?:assignable|assigned|rejected|accepted|escalated|called|revoked)";
/** Those that the lists of the agency do not have. */
const ownOnly = {
  status: new RegExp(`^${status}(?:,${status})*$`),
  sort: /^escalates_at$/,
  users: forms.ids,
  teams: forms.ids,
  groups: forms.ids,
  ...creation,
} as const;

const operations: Readonly<Record<AgencyView, string>> = {
  assignable: "listAssignableLeads",
  rejected: "listRejectedLeads",
  escalated: "listEscalatedLeads",
  called: "listCalledLeads",
  revoked: "listRevokedLeads",
};

export interface LeadsContent {
  readonly view: LeadView;
  readonly views: readonly LeadView[];
  readonly leads: LeadList;
  readonly counts: TodayCounts;
  /** The number of all leads that the person sees. */
  readonly all: number;
  readonly types: readonly { readonly id: string; readonly name: string }[];
  readonly sources: readonly string[];
  /** Those of the address that the list follows and the form does not show. */
  readonly kept: Readonly<Record<string, string>>;
  /** Parameters that the address has and that mean nothing. */
  readonly ignored: readonly string[];
}

export async function readLeads(visit: Visit): Promise<LeadsContent> {
  const { query, call, may } = visit;
  const views: readonly LeadView[] = may("agency") ? [...ownViews, ...agencyViews] : ownViews;
  const asked = query.get("view") ?? "team";
  const view = views.find((one) => one === asked) ?? "team";
  const isAgencys = view in operations;
  const { values, ignored } = readParameters(query, isAgencys ? known : { ...known, ...ownOnly }, ["view"]);
  const { operation, own } = chooseCall(view, values);
  const [leads, counts, all, types, sources] = await Promise.all([
    call<LeadList>(operation, {
      query: {
        ...own,
        view: "summary",
        per_page: "25",
      },
    }),
    call<TodayCounts>("getCounts"),
    call<LeadList>("listLeads", { query: { view: "summary", per_page: "1" } }),
    readAll<{ id: string; name: string }>(visit, "listLeadTypes"),
    call<{ data: { lead_source: string }[] }>("listLeadSources"),
  ]);
  return {
    view,
    views,
    leads,
    counts,
    all: all.pagination.total,
    types,
    sources: sources.data.map(({ lead_source }) => lead_source),
    kept: Object.fromEntries(
      Object.keys(ownOnly).flatMap((name) => values[name] === undefined ? [] : [[name, values[name]]]),
    ),
    ignored: [...(view === asked ? [] : ["view"]), ...ignored],
  };
}

/** Returns the open ones of the statuses that the address names; all open ones where it names none of them. */
function chooseStatuses(asked: string | undefined): string {
  const named = asked?.split(",").filter((one) => open.split(",").includes(one)) ?? [];
  return named.length > 0 ? named.join(",") : open;
}

/** Returns the call of a view with its parameters. The lists of the agency have an order of their own. */
function chooseCall(view: LeadView, filters: Readonly<Record<string, string>>) {
  if (view in operations) {
    const { lead_types: lead_type_id, ...rest } = filters;
    return {
      operation: operations[view as AgencyView],
      own: lead_type_id ? { ...rest, lead_type_id } : rest,
    };
  }
  const sorted = { ...filters, sort: "escalates_at" };
  if (view === "all") return { operation: "listLeads", own: sorted };
  if (view === "mine") return { operation: "listLeads", own: { ...sorted, show: "mine" } };
  return { operation: "listLeads", own: { ...sorted, show: "team", status: chooseStatuses(filters.status) } };
}
