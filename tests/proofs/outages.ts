/**
 * Takes the database, the disk, the storage, the mail server, the printer and the target of webhooks of a serving
 * process away and gives them back, at random, while all wings are used. Calls are answered or refused with 503;
 * nothing that was answered is lost, and nobody gets a mail twice.
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { pause } from "../../src/platform/pause.ts";
import { projectRoot, type Server, startProcess } from "../support/process.ts";
import { serve } from "../support/service.ts";
import { type Smtp, startSmtp } from "../support/smtp.ts";
import { runJobsAt } from "./jobs_here.ts";
import {
  canLimitFiles,
  makeOutages,
  makeStorage,
  refusableArguments,
  startEndpoint,
} from "./outages_away.ts";
import { type Listener, startListener } from "./outages_listener.ts";
import { Load } from "./outages_load.ts";
import { key, prepare, recipients } from "./outages_world.ts";

export type Where = "file" | "remote";

export interface Outcome {
  /** Calls by status. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly mails: number;
}

/** Milliseconds of an outage, and between two. */
interface Times {
  readonly away: number;
  /** Each tenth outage takes so long, beyond the leases of most work. */
  readonly longest: number;
  readonly back: number;
}

const hour = 3_600_000;

export async function survive(
  folder: string,
  { where, rounds, random, times }: {
    readonly where: Where;
    readonly rounds: number;
    readonly random: () => number;
    readonly times: Times;
  },
): Promise<Outcome> {
  await using smtp = await startSmtp();
  await using listener = startListener();
  const world = await prepare(folder, listener.url);
  await makeStorage(folder);
  const remote = where === "remote" ? await startEndpoint(`${folder}/crm.db`) : null;
  const env = {
    DATABASE_URL: remote?.url ?? `file:${folder}/crm.db`,
    STORAGE_URL: `file:${folder}/files`,
    SECRETS_KEY: key,
    MAIL_URL: smtp.url,
    MAIL_RATE: "20",
    MAIL_USER_LIMIT: "999999",
    MAIL_COMPANY_LIMIT: "999999",
    WEBHOOK_ALLOW_PRIVATE: "true",
    PORT: "0",
    LOG_LEVEL: "info",
  };
  const server = await start(env);
  const load = new Load(server, world);
  const outages = makeOutages(folder, { smtp, listener, server, remote, limitsFiles: await canLimitFiles() });
  try {
    const running = load.run();
    running.catch(() => load.stop());
    await load.warm();
    for (let window = 1; !load.isStopped; window++) {
      await takeAway(load, outages, { rounds, random, times });
      const { calm, troubled } = load.takeTimes();
      console.log(`/me p95 ${Math.round(troubled)} ms, ${Math.round(calm)} ms while nothing is away`);
      if (troubled <= Math.max(mostMs, mostTimes * calm)) break;
      assert.ok(
        window < mostWindows,
        `/me takes ${troubled} ms while something is away, otherwise ${calm} ms`,
      );
    }
    load.stop();
    await running;
    const ended = await Promise.race([server.status, pause(0)]);
    assert.equal(ended, undefined, `the process ended: ${server.output()}`);
    await load.readFiles();
    const { code } = await server.kill("SIGTERM");
    assert.equal(code, 0, server.output());
  } finally {
    load.stop();
    await server.kill("SIGKILL");
    await remote?.close();
  }
  const defects = server.output().split("\n").filter((line) => /"event":"(defect|error)"/.test(line));
  assert.deepEqual(defects, []);
  // Retries are due minutes later.
  const file = { ...env, DATABASE_URL: `file:${folder}/crm.db`, MAIL_RATE: "0" };
  // The clock of a run stands still: what a run gives back after a slow claim is due in the next one.
  const logged: unknown[] = [];
  for (let hours = 1; hours <= 3 || (hours <= mostHours && unsent(folder).length > 0); hours++) {
    logged.push(...await runJobsAt(file, Date.now() + hours * hour));
  }
  // Nothing is away any more, so that no attempt has a reason to wait.
  const delayed = logged.filter((entry) => (entry as { event?: unknown }).event === "export_delayed");
  assert.deepEqual(delayed, [], "exports that the jobs could not write");
  assert.deepEqual(unsent(folder), [], "messages of the campaign");
  try {
    load.check(`${folder}/crm.db`);
  } catch (error) {
    // What is missing may have been tried in vain.
    console.error("The jobs have logged:", JSON.stringify(logged));
    throw error;
  }
  assert.deepEqual(listUnreached(folder, smtp), [], "messages without a mail");
  checkMails(smtp, load);
  checkDeliveries(listener, load);
  return { statuses: load.statuses, mails: smtp.mails.length };
}

