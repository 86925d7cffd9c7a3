/**
 * `deno task bench --facts [--contacts N] [--seconds S] [--rounds R]`: measures how much slower facts make
 * the changes that they record. Two servers take turns, one on a database as it is and one on a copy that
 * records no facts. Each creates contacts, and moves an account of 10,000 contacts between two teams. Fails
 * when `POST contact` loses more than a tenth, or when facts make a move take more than one and a half times
 * as long.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { factKinds } from "../../src/core/fact_kinds.ts";
import { playFacts } from "../../src/insight/gamification/run.ts";
import { rollUpFacts } from "../../src/insight/rollups/run.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { send } from "../support/app.ts";
import { serve } from "../support/service.ts";
import { lines } from "./lines.ts";
import { chooseTool } from "./load.ts";
import { type Logged, startLogged } from "./process_figures.ts";
import { makeWorld, type World } from "./world.ts";

/** The least share of the contacts created without facts. */
const leastKept = 0.9;
const ofAccount = 10_000;
const moves = 40;
/** The longest time of a move with facts, as a multiple of the time without. */
const mostOfMove = 1.5;

interface Place {
  readonly world: World;
  readonly server: Logged;
}

interface Move {
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly longest: number;
  /** The 95th percentile of calls that create contacts one after the other meanwhile, in milliseconds. */
  readonly besideP95: number;
  readonly facts: number;
}

