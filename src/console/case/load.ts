/** Reads a case, with what its forms offer. */
import type { Choice } from "../forms.tsx";
import { readPeople } from "../parts/choices.ts";
import type { Party } from "../parts/customer.ts";
import type { FileList } from "../parts/files.tsx";
import type { Visit } from "../visit.ts";

/** A person as records name them. */
export interface Named {
  readonly id: number;
  readonly name: string;
}

export interface TaskOfCase {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly start_at: string;
  readonly end_at: string;
  readonly note: string | null;
  readonly user: Named | null;
}

export interface CaseRecord {
  readonly id: string;
  readonly case_number: number;
  readonly status: string;
  readonly user: Named | null;
  readonly team: { readonly id: number; readonly name: string } | null;
  readonly account: Party;
  readonly contact: Party;
  readonly relations_path: { readonly id: string; readonly name: string };
  readonly milestones: readonly { readonly id: string; readonly name: string; readonly done: boolean }[];
  readonly chance_of_success: number;
  readonly estimated_close_date: string | null;
  readonly decline_reason: string | null;
  readonly tasks: readonly TaskOfCase[];
  readonly escalates_at: string | null;
}

export interface ActivityType {
  readonly id: string;
  readonly name: string;
  readonly set_status: string | null;
}

export interface TimelineEntry {
  readonly type: "activity" | "task" | "note" | "status_change" | "timeline_event";
  readonly id: string | number;
  readonly occurred_at: string;
  readonly data: {
    readonly user?: Named | null;
    readonly note?: string | null;
    readonly title?: string;
    readonly content?: string | null;
    readonly type?: string | null;
    readonly from?: string;
    readonly to?: string;
    readonly reason?: string | null;
    readonly activity_types?: readonly { readonly name: string }[];
  };
}

export interface CaseContent {
  readonly record: CaseRecord;
  readonly types: readonly ActivityType[];
  readonly timeline: readonly TimelineEntry[];
  /** Colleagues, by their ids. */
  readonly people: readonly Choice[];
  readonly files: FileList;
}

interface Path {
  readonly activity_types: { readonly milestones: ActivityType[]; readonly supportive: ActivityType[] };
}

export async function readCase(visit: Visit): Promise<CaseContent> {
  const { call, params } = visit;
  const [record, timeline, people, files] = await Promise.all([
    call<CaseRecord>("getCase", { params }),
    call<{ data: TimelineEntry[] }>("listTimeline", { params, query: { per_page: "50" } }),
    readPeople(visit),
    call<FileList>("listCaseFiles", { params, query: { per_page: "50" } }),
  ]);
  const path = record.status === "open"
    ? await call<Path>("getRelationsPath", { params: { relations_path_id: record.relations_path.id } })
    : null;
  const types = path ? [...path.activity_types.milestones, ...path.activity_types.supportive] : [];
  return { record, types, timeline: timeline.data, people, files };
}
