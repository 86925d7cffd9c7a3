/** Reads what Today shows. The calls run beside each other and go to the database together. */
import type { LeadList } from "../lead/summary.ts";
import type { Visit } from "../visit.ts";
import { acceptable } from "../lead/summary.ts";
import type { NotificationList } from "./notifications.tsx";
import type { TaskList, TaskRecord } from "./tasks.tsx";

export interface Counts {
  readonly leads: { readonly waiting: number; readonly mine: number; readonly team: number };
  readonly agency:
    | Readonly<Record<"assignable" | "rejected" | "escalated" | "called" | "revoked", number>>
    | null;
}

export interface Content {
  readonly leads: LeadList;
  readonly agency: Counts["agency"];
  readonly tasks: { readonly data: readonly TaskRecord[]; readonly total: number };
  readonly notifications: NotificationList;
}

/** Entries of a section. */
const most = "25";
const day = 86_400_000;

export async function readToday(visit: Visit): Promise<Content> {
  const { call, person } = visit;
  // An admin accepts leads of any team.
  const mine: Record<string, string> = person.known.caller!.userType === "admin" ? {} : { show: "team" };
  const until = new Date(visit.now + 7 * day).toISOString().slice(0, 19).replace("T", " ");
  const own = { show: "mine", end_at: until, per_page: most };
  const [leads, counts, overdue, pending, later, notifications] = await Promise.all([
    call<LeadList>("listLeads", {
      query: {
        ...mine,
        status: acceptable.join(","),
        sort: "escalates_at",
        view: "summary",
        per_page: most,
      },
    }),
    call<Counts>("getCounts"),
    call<TaskList>("listTasks", { query: { ...own, status: "overdue" } }),
    call<TaskList>("listTasks", { query: { ...own, status: "pending" } }),
    call<TaskList>("listTasks", { query: { ...own, status: "later" } }),
    call<NotificationList>("listNotifications", { query: { show: "unread", per_page: most } }),
  ]);
  const tasks = [overdue, pending, later];
  return {
    leads,
    agency: counts.agency,
    tasks: {
      data: tasks.flatMap(({ data }) => data).slice(0, Number(most)),
      total: tasks.reduce((sum, { pagination }) => sum + pagination.total, 0),
    },
    notifications,
  };
}
