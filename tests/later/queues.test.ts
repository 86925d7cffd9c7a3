/** What every queue of rows must have: the guide to the sources lists it under "Add a queue". */
import assert from "node:assert/strict";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { describeMailRows } from "../../src/delivery/mails/attempt.ts";
import { pushRows } from "../../src/delivery/notifications/push_claim.ts";
import { features } from "../../src/features.ts";
import { resolveGiven } from "../../src/contributions.ts";
import { exportRows as reportExportRows } from "../../src/insight/exports/make.ts";
import { reportRows } from "../../src/insight/scheduled/claim.ts";
import { exportRows } from "../../src/integration/exports/make.ts";
import { bringBack, claimRows, takeBack } from "../../src/later/row_claim.ts";
import type { Rows } from "../../src/later/rows.ts";
import { describeMessageRows } from "../../src/messages/campaigns/claim.ts";
import { tables } from "../../src/schema.ts";
import { startApp } from "../support/app.ts";
import { readSources } from "../structure/imports.ts";

/** The rows of each queue, by the file that describes them. A new queue adds its line. */
const queues: Readonly<Record<string, readonly Rows[]>> = {
  "src/delivery/mails/attempt.ts": [
    describeMailRows("prompt", 0),
    describeMailRows("correspondence", 0),
    describeMailRows("automated", 1),
  ],
  "src/delivery/notifications/push_claim.ts": [pushRows],
  "src/insight/exports/make.ts": [reportExportRows],
  "src/insight/scheduled/claim.ts": [reportRows],
  "src/integration/exports/make.ts": [exportRows],
  "src/messages/campaigns/claim.ts": [
    describeMessageRows("email", 1),
    describeMessageRows("letter"),
  ],
};
const all = Object.values(queues).flat();

/** Queues in which the rows of one company may go before the single row of another, by table. */
const turnless: Readonly<Record<string, string>> = {
  mails: "prompt mails are few for each caller, automated ones have their rate; written ones have turns",
  pushes: "one push service takes the messages of all companies, within moments",
};

/** Queues that an operator cannot hold, by table: nothing of them leaves the service. */
const unheld: Readonly<Record<string, string>> = {
  exports: "files in the own storage",
  report_exports: "files in the own storage",
};

const sources = readSources(new URL("../../", import.meta.url)).filter((
  { path },
) => path.startsWith("src/"));

