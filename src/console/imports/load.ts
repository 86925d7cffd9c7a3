/** Reads imports. */
import type { Fielded } from "../parts/fields.tsx";
import type { PageOf } from "../parts/list.tsx";
import { readInnerPages, readParameters } from "../parts/parameters.ts";
import type { Visit } from "../visit.ts";

export interface ImportRecord {
  readonly id: string;
  readonly name: string;
  readonly entity: string;
  readonly format: string;
  readonly status: string;
  readonly match: string;
  readonly on_match: string;
  readonly refusals: string;
  /** The field of each column that sets one. */
  readonly mapping: Readonly<Record<string, string>>;
  /** The columns that set nothing. */
  readonly unmapped: readonly string[];
  readonly team_id: number | null;
  readonly user_id: number | null;
  readonly agency_team_id: number | null;
  readonly columns: readonly { readonly name: string; readonly samples: readonly string[] }[];
  readonly progress: number;
  readonly counts: Readonly<Record<"rows" | "created" | "updated" | "skipped" | "failed", number>>;
  readonly preview: readonly PreviewRow[] | null;
  readonly failure: { readonly code: string; readonly row: number | null } | null;
  readonly reverted: Readonly<Record<"deleted" | "restored" | "kept", number>> | null;
  readonly file_id: string | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

export interface PreviewRow {
  readonly row: number;
  readonly action: string;
  /** Leads have the fields of their contact instead, and embed their account. */
  readonly record:
    | Partial<Fielded> & {
      readonly account?: Partial<Fielded> & { readonly name?: string | null };
      readonly contact?: Fielded;
    }
    | null;
}

export interface RowFault {
  readonly row: number;
  readonly column: string | null;
  readonly code: string;
  readonly message: string;
  readonly value: string | null;
}

export interface KeptRecord {
  readonly row: number;
  readonly entity: string;
  readonly id: string;
  readonly reason: string;
}

export interface ImportField {
  readonly name: string;
  readonly label: string;
}

export interface ImportContent {
  readonly record: ImportRecord;
  readonly faults: PageOf<RowFault>;
  readonly kept: PageOf<KeptRecord>;
  /** What columns can set; empty where the mapping cannot be changed any more. */
  readonly fields: readonly ImportField[];
  readonly ignored: readonly string[];
}

/** Statuses that go on by themselves. */
export const movingStatuses: readonly string[] = ["queued", "checking", "running", "reverting"];

export async function readImports({ call, query }: Visit) {
  const { values, ignored } = readParameters(query, {});
  const imports = await call<PageOf<ImportRecord>>("listImports", { query: { ...values, per_page: "25" } });
  return { imports, ignored };
}

export async function readImport({ call, params, query }: Visit): Promise<ImportContent> {
  const { pages, ignored } = readInnerPages(query, ["faults", "kept"]);
  const [record, faults, kept] = await Promise.all([
    call<ImportRecord>("getImport", { params }),
    call<PageOf<RowFault>>("listImportErrors", { params, query: pages.faults }),
    call<PageOf<KeptRecord>>("listImportKept", { params, query: pages.kept }),
  ]);
  const isOpen = record.status === "checked" && record.file_id !== null;
  return { record, faults, kept, ignored, fields: isOpen ? await readFields(call, record.entity) : [] };
}

export async function readFields(call: Visit["call"], entity: string): Promise<readonly ImportField[]> {
  const { data } = await call<{ data: readonly ImportField[] }>("listImportFields", { params: { entity } });
  // Stands for names that nobody can choose from a list.
  return data.filter(({ name }) => !name.includes("<"));
}
