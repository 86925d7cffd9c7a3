/**
 * `deno task bench [--contacts N] [--accounts N] [--cases N] [--seconds S] [--rounds R] [--only TEXT] [--due
 * N]`: measures the service with a company of N contacts, and with one of 10,000 for comparison. A ratio
 * compares the service with a bare Hono route that answers the same bytes on the same server, or with the
 * commits of the same machine to SQLite with full sync. Both take turns in the same run, and the median of
 * the rounds counts. Fails when a figure is less than half of its aim.
 *
 * `deno task bench --matrix`: filters of contacts, cell by cell; `matrix.ts` describes its options.
 *
 * `deno task bench --reports`: figures of reports; `reports.ts` describes its options.
 *
 * `deno task bench --pages`: pages of the console; `pages.ts` describes its options.
 *
 * `deno task bench --integration`: imports, the event feed and batches; `integration.ts` describes its options.
 *
 * `deno task bench --facts`: the cost of recording facts; `fact_cost.ts` describes its options.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { pause } from "../../src/platform/pause.ts";
import { runOfTests, startProcess } from "../support/process.ts";
import { RawBody, send } from "../support/app.ts";
import { serve } from "../support/service.ts";
import { runMatrix } from "./matrix.ts";
import { campaignLine, isSlow, measureCampaigns } from "./campaigns.ts";
import { measureEscalation } from "./escalation.ts";
import { runFactCost } from "./fact_cost.ts";
import { type Figure, formatTable, isMissed } from "./figures.ts";
import { runIntegration } from "./integration.ts";
import { type Line, lines } from "./lines.ts";
import { chooseTool, type Load, type Measured } from "./load.ts";
import { type Logged, readMemory, readThrough, startLogged, startUp } from "./process_figures.ts";
import { hookLine, isFarOff, measureWebhooks } from "./webhooks.ts";
import { runPages } from "./pages.ts";
import { runReports } from "./reports.ts";
import { makeWorld, type World } from "./world.ts";

if (Deno.args.includes("--matrix")) Deno.exit(await runMatrix(Deno.args.filter((arg) => arg !== "--matrix")));
if (Deno.args.includes("--reports")) {
  Deno.exit(await runReports(Deno.args.filter((arg) => arg !== "--reports")));
}
if (Deno.args.includes("--pages")) {
  Deno.exit(await runPages(Deno.args.filter((arg) => arg !== "--pages")));
}
if (Deno.args.includes("--integration")) {
  Deno.exit(await runIntegration(Deno.args.filter((arg) => arg !== "--integration")));
}
if (Deno.args.includes("--facts")) {
  Deno.exit(await runFactCost(Deno.args.filter((arg) => arg !== "--facts")));
}

const { values } = parseArgs({
  options: {
    contacts: { type: "string", default: "100000" },
    accounts: { type: "string" },
    cases: { type: "string" },
    seconds: { type: "string", default: "5" },
    rounds: { type: "string", default: "3" },
    only: { type: "string", default: "" },
    due: { type: "string", default: "100000" },
  },
});
const contacts = Number(values.contacts);
const accounts = Number(values.accounts ?? contacts / 5);
const cases = Number(values.cases ?? contacts * 0.3);
const rounds = Number(values.rounds);
const few = 10_000;
const warmSeconds = 2;

const tool = await chooseTool(Number(values.seconds));
const folder = mkdtempSync(join(Deno.env.get("TMPDIR") ?? "/tmp", "wayline-bench-"));
let failed = false;
try {
  console.log(`${contacts} contacts and ${accounts} accounts; 16 connections; measured with ${tool.name}.`);
  const target = await startProcess([...runOfTests, "tests/bench/target.ts"], {});
  const place = async (name: string, size: { contacts: number; accounts: number; cases: number }) => {
    const home = join(folder, name);
    mkdirSync(home);
    const world = await makeWorld(home, { ...size, target: target.url });
    const env = {
      DATABASE_URL: `file:${world.file}`,
      STORAGE_URL: `file:${home}/files`,
      PORT: "0",
      WEBHOOK_ALLOW_PRIVATE: "true",
      LOG_LEVEL: "info",
    };
    const startMs = await startUp(["task", "-q", "start"], env);
    return { world, startMs, server: await startLogged(serve, env, join(home, "log")) };
  };
  // The measurements with their own databases come first: the millions of rows below keep the disk busy for
  // minutes.
  const timers = await measureEscalation(Number(values.due));
  console.log(
    `Escalation of ${timers.leads} leads: ${Math.round(timers.perSecond)} a second (aim: 2000), ` +
      `the write lock held for ${Math.round(timers.longestMs)} ms at most (aim: 100).`,
  );
  const campaigns = await measureCampaigns(contacts);
  console.log(campaignLine(campaigns));
  // `--only` selects the webhooks by this name.
  const hooks = "webhooks".includes(values.only) ? await measureWebhooks(tool) : [];
  for (const figure of hooks) console.log(hookLine(figure));
  const small = await place("small", { contacts: few, accounts: few / 5, cases: few * 0.3 });
  const large = await place("large", { contacts, accounts, cases });
  // A second after its start, the service returns memory.
  await pause(2_000);
  const idleMb = readMemory(large.server.pid);

  const figures: Figure[] = [];
  for (const line of lines.filter(({ name }) => name.includes(values.only))) {
    for (const place of [small, large]) await warm(line, place);
    figures.push(await measure(line, large, small));
  }
  console.log(formatTable(figures, contacts));
  console.log(
    `\nStart to the first 200: ${large.startMs} ms (aim: 300). Memory idle: ${idleMb} MB (aim: 100).`,
  );
  failed = figures.some(isMissed) || hooks.some(isFarOff) || large.startMs > 600 || idleMb > 200 ||
    isSlow(campaigns) || timers.perSecond < 1000 || timers.longestMs > 200;
  if (failed) console.log("A figure is less than half of its aim.");
  for (const { server } of [large, small]) await server.end();
  await target.kill("SIGKILL");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
Deno.exit(failed ? 1 : 0);

interface Place {
  readonly world: World;
  readonly server: Logged;
}

async function measure(line: Line, large: Place, small: Place): Promise<Figure> {
  const load = await loadAt(line, large);
  const { method, asked: [first], token } = load;
  const body = first!.file === undefined
    ? first!.body
    : new RawBody(load.type ?? "application/json", await Deno.readFile(first!.file));
  const answer = await send(large.server.url + first!.path, method, token, body);
  if (answer.status >= 300) throw new Error(`${line.name} answered ${answer.status}: ${answer.text}`);
  const other = await tool.run(small.server.url, await loadAt(line, small));
  const compare = await yardstick(line, load, answer.text);
  const pairs: { bare: number | null; ours: Measured; beside: number | null }[] = [];
  for (let round = 0; round < (line.ratio === undefined ? 1 : rounds); round++) {
    const bare = await compare.run();
    const probe = line.beside ? besides(large) : null;
    const ours = await tool.run(large.server.url, load);
    pairs.push({ bare, ours, beside: probe && await probe.p95() });
  }
  const denoServe = await compare.denoServe();
  await compare.end();
  const computeRatio = ({ bare, ours }: typeof pairs[number]) => bare === null ? 0 : ours.perSecond / bare;
  pairs.sort((left, right) => computeRatio(left) - computeRatio(right));
  const median = pairs[Math.floor(pairs.length / 2)]!;
  return {
    line,
    ours: median.ours,
    small: other,
    total: answer.body?.pagination?.total ?? null,
    bytes: line.bytes ?? answer.text.length,
    bare: median.bare,
    denoServe,
    ratio: line.ratio === undefined ? null : computeRatio(median),
    beside: median.beside,
    memoryMb: readMemory(large.server.pid),
  };
}

/** Reads the whole file and makes the calls of the line for a while. */
async function warm(line: Line, place: Place): Promise<void> {
  await readThrough(place.world.file);
  await tool.run(place.server.url, await loadAt(line, place), warmSeconds);
}

