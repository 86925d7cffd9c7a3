/** Reads what Today shows. The calls run beside each other and go to the database together. */
import { dayMs, formatTimestamp } from "../../core/time.ts";
import type { LeadList } from "../lead/summary.ts";
import type { PageOf } from "../parts/list.tsx";
import { readInnerPages } from "../parts/parameters.ts";
import type { Visit } from "../visit.ts";
import { acceptable } from "../lead/summary.ts";
import type { NotificationList } from "./notifications.tsx";
import type { TaskList } from "./tasks.tsx";

export interface TodayCounts {
  readonly leads: { readonly waiting: number; readonly mine: number; readonly team: number };
  readonly agency:
    | Readonly<Record<"assignable" | "rejected" | "escalated" | "called" | "revoked", number>>
    | null;
}

export interface Content {
  readonly leads: LeadList;
  readonly agency: TodayCounts["agency"];
  readonly tasks: TaskList;
  readonly notifications: NotificationList;
  /** What a company lacks, for its admins. */
  readonly missing: readonly Missing[];
  /** Parameters of the address that mean nothing. */
  readonly ignored: readonly string[];
}

/** What a company is set up with, by the call that lists it and the records that it needs. */
const needed = {
  process: { operation: "listRelationsPaths", least: 1 },
  leadType: { operation: "listLeadTypes", least: 1 },
  colleague: { operation: "listUsers", least: 2 },
} as const;
export type Missing = keyof typeof needed;

async function readMissing({ call, person }: Visit): Promise<Missing[]> {
  const { userType, companyId } = person.known.caller!;
  if (userType !== "admin") return [];
  const params = { company_id: String(companyId) };
  const kinds = Object.keys(needed) as Missing[];
  const found = await Promise.all(kinds.map(async (kind) => {
    const { operation, least } = needed[kind];
    const query = { per_page: "1" };
    const { pagination } = await call<PageOf<unknown>>(operation, { params, query });
    return pagination.total < least;
  }));
  return kinds.filter((_, at) => found[at]);
}

/** Entries of a section. */
const most = "25";

/** An admin accepts leads of any team. */
const acceptsAll = ({ person }: Visit) => person.known.caller!.userType === "admin";

/** Returns the address of the list of all leads that the person may accept. */
export function composeWaitingAddress(visit: Visit): string {
  return `/app/leads?view=${acceptsAll(visit) ? "all" : "team"}&status=${acceptable.join(",")}`;
}

/** Reads the leads that the person may accept, the soonest end of a countdown first. `most`: at most so many. */
export async function readWaitingLeads(visit: Visit, most: string): Promise<LeadList> {
  const mine: Record<string, string> = acceptsAll(visit) ? {} : { show: "team" };
  return await visit.call<LeadList>("listLeads", {
    query: { ...mine, status: acceptable.join(","), sort: "escalates_at", view: "summary", per_page: most },
  });
}

export async function readToday(visit: Visit): Promise<Content> {
  const { call } = visit;
  const until = formatTimestamp(visit.now + 7 * dayMs);
  const { pages, ignored } = readInnerPages(visit.query, ["tasks"]);
  // By their end: those that are overdue, then those due today, then the others.
  const tasksOfWeek = { show: "mine", end_at: until, status: "overdue,pending,later", sort: "end_at" };
  const [leads, counts, tasks, notifications, missing] = await Promise.all([
    readWaitingLeads(visit, most),
    call<TodayCounts>("getCounts"),
    call<TaskList>("listTasks", { query: { ...tasksOfWeek, ...pages.tasks } }),
    call<NotificationList>("listNotifications", { query: { show: "unread", per_page: most } }),
    readMissing(visit),
  ]);
  return { leads, agency: counts.agency, tasks, notifications, missing, ignored };
}