/** Runs of jobs, an hour after each other. */
const mostHours = 8;

/** The messages of campaigns that are not sent, with their reasons. */
function unsent(folder: string): unknown[] {
  const db = new DatabaseSync(`${folder}/crm.db`, { readOnly: true });
  try {
    return db.prepare(
      "select id, status, attempts, due_at, error from campaign_messages where status <> 'sent'",
    ).all();
  } finally {
    db.close();
  }
}

/** The messages whose recipient has no mail, with what their rows say of that, and how many rows there are. */
function listUnreached(folder: string, { mails }: Smtp): unknown[] {
  const reached = new Set(mails.map(({ to }) => to[0]));
  const db = new DatabaseSync(`${folder}/crm.db`, { readOnly: true });
  try {
    const rows = db.prepare(
      "select id, email, status, attempts, claims, due_at, sent_at, subject, error from campaign_messages",
    ).all() as { readonly email: string }[];
    const without = rows.filter(({ email }) => !reached.has(email));
    return without.length === 0 ? [] : [`${rows.length} messages`, ...without];
  } finally {
    db.close();
  }
}

/** `/me` may take so many milliseconds, or so many times as long as while nothing is away. */
const mostMs = 100;
const mostTimes = 3;
/** Other work of the machine slows single rounds, so that they are repeated so many times. */
const mostWindows = 3;

/**
 * In each round one fault of the database and something else are away, each for a while of its own; neither waits for
 * the other. All have had their turn before one comes again.
 */
async function takeAway(
  load: Load,
  { databases, others }: ReturnType<typeof makeOutages>,
  { rounds, random, times }: {
    readonly rounds: number;
    readonly random: () => number;
    readonly times: Times;
  },
): Promise<void> {
  await Promise.all([databases, others].map(async (kinds) => {
    const names = yieldTurns(Object.keys(kinds), random);
    for (let round = 0; round < rounds && !load.isStopped; round++) {
      const name = names.next().value!;
      await pause(times.away * random() / 2);
      const isDatabase = kinds === databases;
      load.away.add(name);
      if (isDatabase) load.takeDatabase();
      const giveBack = await kinds[name]!();
      await pause(round % 10 === 9 ? times.longest : times.away * (0.5 + random()));
      await giveBack();
      if (isDatabase) await load.giveDatabaseBack();
      load.away.delete(name);
      console.log(name);
      await pause(times.back * (0.5 + random()));
    }
  }));
}

/** The names in random order, again and again. */
function* yieldTurns(names: readonly string[], random: () => number): Generator<string, never> {
  while (true) {
    const left = [...names];
    while (left.length > 0) yield left.splice(Math.floor(random() * left.length), 1)[0]!;
  }
}

function start(env: Readonly<Record<string, string>>): Promise<Server> {
  const preload = `--preload=${projectRoot}tests/proofs/outages_printer.ts`;
  const program = refusableArguments([Deno.execPath(), serve[0]!, preload, ...serve.slice(1)]);
  return startProcess(program, env, { command: "sh", timeoutMs: 60_000 });
}

/** Every change that was answered has been delivered. */
function checkDeliveries({ taken }: Listener, load: Load): void {
  const missing = [...load.accepted.values()].filter((id) => !taken.get("case_created")?.has(id));
  assert.deepEqual(missing, [], "cases without a delivery");
}

function checkMails({ mails }: Smtp, load: Load): void {
  const campaign = Map.groupBy(
    mails.filter(({ to }) => /^r\d+@/.test(to[0]!)),
    ({ to }) => to[0]!,
  );
  const twice = [...campaign].filter(([, of]) => of.length > 1).map(([to]) => to);
  assert.deepEqual(twice, [], "recipients of the campaign with two mails");
  assert.equal(campaign.size, recipients);
  const copies = Map.groupBy(mails, ({ to, read }) => `${to} ${read.messageId}`);
  assert.deepEqual([...copies].filter(([, of]) => of.length > 1).map(([mail]) => mail), [], "mails twice");
  const closings = Map.groupBy(mails, ({ read }) => /^Sold to (.+)$/.exec(read.subject ?? "")?.[1]);
  assert.deepEqual(load.closed.filter((id) => closings.get(id)?.length !== 1), [], "cases without one mail");
  const texts = mails.map(({ read }) => /Message \d+\./.exec(read.text ?? "")?.[0]).filter((text) =>
    text !== undefined
  );
  const counted = Map.groupBy(texts, (text) => text);
  const wrong = load.messages.filter((message) => counted.get(message)?.length !== 1);
  assert.deepEqual(wrong, [], "notifications without one mail");
}
