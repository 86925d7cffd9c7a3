/**
 * Measures how fast one process delivers waiting webhooks to one target and to a hundred, and how fast new
 * webhooks arrive during steady writes, both also beside a target that never answers. Also measures how much
 * 100,000 waiting deliveries slow down the API. `deno run -A tests/bench/webhooks.ts` measures these alone.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { send, startApp } from "../support/app.ts";
import { startTarget } from "../support/listener.ts";
import { runOfTests, type Server, startChild, startProcess } from "../support/process.ts";
import { commandArguments, serve } from "../support/service.ts";
import { chooseTool, type Tool } from "./load.ts";
import { startLogged } from "./process_figures.ts";

export interface HookFigure {
  readonly name: string;
  readonly reached: number;
  readonly unit: string;
  /** The least value, or the greatest if `below` is set. */
  readonly aim: number;
  readonly below?: true;
}

/** The number of deliveries of a measurement. */
const waiting = 20_000;
const manyWaiting = 100_000;
const writesPerSecond = 100;
const steadySeconds = 20;
/** Writes that are not measured. */
const warmUp = 300;
const rounds = 3;
const made = "account_created";
const dead = "/dead";
const below = true;
const account = { fixed_fields: [{ name: "name", value: "Ada Ltd" }, { name: "city", value: "London" }] };

/** Returns true if a figure is less than half of its aim, or with `below` more than twice its aim. */
export function isFarOff({ reached, aim, below }: HookFigure): boolean {
  return below ? reached > aim * 2 : reached < aim / 2;
}

export function hookLine({ name, reached, unit, aim, below }: HookFigure): string {
  return `${name}: ${reached.toFixed(reached < 10 ? 2 : 0)}${unit} (aim: ${below ? "at most " : ""}${aim}).`;
}

