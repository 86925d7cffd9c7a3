/**
 * Kills a process that serves HTTP at random moments while records are created, updated, moved and deleted,
 * targets fail at random, and subscriptions are made and deleted. After each kill every answered write is
 * complete, with exactly its events, notifications and kept answer; a write without an answer is sent again.
 * At the end every event has reached its subscriptions and no others.
 */
import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { makeFixedClock } from "../../src/platform/clock.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { send, startApp } from "../support/app.ts";
import { checkRecount } from "../support/recount.ts";
import { type Server, startProcess } from "../support/process.ts";
import { serve as usualServe } from "../support/service.ts";
import { makeSales } from "../sales/leads_world.ts";
import { runJobsAt } from "./jobs_here.ts";
import {
  checkEvents,
  checkKept,
  checkNotices,
  checkWhole,
  expandBody,
  readDeliveries,
  readEvents,
} from "./kill_checks.ts";
import { Expected } from "./kill_expected.ts";
import { lasting, type Passing, subscribe, unsubscribe } from "./kill_hooks.ts";
import { type Load, sendComplete, sendCut, startLoad } from "./kill_load.ts";
import { type Shared, Writer } from "./kill_stories.ts";
import { startTargets, type Targets } from "./kill_target.ts";

export interface Outcome {
  readonly kills: number;
  /** Writes that were answered before a kill. */
  readonly answered: number;
  /** Writes in progress when the process died. */
  readonly cut: number;
  readonly deliveries: number;
  /** Requests that delivered them. */
  readonly requests: number;
  /** Subscriptions that were deleted. */
  readonly deleted: number;
}

/** How the proof runs. The proof of the proof runs it against a faulty service. */
export interface Options {
  /** Arguments that make Deno serve the file. */
  readonly serve?: readonly string[];
  /** Changes the file before the first start. */
  readonly spoil?: (db: DatabaseSync) => void;
  /** Receives the file and the answered writes after each kill. */
  readonly look?: (file: string, load: Load, targets: Targets) => void;
  readonly report?: (kills: number) => void;
}

/** Generous: start time is tested elsewhere, and other tests run at the same time. */
const patient = { timeoutMs: 120_000 };
/** Number of simultaneous writes. */
const writers = 8;

/**
 * Kills this many times, after this many writes on average. Throws at the first loss, duplicate or partial
 * write.
 */
export async function killWhileWriting(
  kills: number,
  writes: number,
  folder: string,
  { serve = usualServe, spoil, look, report }: Options = {},
): Promise<Outcome> {
  const targets = startTargets();
  const env = environment(folder);
  const file = `${folder}/crm.db`;
  let passing: Passing | null = null;
  let deleted = 0;
  try {
    const load = await prepare(folder, targets);
    if (spoil) {
      using db = new DatabaseSync(file);
      spoil(db);
    }
    for (let n = 0; n < kills; n++) {
      const server = await startProcess(serve, env, patient);
      const most = Math.ceil(writes * (0.5 + Math.random()));
      const after = Math.random() * 20;
      try {
        await checkServed(file, load, targets, server);
        if (passing && await unsubscribe(server.url, load.token, targets, passing)) deleted++;
        const mine: Passing = passing = await subscribe(server.url, load.token, targets, `/passing/${n}`);
        const { promise: enough, resolve } = Promise.withResolvers<void>();
        const running = startLoad(load, server.url, most, resolve);
        const ending = later(Math.random() * 100).then(() =>
          unsubscribe(server.url, load.token, targets, mine)
        );
        await Promise.race([enough, running]);
        await later(after);
        await server.kill("SIGKILL");
        await running;
        if (await ending) {
          passing = null;
          deleted++;
        } else if (isDeleted(file, mine)) targets.deleted(mine.path);
        checkFile(file, load, targets);
        look?.(file, load, targets);
        report?.(n + 1);
      } catch (error) {
        throw new Error(`kill ${n}, after ${most} writes and ${after} ms: ${server.output()}`, {
          cause: error,
        });
      } finally {
        await server.kill("SIGKILL");
      }
    }
    return { kills, deleted, ...(await settle(folder, load, targets, env, serve)) };
  } finally {
    await targets.close();
  }
}

/**
 * Returns true if a deletion was committed, but not answered because of the kill. No later event reaches the
 * subscription.
 */
function isDeleted(file: string, { id }: Passing): boolean {
  using db = new DatabaseSync(file, { readOnly: true });
  return db.prepare("select deleted_at from webhooks where id = ?").get(id)!.deleted_at !== null;
}

/** Creates the database file, as a running service leaves it, and the records to which the load writes. */
async function prepare(folder: string, targets: Targets): Promise<Load> {
  await using app = await startApp();
  // The events date from today, because jobs of the killed process remove old ones.
  app.clock.move(Date.now() - app.clock.now());
  const { admin, member, agent, dealer, agency, company, ...sales } = await makeSales(app, {
    escalation_accept: null,
    escalation_activity: null,
  });
  const path = await admin.call("GET", `/v1/relations-paths/${sales.path}`);
  const shared: Shared = {
    dealer,
    other: agency,
    colleague: agent.id,
    reader: member.id,
    company: company.id,
    path: sales.path,
    milestone: path.body.activity_types.milestones[0].id,
    lead: sales.body(),
  };
  const load: Load = {
    token: admin.token,
    reader: { id: member.id, token: member.token },
    writers: await Promise.all(
      Array.from({ length: writers }, async (_, n) => {
        const own = { team: await company.team(), user: (await company.user()).id };
        return new Writer(n, shared, own, new Expected());
      }),
    ),
    answered: [],
    compared: new Set(),
    cuts: 0,
  };
  for (const path of lasting) await subscribe(app.url, admin.token, targets, path);
  // Dates the subscriptions before any event, because times are compared to the second.
  await app.deps.db.write([{ sql: "update webhooks set created_at = '2026-01-01 00:00:00'", args: [] }]);
  await app.deps.db.write([{ sql: "delete from notifications", args: [] }]);
  await app.deps.db.write([{ sql: "update users set email_notifications = 0", args: [] }]);
  await app.deps.db.script(`vacuum into '${folder}/crm.db'`);
  copyFileSync(`${app.folder}/secrets.key`, `${folder}/secrets.key`);
  return load;
}

