/**
 * `deno task bench [--contacts N] [--accounts N] [--seconds S] [--rounds R]`: how fast the service is, as ratios
 * to a bare Hono route on the same Deno in the same run that answers the same bytes. The two take turns, and the
 * median of the rounds counts. Fails when a figure is less than half of what it should be.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startProcess } from "../support/process.ts";
import { send } from "../support/app.ts";
import { type Figure, table } from "./figures.ts";
import { chooseTool, type Load, type Measured } from "./load.ts";
import { memoryOf, startLogged, startUp } from "./process_figures.ts";
import { makeWorld } from "./world.ts";

const { values } = parseArgs({
  options: {
    contacts: { type: "string", default: "100000" },
    accounts: { type: "string" },
    seconds: { type: "string", default: "5" },
    rounds: { type: "string", default: "3" },
  },
});
const contacts = Number(values.contacts);
const accounts = Number(values.accounts ?? contacts / 5);
const rounds = Number(values.rounds);

const tool = await chooseTool(Number(values.seconds));
const folder = mkdtempSync(join(Deno.env.get("TMPDIR") ?? "/tmp", "wayline-bench-"));
let failed = false;
try {
  console.log(`${contacts} contacts and ${accounts} accounts; 16 connections; measured with ${tool.name}.`);
  const target = await startProcess(["run", "-A", "tests/bench/target.ts"], {});
  const world = await makeWorld(folder, { contacts, accounts, target: target.url });
  const env = {
    DATABASE_URL: `file:${world.file}`,
    PORT: "0",
    WEBHOOK_ALLOW_PRIVATE: "true",
    LOG_LEVEL: "info",
  };
  const serve = ["run", "-A", "src/entry/deno.ts"];
  const startMs = await startUp(serve, env);
  const server = await startLogged(serve, env, join(folder, "log"));
  const idleMb = memoryOf(server.pid);

  const loads: { name: string; aim: number; load: Load }[] = [
    {
      name: "GET /accounts/:id",
      aim: 0.15,
      load: { method: "GET", paths: world.accountPaths, token: world.token },
    },
    {
      name: "GET /accounts",
      aim: 0.10,
      load: { method: "GET", paths: ["/v1/accounts"], token: world.token },
    },
    { name: "GET /me", aim: 0.15, load: { method: "GET", paths: ["/v1/me"], token: world.token } },
    {
      name: "POST /leads",
      aim: 0.03,
      load: { method: "POST", paths: ["/v1/leads"], token: world.token, body: world.lead },
    },
  ];
  const figures: Figure[] = [];
  for (const { name, aim, load } of loads) {
    const answer = await send(server.url + load.paths[0]!, load.method, load.token, load.body);
    if (answer.status >= 300) throw new Error(`${name} answered ${answer.status}: ${answer.text}`);
    const bytes = join(folder, "answer");
    await Deno.writeTextFile(bytes, answer.text);
    const bare = await startProcess(["run", "-A", "tests/bench/bare.ts", bytes], {});
    const pairs: { bare: Measured; ours: Measured; ratio: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const one = await tool.run(bare.url, load);
      const two = await tool.run(server.url, load);
      pairs.push({ bare: one, ours: two, ratio: two.perSecond / one.perSecond });
    }
    await bare.kill("SIGKILL");
    pairs.sort((left, right) => left.ratio - right.ratio);
    const { bare: floor, ours, ratio } = pairs[Math.floor(pairs.length / 2)]!;
    figures.push({
      name,
      aim,
      ratio,
      bare: floor,
      ours,
      bytes: answer.text.length,
      memoryMb: memoryOf(server.pid),
    });
  }
  console.log(table(figures));
  console.log(`\nStart to the first 200: ${startMs} ms (aim: 500). Memory idle: ${idleMb} MB (aim: 120).`);
  failed = figures.some(({ ratio, aim }) => ratio < aim / 2) || startMs > 1000 || idleMb > 240;
  if (failed) console.log("A figure is less than half of its aim.");
  await server.end();
  await target.kill("SIGKILL");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
Deno.exit(failed ? 1 : 0);
