/** Presents imports. */
import type { z } from "zod";
import type { Layout } from "./inspect.ts";
import type { Reverted } from "./revert_progress.ts";
import type { Import } from "./schema.ts";
import type { FailureCode, ImportRow } from "./table.ts";

/** An import with the name of its maker. */
export type ImportFacts = ImportRow & { readonly maker_name: string | null };

const failures: Readonly<Record<FailureCode, string>> = {
  format: "The file cannot be read to its end.",
  maker_deleted: "The user who made the import was deleted.",
  right_missing: "The user who made the import lacks a right that it needs.",
  team_deleted: "The team of the import was deleted.",
  field_deleted: "A field that a column sets was deleted.",
};

export function presentImport(row: ImportFacts): z.output<typeof Import> {
  const { columns, mapping } = JSON.parse(row.reading) as Layout;
  const mapped = Object.entries(mapping).flatMap(([column, field]) =>
    field === null ? [] : [[column, field]]
  );
  const reverted = row.reverted === null ? null : JSON.parse(row.reverted) as Reverted;
  return {
    id: row.id,
    name: row.name,
    entity: row.entity,
    format: row.format,
    status: row.status,
    dry_run: row.dry_run === 1,
    match: row.match,
    on_match: row.on_match,
    refusals: row.refusals,
    mapping: Object.fromEntries(mapped),
    unmapped: columns.flatMap(({ name }) => mapping[name] ? [] : [name]),
    team_id: row.team_id,
    user_id: row.user_id ?? row.maker_id,
    agency_team_id: row.agency_team_id,
    columns: [...columns].map(({ name, samples, date_format }) => ({
      name,
      samples: [...samples],
      date_format,
    })),
    encoding: row.encoding as z.output<typeof Import>["encoding"],
    delimiter: row.delimiter,
    decimal: row.decimal as z.output<typeof Import>["decimal"],
    date_format: row.date_format as z.output<typeof Import>["date_format"],
    progress: computeProgress(row, reverted),
    counts: {
      rows: row.rows ?? 0,
      created: row.created,
      updated: row.updated,
      skipped: row.skipped,
      failed: row.failed,
    },
    preview: row.preview === null ? null : JSON.parse(row.preview),
    failure: row.failure === null
      ? null
      : { code: row.failure, message: failures[row.failure], row: row.failure_row },
    reverted: reverted && { deleted: reverted.deleted, restored: reverted.restored, kept: reverted.kept },
    user: { id: row.maker_id, name: row.maker_name ?? "" },
    file_id: row.file_id,
    created_at: row.created_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
  };
}

function computeProgress({ status, place, rows }: ImportRow, reverted: Reverted | null): number {
  if (status === "done" || status === "checked" || status === "reverted") return 100;
  const [done, all] = status === "reverting" && reverted
    ? [reverted.deleted + reverted.restored + reverted.kept, reverted.of]
    : [place, rows ?? 0];
  return all === 0 ? 0 : Math.min(100, Math.floor(done * 100 / all));
}