function environment(folder: string): Record<string, string> {
  return {
    DATABASE_URL: `file:${folder}/crm.db`,
    PORT: "0",
    WEBHOOK_ALLOW_PRIVATE: "true",
    LOG_LEVEL: "info",
  };
}

/** Checks the rules that hold in the file at any moment. */
export function checkFile(file: string, load: Load, targets: Targets): void {
  checkWhole(file, targets);
  checkEvents(file, load);
  checkNotices(file, load);
  checkKept(file, load);
  for (const { id, status } of readDeliveries(file)) {
    assert.ok(status !== "delivered" || targets.sent.has(id), `${id} is marked delivered but never arrived`);
  }
}

/** Sends the interrupted writes again. Then every record exists and equals its answer. */
async function checkServed(file: string, load: Load, targets: Targets, { url }: Server): Promise<void> {
  await sendCut(load, url);
  for (const write of load.answered.slice(-8)) {
    const reply = await sendComplete(load, url, write);
    assert.deepEqual(reply, { status: write.status, text: write.text, replayed: true }, write.path);
  }
  checkWhole(file, targets);
  checkEvents(file, load);
  checkNotices(file, load);
  checkKept(file, load);
  using db = new DatabaseSync(file, { readOnly: true });
  for (const [record, events] of [...readEvents(db)].slice(-20)) {
    const [kind, id] = record.split(" ");
    const address = addresses[kind!]?.(id!, load);
    if (!address) continue;
    const last = events.at(-1)!;
    const reply = await send(url + address, "GET", load.token);
    if (last.name.endsWith("_deleted")) assert.equal(reply.status, 404, address);
    else assert.equal(withoutCase(kind!, reply.text), withoutCase(kind!, expandBody(db, last)), address);
  }
}

/** Leaves the case of a task out, which may have changed since the task's last event. */
function withoutCase(kind: string, text: string): string {
  if (kind !== "task") return text;
  const { case: _, ...own } = JSON.parse(text);
  return JSON.stringify(own);
}

/** The path of a record. */
const addresses: Readonly<Record<string, (id: string, load: Load) => string>> = {
  account: (id) => `/v1/accounts/${id}`,
  case: (id) => `/v1/cases/${id}`,
  contact: (id) => `/v1/contacts/${id}`,
  lead: (id) => `/v1/leads/${id}`,
  note: (id) => `/v1/notes/${id}`,
  product: (id) => `/v1/products/${id}`,
  task: (id) => `/v1/tasks/${id}`,
  team: (id) => `/v1/teams/${id}`,
  user: (id, { writers }) => `/v1/companies/${writers[0]!.shared.company}/users/${id}`,
};

/** Starts the service a last time. Then runs jobs with later times, which deliver everything. */
async function settle(
  folder: string,
  load: Load,
  targets: Targets,
  env: Record<string, string>,
  serve: readonly string[],
): Promise<Omit<Outcome, "kills" | "deleted">> {
  const file = `${folder}/crm.db`;
  const server = await startProcess(serve, env, patient);
  try {
    await checkServed(file, load, targets, server);
  } finally {
    await server.kill();
  }
  for (let day = 1; readDeliveries(file).some(({ status }) => status === "pending"); day++) {
    assert.ok(day < 12, "a delivery is never sent");
    await runJobsAt(env, Date.now() + day * 86_400_000);
  }
  const deliveries = readDeliveries(file);
  checkSent(deliveries, targets);
  const db = openFile(file);
  assert.ok(await checkRecount({ db, clock: makeFixedClock(Date.now()) }) > 0);
  await db.close();
  assert.ok(load.answered.length > 0);
  const requests = targets.sent.values().reduce((sum, { attempts }) => sum + attempts, 0);
  return {
    answered: load.answered.length - load.cuts,
    cut: load.cuts,
    deliveries: deliveries.length,
    requests,
  };
}

/**
 * Compares deliveries with what the targets received: both are complete, and each answered attempt arrived.
 */
function checkSent(deliveries: ReturnType<typeof readDeliveries>, { sent }: Targets): void {
  const known = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  for (const [id, { path }] of sent) {
    assert.equal(known.get(id)?.path, path, `${id} arrived without a delivery`);
  }
  for (const { id, status, answered, ended } of deliveries) {
    const came = sent.get(id);
    // A delivery that a kill interrupted is sent again; its first attempt is not recorded.
    assert.ok((came?.attempts ?? 0) >= answered, `${id} came ${came?.attempts} times, answered ${answered}`);
    if (ended) continue;
    assert.equal(status, "delivered", id);
    assert.ok(came!.attempts > came!.fails, id);
  }
}

function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