export async function measureWebhooks(tool: Tool): Promise<HookFigure[]> {
  const folder = mkdtempSync(join(Deno.env.get("TMPDIR") ?? "/tmp", "wayline-hooks-"));
  const target = await startProcess([...runOfTests, "tests/bench/hook_target.ts"], {});
  try {
    const hooks = (...paths: string[]) => paths.map((path): Hook => [target.url + path, made]);
    const rate = async (name: string, ...paths: string[]) => {
      const live = paths.filter((path) => path !== dead).length;
      return await throughput(await prepare(folder, name, hooks(...paths), made, waiting / live), target);
    };
    const one = await rate("one", "/0");
    const beside = await rate("beside", "/0", dead);
    const again = await rate("again", "/0");
    const many = await rate("many", ...Array.from({ length: 100 }, (_, n) => `/${n}`));
    const alone = await latency(folder, "alone", []);
    const accompanied = await latency(folder, "accompanied", hooks(dead));
    const kept = await costOfWaiting(folder, tool, hooks("/0"), target.url + dead);
    return [
      { name: "Deliveries to one target", reached: Math.max(one, again), unit: "/s", aim: 1_500 },
      { name: "Deliveries to a hundred targets", reached: many, unit: "/s", aim: 1_500 },
      {
        name: "One target beside a dead one",
        reached: beside / ((one + again) / 2),
        unit: " of alone",
        aim: 0.9,
      },
      {
        name: `Receipt after a call, at ${writesPerSecond} a second, p50`,
        reached: alone.p50,
        unit: " ms",
        aim: 20,
        below,
      },
      { name: "p99", reached: alone.p99, unit: " ms", aim: 200, below },
      {
        name: "p50 beside a dead target",
        reached: accompanied.p50 / alone.p50,
        unit: " of alone",
        aim: 1.1,
        below,
      },
      {
        name: "p99 beside a dead target",
        reached: accompanied.p99 / alone.p99,
        unit: " of alone",
        aim: 1.1,
        below,
      },
      { name: "Writes while 100,000 deliveries wait", reached: kept, unit: " of those without", aim: 0.9 },
    ];
  } finally {
    await target.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A target and an event. */
type Hook = readonly [url: string, event: string];

interface Place {
  readonly env: Record<string, string>;
  readonly token: string;
  readonly log: string;
}

/** Creates a company with the subscriptions. For each subscription to `event`, `count` deliveries wait. */
async function prepare(
  folder: string,
  name: string,
  hooks: readonly Hook[],
  event: string,
  count: number,
): Promise<Place> {
  const home = join(folder, name);
  mkdirSync(home);
  await using app = await startApp();
  app.clock.move(Date.now() - app.clock.now());
  const { admin } = await app.company();
  await admin.call("POST", "/v1/accounts", account);
  for (const [target_url, webhook_event] of hooks) {
    await admin.call("POST", "/v1/webhooks", { target_url, webhook_event, verification_token: "whisper" });
  }
  await app.deps.db.script(`vacuum into '${home}/crm.db'`);
  copyFileSync(`${app.folder}/secrets.key`, `${home}/secrets.key`);
  wait(`${home}/crm.db`, event, count);
  const env = {
    DATABASE_URL: `file:${home}/crm.db`,
    PORT: "0",
    WEBHOOK_ALLOW_PRIVATE: "true",
    LOG_LEVEL: "info",
  };
  return { env, token: admin.token, log: join(home, "log") };
}

/** Copies the only event `count` times, each for another record, and inserts the deliveries of the copies. */
function wait(file: string, event: string, count: number): void {
  using db = new DatabaseSync(file);
  const names = db.prepare(
    "select name from pragma_table_info('outbox') where name not in ('position', 'id', 'entity_id')",
  ).all();
  const columns = names.map(({ name }) => name).join(", ");
  db.exec("begin");
  db.exec(
    `with recursive n (i) as (select 1 where ${count} > 0 union all select i + 1 from n where i < ${count}) ` +
      `insert into outbox (id, entity_id, ${columns}) select printf('01a00000-0000-7000-8000-%012x', i), ` +
      `printf('01a00000-0000-7000-9000-%012x', i), ${columns} from n, outbox where event_name = '${made}'`,
  );
  db.exec(
    "insert into deliveries (id, company_id, webhook_id, event_id, due_at, created_at) " +
      "select printf('%s%04x%s', substr(o.id, 1, 9), w.id, substr(o.id, 14)), o.company_id, w.id, o.id, " +
      `${Date.now()}, o.created_at from outbox o cross join webhooks w ` +
      `where o.id like '01a00000-0000-7000-8000-%' and w.event_name = '${event}'`,
  );
  db.exec("commit");
}

/**
 * Returns the deliveries per second of one process to targets that answer, from the first delivery to the
 * last.
 */
async function throughput({ env }: Place, target: Server): Promise<number> {
  let over = false;
  const took = fetch(`${target.url}/took?count=${waiting}`).then(async (answer) => {
    over = true;
    return (await answer.json()).milliseconds;
  });
  while (!over) {
    const jobs = startChild(commandArguments("jobs"), env);
    await Promise.race([jobs.status, took]);
    await jobs.kill("SIGKILL");
  }
  return waiting / await took * 1000;
}

/**
 * Measures the milliseconds from the call of a write, before its commit, to the receipt of its event, during
 * steady writes.
 */
async function latency(folder: string, name: string, hooks: readonly Hook[]) {
  const target = startTarget();
  const place = await prepare(folder, name, [[target.url, made], ...hooks], made, 0);
  const server = await startLogged(serve, place.env, place.log);
  try {
    const called = new Map<string, number>();
    const calls: Promise<void>[] = [];
    const begun = Date.now();
    for (let n = 0; n < steadySeconds * writesPerSecond; n++) {
      const at = begun + n * 1000 / writesPerSecond;
      while (Date.now() < at) await new Promise((resolve) => setTimeout(resolve, 1));
      const call = Date.now();
      calls.push(
        send(`${server.url}/v1/accounts`, "POST", place.token, account).then(({ body }) =>
          void called.set(body.id, call)
        ),
      );
    }
    await Promise.all(calls);
    const received = await target.waitForCount(calls.length, 30_000);
    const took = received.slice(warmUp).map(({ text, at }) => at - called.get(JSON.parse(text).id)!);
    took.sort((left, right) => left - right);
    return { p50: took[Math.floor(took.length / 2)]!, p99: took[Math.floor(took.length * 0.99)]! };
  } finally {
    await server.end();
    await target.close();
  }
}

/**
 * Returns the rate of writes while 100,000 deliveries wait for a dead target, as a share of the rate without
 * them. The median of the rounds.
 */
async function costOfWaiting(
  folder: string,
  tool: Tool,
  hooks: readonly Hook[],
  gone: string,
): Promise<number> {
  const all: Hook[] = [...hooks, [gone, "timeline_event_created"]];
  const places = [
    await prepare(folder, "free", all, "timeline_event_created", 0),
    await prepare(folder, "waiting", all, "timeline_event_created", manyWaiting),
  ];
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const rates: number[] = [];
    for (const { env, token, log } of places) {
      const server = await startLogged(serve, env, `${log}-${round}`);
      const load = { method: "POST" as const, asked: [{ path: "/v1/accounts", body: account }], token };
      rates.push((await tool.run(server.url, load)).perSecond);
      await server.end();
    }
    ratios.push(rates[1]! / rates[0]!);
  }
  ratios.sort((left, right) => left - right);
  return ratios[Math.floor(rounds / 2)]!;
}

if (import.meta.main) {
  const figures = await measureWebhooks(await chooseTool(5));
  for (const figure of figures) console.log(hookLine(figure));
  Deno.exit(figures.some(isFarOff) ? 1 : 0);
}
