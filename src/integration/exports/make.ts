/** Writes the files of exports. */
import type { RetryClock } from "../../core/retries.ts";
import { formatTimestamp } from "../../core/time.ts";
import { announceStreamed, takeStreamed, withdrawObjects } from "../../db/objects.ts";
import { isSendable } from "../../db/mails.ts";
import { sql } from "../../db/statements.ts";
import type { Contribution } from "../../customers/filter_catalogue.ts";
import type { Deps } from "../../deps.ts";
import { PlainLine, plainPace } from "../../later/line.ts";
import { Loop } from "../../later/loop.ts";
import type { Attempted, Queue } from "../../later/queue.ts";
import { RowLease } from "../../later/row_lease.ts";
import { checkAttempts, fileRows, findCause, planFile } from "../../later/file_rows.ts";
import { giveBack, isOutage, retryAt, type Rows, type RowTask } from "../../later/rows.ts";
import { makeContentKey } from "../../library/content.ts";
import { detectMediaType, otherMedia } from "../../library/media.ts";
import { fitsQuota, guardQuota } from "../../library/usage.ts";
import { insertFile, makeFile } from "../../library/write.ts";
import { sha256Stream } from "../../platform/crypto.ts";
import { guardChanged, GuardRefused, type Statement } from "../../platform/database/database.ts";
import { describeError } from "../../platform/log.ts";
import { mostSheetRows, writers } from "./formats.ts";
import { type Exported, ExportEnds, openExport } from "./pages.ts";
import type { ExportFailure, ExportRow } from "./table.ts";

/** Milliseconds of a claim. The writer renews it, so that a large file does not begin again elsewhere. */
const leaseMs = 120_000;
/** Milliseconds after which the writer renews its claim and records its progress. */
const renewAfter = 10_000;
/** Milliseconds after which a run claims no more; the next run continues. */
const jobBudget = 50_000;
/** The most bytes of a file in a bucket, which is collected in memory before it is stored. */
const mostCollected = 64 * 1024 * 1024;
/** Bytes by which its media type is recognised. */
const headBytes = 1_024;

type Claimed = RowTask & Exported & Pick<ExportRow, "format" | "created_at">;

/** The exports that wait, those of deleted companies aside. */
export const exportRows: Rows = {
  ...fileRows,
  table: "exports",
  index: "exports_due",
  waiting: sql`due_at is not null and ${isSendable(sql`company_id`)}`,
  columns: sql`company_id, user_id, entity, format, columns, filter, last_row, last_event, created_at`,
  turns: { column: "company_id", index: "exports_in_turn" },
  ms: leaseMs,
};

/** Begins to write the files that are due, in the background: a large one takes longer than a job may. */
export function beginFiles(deps: Deps, contributions: readonly Contribution[]): void {
  deps.background.run(() => makeFiles(deps, contributions));
}

/** Writes the files that are due; returns the number of attempts. */
export async function makeFiles(deps: Deps, contributions: readonly Contribution[]): Promise<number> {
  const { db, clock, stopping } = deps;
  const queue: Queue<Claimed, Attempted> = {
    ...plainPace,
    line: () => new PlainLine<Claimed, Attempted>(1, 0),
    attempt: async (claimed, moment) => ({
      serverFailed: false,
      recording: await makeOne(deps, claimed, moment, contributions),
    }),
  };
  const lease = new RowLease<Claimed>(exportRows, db);
  return await new Loop(queue, lease, { db, clock, budget: jobBudget, stopping }).run();
}

/** The service stops: the next process begins the file again. */
class Stopped extends Error {}

async function makeOne(
  deps: Deps,
  claimed: Claimed,
  clock: RetryClock,
  contributions: readonly Contribution[],
): Promise<Statement[]> {
  try {
    checkAttempts(claimed);
    await storeFile(deps, claimed, () => clock.now(), contributions);
    return [];
  } catch (thrown) {
    const error = await findCause(deps.db, thrown);
    if (error instanceof Stopped) {
      return [giveBack(exportRows, claimed, clock.now())];
    }
    const refused = error instanceof GuardRefused ? error.guard : null;
    // Another process has written it meanwhile, or its user was deleted.
    if (refused === unclaimed) return [];
    const ends: ExportFailure | null = error instanceof ExportEnds
      ? error.failure
      : refused === "file_quota"
      ? "file_quota"
      : null;
    const retry = ends === null ? planFile(error, claimed, clock) : null;
    const failure = ends ?? (isOutage(error) ? "unavailable" : "internal");
    deps.log.error({
      event: retry === null ? "export_failed" : "export_delayed",
      export: claimed.id,
      failure,
      ...(ends === null ? describeError(error) : {}),
    });
    return [
      retry === null
        ? sql`update exports set status = 'failed', failure = ${failure}, due_at = null,
          finished_at = ${formatTimestamp(clock.now())} where ${asClaimed(claimed)}`
        : retryAt(exportRows, claimed, retry),
    ];
  }
}