function loadAt(line: Line, { world, server }: Place): Load | Promise<Load> {
  return line.load(world, async (path, token) => (await send(server.url + path, "GET", token)).body);
}

/** Returns the measurement that a ratio compares with; it returns null for a line without a ratio. */
async function yardstick(line: Line, load: Load, answer: string) {
  const none = () => Promise.resolve(null);
  if (line.ratio === undefined) return { run: none, denoServe: none, end: none };
  if (line.of === "commits") {
    const run = async () => {
      const args = [...runOfTests, "tests/bench/commits.ts", folder, values.seconds];
      const { stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
      return Number(JSON.parse(new TextDecoder().decode(stdout)).perSecond);
    };
    return { run, denoServe: none, end: none };
  }
  if (line.of === "files") {
    const bare = await startProcess([...runOfTests, "tests/bench/bare_files.ts", join(folder, "bare")], {});
    return {
      run: async () => (await tool.run(bare.url, load)).perSecond,
      denoServe: none,
      end: async () => void await bare.kill("SIGKILL"),
    };
  }
  const bytes = join(folder, "answer");
  await Deno.writeTextFile(bytes, answer);
  const [bare, denoServe] = await Promise.all(
    ["node", "deno"].map((server) => startProcess([...runOfTests, "tests/bench/bare.ts", bytes, server], {})),
  );
  return {
    run: async () => (await tool.run(bare!.url, load)).perSecond,
    denoServe: async () => (await tool.run(denoServe!.url, load)).perSecond,
    end: async () => void await Promise.all([bare!.kill("SIGKILL"), denoServe!.kill("SIGKILL")]),
  };
}

/** Makes calls of another user, one after the other, as long as a load runs. */
function besides({ world, server }: Place) {
  let over = false;
  const took: number[] = [];
  const calls = (async () => {
    while (!over) {
      const begun = performance.now();
      await send(`${server.url}/v1/me`, "GET", world.member);
      took.push(performance.now() - begun);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  return {
    async p95() {
      over = true;
      await calls;
      took.sort((left, right) => left - right);
      return took[Math.floor(took.length * 0.95)] ?? 0;
    },
  };
}
