/** Writes the files of exports. */
import type { RetryClock } from "../../core/retries.ts";
import { formatTimestamp } from "../../core/time.ts";
import { announceObjects, takeObjects, withStored } from "../../db/objects.ts";
import { isSendable } from "../../db/mails.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { PlainLine, plainPace } from "../../later/line.ts";
import { Loop } from "../../later/loop.ts";
import type { Attempted, Queue } from "../../later/queue.ts";
import { RowLease } from "../../later/row_lease.ts";
import { checkAttempts, fileRows, findCause, planFile } from "../../later/file_rows.ts";
import { isOutage, retryAt, type Rows, type RowTask } from "../../later/rows.ts";
import { makeContent } from "../../library/content.ts";
import { guardQuota } from "../../library/usage.ts";
import { insertFile, makeFile } from "../../library/write.ts";
import {
  type Database,
  guardChanged,
  GuardRefused,
  type Statement,
} from "../../platform/database/database.ts";
import { describeError } from "../../platform/log.ts";
import type { SheetRow, WriteSheet } from "./sheet.ts";
import type { ExportFailure } from "./failures.ts";
import type { ExportFormat, ReportExportRow } from "./table.ts";
import { removeExportRows } from "./write.ts";

/**
 * Milliseconds of a claim: longer than it takes to write a file. Afterwards another process begins the file
 * again.
 */
export const exportLeaseMs = 120_000;
/** Milliseconds after which a run claims no more; the next run continues. */
const jobBudget = 50_000;
/** Slices of rows that are read at once. */
const readSlices = 20;

/** Loaded on first use. */
const writers: Readonly<Record<ExportFormat, () => Promise<WriteSheet>>> = {
  csv: async () => (await import("./csv.ts")).writeCsv,
  xlsx: async () => (await import("./xlsx.ts")).writeXlsx,
};

type Claimed =
  & RowTask
  & Pick<ReportExportRow, "id" | "company_id" | "user_id" | "format" | "columns" | "created_at">;

/** The exports that wait, those of deleted companies aside. */
export const exportRows: Rows = {
  ...fileRows,
  table: "report_exports",
  index: "report_exports_due",
  waiting: sql`due_at is not null and ${isSendable(sql`company_id`)}`,
  columns: sql`company_id, user_id, format, columns, created_at`,
  turns: { column: "company_id", index: "report_exports_in_turn" },
  ms: exportLeaseMs,
};

/** Writes the files that are due; returns the number of attempts. */
export async function makeExports(deps: Deps): Promise<number> {
  const { db, clock, stopping } = deps;
  const queue: Queue<Claimed, Attempted> = {
    ...plainPace,
    line: () => new PlainLine<Claimed, Attempted>(1, 0),
    attempt: async (claimed, moment) => ({
      serverFailed: false,
      recording: await makeOne(deps, claimed, moment),
    }),
  };
  const lease = new RowLease<Claimed>(exportRows, db);
  return await new Loop(queue, lease, { db, clock, budget: jobBudget, stopping }).run();
}

async function makeOne(deps: Deps, claimed: Claimed, clock: RetryClock): Promise<Statement[]> {
  try {
    checkAttempts(claimed);
    await storeFile(deps, claimed, () => clock.now());
    return [];
  } catch (thrown) {
    const error = await findCause(deps.db, thrown);
    const refused = error instanceof GuardRefused ? error.guard : null;
    // Another process has written it meanwhile, or its user was deleted.
    if (refused === unclaimed) return [];
    const { id } = claimed;
    const failure: ExportFailure = refused === "file_quota"
      ? "file_quota"
      : isOutage(error)
      ? "unavailable"
      : "internal";
    const retry = failure === "file_quota" ? null : planFile(error, claimed, clock);
    const event = retry === null ? "export_failed" : "export_delayed";
    deps.log.error({ event, export: id, ...describeError(error) });
    return retry === null
      ? [
        sql`update report_exports set status = 'failed', failure = ${failure}, due_at = null
          where ${asClaimed(claimed)}`,
        removeExportRows(id),
      ]
      : [retryAt(exportRows, claimed, retry)];
  }
}

/** The name of the guard that refuses a commit when another process or a deletion has ended the claim. */
const unclaimed = "report_export";

async function storeFile(deps: Deps, claimed: Claimed, clock: () => number): Promise<void> {
  const { id, company_id, user_id, format, columns, created_at } = claimed;
  const write = await writers[format]();
  const bytes = await write({
    columns: JSON.parse(columns) as string[],
    slices: readSheetRows(deps.db, id),
  });
  const { object, columns: content } = makeContent(bytes);
  const now = clock();
  const moment = { now, at: formatTimestamp(now) };
  const name = `report-${created_at.replace(" ", "-").replaceAll(":", "")}.${format}`;
  const file = makeFile(moment, { company_id, user_id, name, content });
  await deps.db.write([announceObjects(moment, company_id, [object], sql`select 1`)]);
  await withStored({ deps, ...moment }, [object], () =>
    deps.db.write([
      sql`update report_exports set status = 'done', file_id = ${file.id}, due_at = null
        where ${asClaimed(claimed)}`,
      guardChanged(unclaimed),
      removeExportRows(id),
      ...takeObjects(moment, [object]),
      ...insertFile(file),
      ...guardQuota(deps, company_id),
    ]));
}

/** SQL: this process still has the claim. A process that begins the file later increments `attempts`. */
function asClaimed({ id, attempts }: Claimed) {
  return sql`id = ${id} and status = 'running' and attempts = ${attempts}`;
}

async function* readSheetRows(db: Database, id: string): AsyncGenerator<SheetRow[]> {
  for (let after = -1;;) {
    const [found] = await db.read([
      sql`select position, rows from report_export_rows where export_id = ${id} and position > ${after}
        order by position limit ${readSlices} + 0`,
    ]);
    for (const { position, rows } of found!.rows) {
      after = Number(position);
      yield JSON.parse(rows as string) as SheetRow[];
    }
    if (found!.rows.length < readSlices) return;
  }
}
