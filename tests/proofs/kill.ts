/**
 * A process that serves HTTP is killed, without warning and at random moments, while writes run, targets fail at
 * random, and subscriptions come and go. After each restart what was answered is there, whole, and what is there is
 * whole; what got no answer can be sent again. In the end every event has reached whom it should, and nobody else.
 */
import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { formatTimestamp } from "../../src/core/time.ts";
import { send, startApp } from "../support/app.ts";
import { runCommand, type Server, startProcess } from "../support/process.ts";
import { named, world } from "../sales/leads_world.ts";
import { newCase, newPath } from "../sales/parts.ts";
import { checkAnswered, checkNotices, checkWhole, deliveriesOf } from "./kill_checks.ts";
import { lasting, type Passing, subscribe, unsubscribe } from "./kill_hooks.ts";
import { type Load, sendCut, startLoad } from "./kill_load.ts";
import { startTargets, type Targets } from "./kill_target.ts";

export interface Outcome {
  readonly kills: number;
  /** Writes that were answered before a kill. */
  readonly answered: number;
  /** Writes that were under way when the process died. */
  readonly cut: number;
  readonly deliveries: number;
  /** Requests that came for them. */
  readonly requests: number;
  /** Subscriptions that were deleted. */
  readonly deleted: number;
}

const serve = ["run", "-A", "src/entry/deno.ts"];
/** How fast it starts is proved elsewhere; this runs where others work, too. */
const patient = { timeoutMs: 120_000 };

/** Kills so many times, after so many writes on average; throws at the first thing that is lost, doubled or half there. */
export async function killWhileWriting(
  kills: number,
  writes: number,
  folder: string,
  tell: (kills: number) => void = () => {},
): Promise<Outcome> {
  const targets = startTargets();
  const env = environment(folder);
  const file = `${folder}/crm.db`;
  let passing: Passing | null = null;
  let deleted = 0;
  try {
    const load = await prepare(folder, targets);
    for (let n = 0; n < kills; n++) {
      const server = await startProcess(serve, env, patient);
      const most = 1 + Math.floor(Math.random() * 2 * writes);
      const after = Math.random() * 20;
      try {
        await check(file, load, server);
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
        }
        tell(n + 1);
      } catch (error) {
        throw new Error(`kill ${n}, after ${most} writes and ${after} ms: ${server.output()}`, {
          cause: error,
        });
      } finally {
        await server.kill("SIGKILL");
      }
    }
    return { kills, deleted, ...(await settle(folder, load, targets, env)) };
  } finally {
    await targets.close();
  }
}

/** The database as a running service left it, and what can be written to it. */
async function prepare(folder: string, targets: Targets): Promise<Load> {
  await using app = await startApp();
  // What is told of lies today: what is old is removed by the jobs of the process that is killed.
  app.clock.move(Date.now() - app.clock.now());
  const sales = await world(app, { escalation_accept: null, escalation_activity: null });
  const { admin, member } = sales;
  const account = await admin.call("POST", "/v1/accounts", { fixed_fields: named({ name: "First" }) });
  const its_case = await newCase(admin, await newPath(admin), { team_id: sales.dealer, user_id: member.id });
  const preferences = { types: { case_owner: { app: false, mail: false, push: false } } };
  await member.call("PUT", "/v1/notifications/preferences", preferences);
  for (const path of lasting) await subscribe(app.url, admin.token, targets, path);
  await app.deps.db.write([{ sql: "delete from notifications", args: [] }]);
  await app.deps.db.write([{ sql: "update users set email_notifications = 0", args: [] }]);
  await app.deps.db.script(`vacuum into '${folder}/crm.db'`);
  copyFileSync(`${app.folder}/secrets.key`, `${folder}/secrets.key`);
  return {
    token: admin.token,
    reader: { id: member.id, token: member.token },
    account: account.body.id,
    case: its_case.id,
    lead: sales.body(),
    next: 0,
    answered: [],
    cut: [],
    cuts: 0,
  };
}

function environment(folder: string): Record<string, string> {
  return {
    DATABASE_URL: `file:${folder}/crm.db`,
    PORT: "0",
    WEBHOOK_ALLOW_PRIVATE: "true",
    LOG_LEVEL: "info",
  };
}

/** Everything that was answered is there; then what was cut off is sent again and answered once. */
async function check(file: string, load: Load, { url }: Server): Promise<void> {
  checkWhole(file);
  checkAnswered(file, load.answered, lasting.length);
  await sendCut(load, url);
  checkWhole(file);
  checkAnswered(file, load.answered, lasting.length);
  checkNotices(file, load);
  const made = load.answered.filter(({ address }) => address !== null);
  for (const write of made.slice(-20)) {
    const reply = await send(`${url}${write.address}/${write.id}`, "GET", load.token);
    assert.equal(reply.status, 200, `${write.address}/${write.id}`);
    assert.deepEqual(reply.body, JSON.parse(write.text));
  }
}

/** A last start; then the jobs of the days to come bring every delivery there is to its target. */
async function settle(
  folder: string,
  load: Load,
  targets: Targets,
  env: Record<string, string>,
): Promise<Omit<Outcome, "kills" | "deleted">> {
  const file = `${folder}/crm.db`;
  const server = await startProcess(serve, env, patient);
  try {
    await check(file, load, server);
  } finally {
    await server.kill();
  }
  for (let day = 1; deliveriesOf(file).some(({ status }) => status === "pending"); day++) {
    assert.ok(day < 12, "something is never sent");
    const now = formatTimestamp(Date.now() + day * 86_400_000);
    const jobs = await runCommand(["run", "-A", "src/cli/jobs.ts", "--now", now], env, {
      timeoutMs: 120_000,
    });
    assert.equal(jobs.code, 0, jobs.stdout + jobs.stderr);
  }
  const deliveries = deliveriesOf(file);
  checkSent(deliveries, targets);
  assert.ok(load.answered.length > 0);
  const requests = targets.sent.values().reduce((sum, { attempts }) => sum + attempts, 0);
  return {
    answered: load.answered.length - load.cuts,
    cut: load.cuts,
    deliveries: deliveries.length,
    requests,
  };
}

/** What was to be sent has come, what has come was to be sent, and a target has seen each attempt that was answered. */
function checkSent(deliveries: ReturnType<typeof deliveriesOf>, { sent }: Targets): void {
  const known = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  for (const [id, { path }] of sent) assert.equal(known.get(id)?.path, path, `${id} came for nothing`);
  for (const { id, status, answered, ended } of deliveries) {
    const came = sent.get(id);
    // What was cut off by a kill is sent again, and its first attempt is nowhere kept.
    assert.ok((came?.attempts ?? 0) >= answered, `${id} came ${came?.attempts} times, answered ${answered}`);
    if (ended) continue;
    assert.equal(status, "delivered", id);
    assert.ok(came!.attempts > came!.fails, id);
  }
}

function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
