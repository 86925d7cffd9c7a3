/**
 * A process that serves HTTP is killed, without warning and at random moments, while writes run. After each
 * restart what was answered is there, whole, and what is there is whole; what got no answer can be sent again.
 */
import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { formatTimestamp } from "../../src/core/time.ts";
import { send, startApp } from "../support/app.ts";
import { startTarget, type Target } from "../support/listener.ts";
import { runCommand, type Server, startProcess } from "../support/process.ts";
import { named, world } from "../sales/leads_world.ts";
import { checkAnswered, checkWhole, deliveriesOf } from "./kill_checks.ts";
import { type Load, startLoad } from "./kill_load.ts";

export interface Outcome {
  readonly kills: number;
  /** Writes that were answered before a kill. */
  readonly answered: number;
  /** Writes that were under way when the process died. */
  readonly cut: number;
  readonly deliveries: number;
}

/** Milliseconds from the first write to the kill, at most. */
const longest = 200;

/** Kills so many times; throws at the first thing that is lost, doubled or half there. */
export async function killWhileWriting(kills: number, folder: string): Promise<Outcome> {
  const target = startTarget();
  try {
    const load = await prepare(folder, target);
    const env = environment(folder);
    for (let n = 0; n < kills; n++) {
      const server = await startProcess(["run", "-A", "src/entry/deno.ts"], env);
      const after = Math.random() * longest;
      try {
        await check(`${folder}/crm.db`, load, server);
        const running = startLoad(load, server.url);
        await new Promise((resolve) => setTimeout(resolve, after));
        await server.kill("SIGKILL");
        await running;
      } catch (error) {
        throw new Error(`kill ${n}, ${after} ms after the first write: ${server.output()}`, { cause: error });
      } finally {
        await server.kill("SIGKILL");
      }
    }
    return { kills, ...(await settle(folder, load, target, env)) };
  } finally {
    await target.close();
  }
}

/** The database as a running service left it, and what can be written to it. */
async function prepare(folder: string, target: Target): Promise<Load> {
  await using app = await startApp();
  // What is told of lies today: what is old is removed by the jobs of the process that is killed.
  app.clock.move(Date.now() - app.clock.now());
  const sales = await world(app, { escalation_accept: null, escalation_activity: null });
  const account = await sales.admin.call("POST", "/v1/accounts", { fixed_fields: named({ name: "First" }) });
  const hook = { target_url: target.url, webhook_event: "*", verification_token: "whisper" };
  assert.equal((await sales.admin.call("POST", "/v1/webhooks", hook)).status, 201);
  await app.deps.db.script(`vacuum into '${folder}/crm.db'`);
  copyFileSync(`${app.folder}/secrets.key`, `${folder}/secrets.key`);
  return {
    token: sales.admin.token,
    account: account.body.id,
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
  checkAnswered(file, load.answered);
  for (const write of load.cut.splice(0)) {
    const reply = await send(url + write.path, "POST", load.token, write.body, write.headers);
    assert.equal(reply.status, 201, `${write.path}: ${reply.text}`);
    load.answered.push({ ...write, text: reply.text, id: reply.body.id });
  }
  checkWhole(file);
  checkAnswered(file, load.answered);
  for (const write of load.answered.slice(-20)) {
    const reply = await send(`${url}${write.address}/${write.id}`, "GET", load.token);
    assert.equal(reply.status, 200, `${write.address}/${write.id}`);
    assert.deepEqual(reply.body, JSON.parse(write.text));
  }
}

/** A last start; then every delivery there is reaches the target, a day later at the latest. */
async function settle(
  folder: string,
  load: Load,
  target: Target,
  env: Record<string, string>,
): Promise<Omit<Outcome, "kills">> {
  const file = `${folder}/crm.db`;
  const server = await startProcess(["run", "-A", "src/entry/deno.ts"], env);
  try {
    await check(file, load, server);
  } finally {
    await server.kill();
  }
  const tomorrow = formatTimestamp(Date.now() + 86_400_000);
  const jobs = await runCommand(["run", "-A", "src/cli/jobs.ts", "--now", tomorrow], env);
  assert.equal(jobs.code, 0, jobs.stdout + jobs.stderr);
  const came = new Set(target.received.map(({ headers }) => headers.get("x-service-delivery")));
  const deliveries = deliveriesOf(file);
  assert.deepEqual(deliveries.filter((id) => !came.has(id)), []);
  assert.ok(load.answered.length > 0);
  return { answered: load.answered.length - load.cuts, cut: load.cuts, deliveries: deliveries.length };
}