/** Returns the exit code: 1 if facts cost too much. */
export async function runFactCost(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      contacts: { type: "string", default: "100000" },
      seconds: { type: "string", default: "8" },
      rounds: { type: "string", default: "7" },
    },
  });
  const tool = await chooseTool(Number(values.seconds));
  const folder = mkdtempSync(
    join(Deno.env.get("TMPDIR") ?? "/tmp", "wayline-facts-"),
  );
  const servers: Logged[] = [];
  try {
    const contacts = Math.max(Number(values.contacts), 2 * ofAccount);
    const world = await makeWorld(folder, {
      contacts,
      accounts: contacts / 5,
      cases: contacts * 0.3,
      target: "http://127.0.0.1:9",
    });
    const moved = await gatherContacts(world.file);
    await workOut(world.file);
    // The packages of the service, which `deno task start` installs too.
    await new Deno.Command(Deno.execPath(), { args: ["install", "-q"] }).output();
    const start = async (name: string, file: string): Promise<Place> => {
      const env = {
        DATABASE_URL: `file:${file}`,
        STORAGE_URL: `file:${folder}/files`,
        PORT: "0",
      };
      const server = await startLogged(serve, env, join(folder, `${name}.log`));
      servers.push(server);
      return { world: { ...world, file }, server };
    };
    mkdirSync(join(folder, "without"));
    const copy = join(folder, "without", "crm.db");
    copyFileSync(world.file, copy);
    await stopFacts(copy);
    const facts = await start("facts", world.file);
    const none = await start("none", copy);

    const line = lines.find(({ name }) => name.startsWith("POST contact"))!;
    const load = await line.load(
      world,
      () => Promise.reject(new Error("no question")),
    );
    for (const { server } of [facts, none]) await tool.run(server.url, load, 3);
    const kept: number[] = [];
    const perSecond = { facts: [] as number[], none: [] as number[] };
    for (let round = 0; round < Number(values.rounds); round++) {
      const order = round % 2 === 0 ? (["facts", "none"] as const) : (["none", "facts"] as const);
      const of = { facts: 0, none: 0 };
      for (const name of order) {
        of[name] = (await tool.run((name === "facts" ? facts : none).server.url, load))
          .perSecond;
        perSecond[name].push(of[name]);
      }
      kept.push(of.facts / of.none);
    }
    const ratio = percentile(kept, 50);
    console.log(
      `POST contact: ${Math.round(percentile(perSecond.facts, 50))} a second with facts, ` +
        `${Math.round(percentile(perSecond.none, 50))} without: ${ratio.toFixed(3)} ` +
        `(aim: ${leastKept}; rounds: ${kept.map((each) => each.toFixed(3)).join(", ")}).`,
    );
    const withFacts = await move(facts, moved);
    const without = await move(none, moved);
    for (
      const [name, of] of [["with facts", withFacts], [
        "without",
        without,
      ]] as const
    ) {
      console.log(
        `An account of ${ofAccount} contacts moved between teams, ${name}: p50 ${of.p50.toFixed(1)} ms, ` +
          `p95 ${of.p95.toFixed(1)} ms, longest ${of.longest.toFixed(1)} ms, ` +
          `${of.facts} facts a move; contacts created beside it: p95 ${of.besideP95.toFixed(1)} ms.`,
      );
    }
    const longer = withFacts.p50 / without.p50;
    console.log(`With facts it takes ${longer.toFixed(2)} times as long (aim: ${mostOfMove}).`);
    return ratio < leastKept || longer > mostOfMove ? 1 : 0;
  } finally {
    for (const server of servers) await server.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Processes all facts as the jobs do. Otherwise the jobs would process the facts of the world during the
 * load.
 */
async function workOut(file: string): Promise<void> {
  const db = openFile(file, { busyCommits: Infinity });
  const deps = { db, clock: { now: () => Date.now() } };
  while (await rollUpFacts(deps) > 0);
  while (await playFacts(deps) > 0);
  await db.close();
}

interface Moved {
  readonly account: string;
  readonly teams: readonly number[];
}

/** Puts 10,000 contacts of all users into one account. */
async function gatherContacts(file: string): Promise<Moved> {
  const db = openFile(file, { busyCommits: Infinity });
  const [found] = await db.read([{
    sql: "select id, company_id from accounts where b2c = 0 and team_id is not null and counts = 1 limit 1",
    args: [],
  }]);
  const { id, company_id } = found!.rows[0]!;
  await db.write([{
    sql: `update contacts set account_id = ?1 where b2c = 0 and company_id = ?2 and id in
      (select id from contacts where company_id = ?2 and b2c = 0 order by seq % 97 limit ${ofAccount})`,
    args: [id!, company_id!],
  }]);
  const [teams] = await db.read([{
    sql: "select id from teams where company_id = ? order by id limit 2",
    args: [company_id!],
  }]);
  await db.close();
  return {
    account: String(id),
    teams: teams!.rows.map((row) => Number(row.id)),
  };
}

/** Drops all triggers that record facts, and ignores the facts that a commit itself inserts. */
async function stopFacts(file: string): Promise<void> {
  const db = openFile(file, { busyCommits: Infinity });
  const [triggers] = await db.read([{
    sql:
      "select name from sqlite_schema where type = 'trigger' and (sql like '%into facts %' or tbl_name = 'facts')",
    args: [],
  }]);
  const drops = triggers!.rows.map(({ name }) => `drop trigger "${name}"`);
  const ignores = ["facts", "fact_dims", "fact_moments"].map((table) =>
    `create trigger no_${table} before insert on ${table} begin select raise(ignore); end`
  );
  await db.write([...drops, ...ignores].map((sql) => ({ sql, args: [] })));
  await db.close();
}

async function countFacts(file: string): Promise<number> {
  const { account, contact } = factKinds;
  const db = openFile(file, { busyCommits: Infinity });
  const [found] = await db.read([{
    sql: "select count(*) as n from facts where kind in (?, ?)",
    args: [account, contact],
  }]);
  await db.close();
  return Number(found!.rows[0]!.n);
}

async function move(
  { world, server }: Place,
  { account, teams }: Moved,
): Promise<Move> {
  const put = async (team_id: number): Promise<number> => {
    const begun = performance.now();
    const { status, text } = await send(
      `${server.url}/v1/accounts/${account}`,
      "PUT",
      world.admin,
      {
        team_id,
      },
    );
    if (status !== 200) {
      throw new Error(`the account did not move: ${status} ${text}`);
    }
    return performance.now() - begun;
  };
  await put(teams[0]!);
  await put(teams[1]!);
  const times: number[] = [];
  const beside: number[] = [];
  let isOver = false;
  const created = (async () => {
    const path = `${server.url}${world.samples.accounts[0]!.path}/contacts`;
    while (!isOver) {
      const begun = performance.now();
      const body = { fixed_fields: [{ name: "last_name", value: "Byron" }] };
      await send(path, "POST", world.admin, body);
      beside.push(performance.now() - begun);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  for (let n = 0; n < moves; n++) times.push(await put(teams[n % 2]!));
  isOver = true;
  await created;
  const before = await countFacts(world.file);
  await put(teams[moves % 2]!);
  return {
    p50: percentile(times, 50),
    p95: percentile(times, 95),
    longest: Math.max(...times),
    besideP95: percentile(beside, 95),
    facts: await countFacts(world.file) - before,
  };
}

function percentile(times: readonly number[], of: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[
    Math.min(sorted.length - 1, Math.floor(sorted.length * of / 100))
  ] ?? 0;
}