/** The name of the guard that refuses a commit when another process or a deletion has ended the claim. */
const unclaimed = "export";

async function storeFile(
  deps: Deps,
  claimed: Claimed,
  clock: () => number,
  contributions: readonly Contribution[],
): Promise<void> {
  const { company_id, user_id, entity, format, created_at } = claimed;
  const key = makeContentKey();
  const began = clock();
  const announced = { now: began, at: formatTimestamp(began) };
  await deps.db.write([announceStreamed(announced, company_id, key, sql`select 1`)]);
  try {
    const written = new Written(deps, claimed, clock);
    const { columns, slices } = await openExport({ db: deps.db, now: clock, contributions }, claimed);
    const bytes = writers[format](columns, written.rows(slices));
    await deps.storage.putStream(key, written.bytes(bytes), otherMedia);
    const now = clock();
    const at = formatTimestamp(now);
    const { size, digest, head } = written.result();
    const media = detectMediaType(head);
    const file = makeFile({ now, at }, {
      company_id,
      user_id,
      name: `${entity}-${created_at.replace(" ", "-").replaceAll(":", "")}.${format}`,
      content: { size, digest, media, object_key: key },
    });
    await deps.db.write([
      sql`update exports set status = 'done', file_id = ${file.id}, due_at = null, rows = ${written.count},
        finished_at = ${at} where ${asClaimed(claimed)}`,
      guardChanged(unclaimed),
      ...takeStreamed(announced, { key, type: media, size }),
      ...insertFile(file),
      ...guardQuota(deps, company_id),
    ]);
  } catch (error) {
    // If this also fails, the job removes the object.
    await withdrawObjects({ deps, now: began }, [key]).catch(() => {});
    throw error;
  }
}

/** SQL: this process still has the claim. A process that begins the file later increments `attempts`. */
function asClaimed({ id, attempts }: Claimed) {
  return sql`id = ${id!} and status = 'running' and attempts = ${attempts}`;
}

/** Counts rows and bytes on their way to the storage, and ends a file that has no room. */
class Written {
  count = 0;
  #size = 0;
  #head = new Uint8Array();
  readonly #hash = sha256Stream();
  #renewed = performance.now();

  constructor(readonly deps: Deps, readonly claimed: Claimed, readonly clock: () => number) {}

  /** Counts the rows; renews the claim from time to time, and throws when it is lost. */
  async *rows<R>(slices: AsyncIterable<readonly R[]>): AsyncGenerator<readonly R[]> {
    for await (const rows of slices) {
      if (this.deps.stopping?.aborted) throw new Stopped("the service stops");
      this.count += rows.length;
      if (this.claimed.format === "xlsx" && this.count > mostSheetRows) throw new ExportEnds("too_large");
      yield rows;
      if (performance.now() - this.#renewed > renewAfter) await this.#renew();
    }
  }

  async *bytes(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#size += chunk.length;
      if (this.deps.storage.kind === "bucket" && this.#size > mostCollected) {
        throw new ExportEnds("too_large");
      }
      this.#hash.update(chunk);
      if (this.#head.length < headBytes) {
        this.#head = Uint8Array.from([...this.#head, ...chunk.subarray(0, headBytes - this.#head.length)]);
      }
      yield chunk;
    }
  }

  result() {
    return { size: this.#size, digest: this.#hash.digest(), head: this.#head };
  }

  async #renew(): Promise<void> {
    this.#renewed = performance.now();
    const { deps, claimed } = this;
    const fits = fitsQuota(deps, claimed.company_id, this.#size);
    const [, , found] = await deps.db.write([
      sql`update exports set due_at = ${this.clock() + leaseMs}, rows = ${this.count}
        where ${asClaimed(claimed)}`,
      guardChanged(unclaimed),
      sql`select ${fits} as fits`,
    ]);
    if (!found!.rows[0]!.fits) throw new ExportEnds("file_quota");
  }
}