Deno.test("every file that describes the rows of a queue is listed here", () => {
  const describing = sources.filter(({ path, text }) =>
    !path.startsWith("src/later/") && /\/later\/rows\.ts"/.test(text) &&
    /: Rows (?:= )?\{/.test(text)
  );
  assert.deepEqual(
    describing.map(({ path }) => path).toSorted(),
    Object.keys(queues).toSorted(),
  );
});

Deno.test("the table of a queue has the columns that the loop writes", () => {
  assert.deepEqual(all.flatMap(findMissingColumns), []);
  const bare = { ...pushRows, table: "notifications" };
  assert.deepEqual(findMissingColumns(bare), [
    "notifications.due_at",
    "notifications.attempts",
    "notifications.claims",
  ]);
});

Deno.test("the indexes of a queue end with the due time and the id, so that claims are seeks", () => {
  assert.deepEqual(all.flatMap(findBadIndexes), []);
  assert.deepEqual(findBadIndexes({ ...pushRows, index: "pushes_by_device" }), [
    "pushes_by_device",
  ]);
  const turns = { column: "company_id", index: "mails_due" };
  assert.deepEqual(findBadIndexes({ ...describeMailRows("prompt", 0), turns }), [
    "mails_due",
  ]);
});

Deno.test("the statements of a claim run", async () => {
  await using app = await startApp();
  const claim = { now: 1, end: 2, again: 3, inHand: [], most: 5, turn: 0 };
  for (const rows of all) {
    const lost = takeBack(rows, { now: 1, ends: [2], inHand: [1] });
    await app.deps.db.write([bringBack(rows, 1), lost, ...claimRows(rows, claim)]);
  }
});

Deno.test("rows take turns by company, or the list has a reason", () => {
  const withoutTurns = all.filter(({ turns }) => turns === undefined).map((
    { table },
  ) => table);
  assert.deepEqual(
    [...new Set(withoutTurns)].toSorted(),
    Object.keys(turnless),
  );
});

Deno.test("an operator can hold what leaves the service, or the list has a reason", () => {
  const free = all.filter(({ held }) => held === undefined).map(({ table }) => table);
  assert.deepEqual(free.toSorted(), Object.keys(unheld));
});

Deno.test("rows of a deleted company wait", () => {
  assert.deepEqual(
    all.filter((rows) => !leavesDeletedCompanies(rows)).map(({ table }) => table),
    [],
  );
});

Deno.test("a lease is longer than an attempt, and no row of it counts as written by a clock that was ahead", () => {
  for (const { table, ms, attemptMs, longestWait } of all) {
    assert.ok(
      attemptMs < ms,
      `${table}: the lease leaves time before an attempt`,
    );
    assert.ok(
      ms <= longestWait,
      `${table}: a claim moves the due time by the lease`,
    );
  }
});

Deno.test("an attempt that others may see asks first whether it still has the row", () => {
  for (const [path, rows] of Object.entries(queues)) {
    if (rows.every(({ mayRepeat }) => mayRepeat)) continue;
    assert.match(textOfFolder(path), /if \([^)]*![\w.]*isHeld\(\)/, path);
    for (const { table, mayRepeat, attemptMs } of rows) {
      assert.ok(mayRepeat || attemptMs > 0, table);
    }
  }
});

Deno.test("attempts end: the next due time comes from the schedule, which has a last one", () => {
  const plan = /\bplan(Retry|File)\(/;
  for (const path of Object.keys(queues)) {
    assert.match(textOfFolder(path), plan, path);
  }
  const own = sources.filter(({ path, text }) =>
    !path.startsWith("src/later/") && text.includes("retryAt(") && !plan.test(text)
  );
  assert.deepEqual(own.map(({ path }) => path), []);
});

Deno.test("a job runs the queue every minute, in case the wake after a commit was lost", () => {
  for (const path of Object.keys(queues)) {
    const folder = path.slice("src/".length, path.lastIndexOf("/"));
    const { jobs } = features.find((feature) => feature.folder === folder)!;
    assert.ok(
      Object.keys(jobs ? resolveGiven(jobs).send ?? {} : {}).length > 0,
      folder,
    );
  }
});

function findMissingColumns({ table, mayRepeat }: Rows): string[] {
  const { columns } = readTable(table);
  const needed = ["id", "due_at", "attempts", ...(mayRepeat ? [] : ["claims"])];
  return needed.filter((name) => !columns.some((column) => column.name === name))
    .map((name) => `${table}.${name}`);
}

/** The indexes of a queue by which a claim would sort or scan. */
function findBadIndexes({ table, index, turns }: Rows): string[] {
  const { indexes } = readTable(table);
  const asked = [
    { index, last: turns ? ["due_at"] : ["due_at", "id"] },
    ...(turns ? [{ index: turns.index, last: [turns.column, "due_at", "id"] }] : []),
  ];
  return asked.filter(({ index, last }) => {
    const columns = indexes.find(({ config }) => config.name === index)?.config.columns ?? [];
    const names = columns.map((column) => "name" in column ? column.name : "");
    return !`${names}`.endsWith(`${last}`) &&
      !`${names}`.endsWith(`${[...last, "id"]}`);
  }).map(({ index }) => index);
}

function leavesDeletedCompanies({ waiting, turns }: Rows): boolean {
  return `${waiting.sql} ${turns?.among?.sql ?? ""}`.includes("deleted_at");
}

function readTable(name: string) {
  return tables.map((table) => getTableConfig(table)).find((table) => table.name === name)!;
}

/** The sources beside a file, joined. */
function textOfFolder(path: string): string {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return sources.filter((source) => source.path.startsWith(folder)).map((
    { text },
  ) => text).join("\n");
}
