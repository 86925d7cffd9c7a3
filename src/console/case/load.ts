/** Reads a case, with what its forms offer. */
import { type Offer, readPeople, readTemplates } from "../parts/choices.ts";
import type { Party } from "../parts/customer.ts";
import type { FileList } from "../parts/files.tsx";
import type { PageOf } from "../parts/list.tsx";
import { readInnerPages } from "../parts/parameters.ts";
import type { Visit } from "../visit.ts";

/** A person as records name them. */
export interface NamedPerson {
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
  readonly user: NamedPerson | null;
}

export interface CaseRecord {
  readonly id: string;
  readonly case_number: number;
  readonly status: string;
  readonly user: NamedPerson | null;
  readonly team: { readonly id: number; readonly name: string } | null;
  readonly account: Party & { readonly id: string };
  readonly contact: Party & { readonly id: string };
  readonly relations_path: { readonly id: string; readonly name: string };
  readonly milestones: readonly { readonly id: string; readonly name: string; readonly done: boolean }[];
  readonly value: number | null;
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
    readonly user?: NamedPerson | null;
    readonly note?: string | null;
    readonly title?: string;
    readonly content?: string | null;
    readonly type?: string | null;
    readonly status?: string;
    readonly communication_channel?: string | null;
    readonly from?: string;
    readonly to?: string;
    readonly reason?: string | null;
    readonly activity_types?: readonly { readonly name: string }[];
  };
}

export interface CorrespondenceRecord {
  readonly id: string;
  readonly type: "email" | "letter";
  readonly direction: "out" | "in";
  readonly status: string;
  readonly from: { readonly name: string; readonly address: string } | null;
  readonly to: string | null;
  readonly user: NamedPerson | null;
  readonly subject: string | null;
  readonly error: string | null;
  readonly created_at: string;
}

export interface CaseContent {
  readonly record: CaseRecord;
  readonly types: readonly ActivityType[];
  readonly timeline: PageOf<TimelineEntry>;
  readonly correspondence: PageOf<CorrespondenceRecord>;
  /** Templates of e-mails. */
  readonly templates: Offer;
  /** Colleagues, by their ids. */
  readonly people: Offer;
  readonly files: FileList;
  /** Parameters of the address that mean nothing. */
  readonly ignored: readonly string[];
}

interface Path {
  readonly activity_types: { readonly milestones: ActivityType[]; readonly supportive: ActivityType[] };
}

export async function readCase(visit: Visit): Promise<CaseContent> {
  const { call, params } = visit;
  const { pages, ignored } = readInnerPages(visit.query, ["files", "correspondence", "timeline"]);
  const [record, timeline, people, files, templates] = await Promise.all([
    call<CaseRecord>("getCase", { params }),
    call<PageOf<TimelineEntry>>("listTimeline", { params, query: pages.timeline }),
    readPeople(visit),
    call<FileList>("listCaseFiles", { params, query: pages.files }),
    readTemplates(visit),
  ]);
  const [path, correspondence] = await Promise.all([
    call<Path>("getRelationsPath", { params: { relations_path_id: record.relations_path.id } }),
    call<PageOf<CorrespondenceRecord>>("listCorrespondences", { params, query: pages.correspondence }),
  ]);
  const { milestones, supportive } = path.activity_types;
  return {
    record,
    ignored,
    // A case that has ended takes only what opens it again.
    types: [...milestones, ...supportive].filter(({ set_status }) =>
      record.status === "open" || set_status === "open"
    ),
    timeline,
    people,
    files,
    correspondence,
    templates,
  };
}
