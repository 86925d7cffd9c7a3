/**
 * `deno run -A --config tests/deno.json tests/bench/path_lengths.ts [--list]`: prints the size of `src`, and
 * how many functions in how many files run for a lead until its webhook is delivered, and for a filtered
 * list. The coverage of a later call is counted, so code that runs once per process does not count.
 */
import { Session } from "node:inspector/promises";
import { type Actor, startApp } from "../support/app.ts";
import { startTarget } from "../support/listener.ts";
import { projectRoot } from "../support/process.ts";
import { makeSales } from "../sales/leads_world.ts";

/** The number of calls before the one that counts. */
const warmCalls = 3;
const listsThem = Deno.args.includes("--list");
const sources = `file://${projectRoot}src/`;

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", {
  callCount: true,
  detailed: false,
});

console.log(sizes());
await using app = await startApp();
const { admin, body } = await makeSales(app);
const target = startTarget();
await countCalled(admin, "/v1/webhooks", {
  target_url: target.url,
  webhook_event: "lead_created",
});
let delivered = 0;
console.log(
  `POST /v1/leads until delivered: ${await measureExecuted(async () => {
    await countCalled(admin, "/v1/leads", body());
    await target.waitForCount(++delivered);
    await app.idle();
  })}`,
);
const filter = [
  { field: "b2b_contact.fixed_fields.last_name", operator: "sw", value: "b" },
  {
    field: "contact.created_at",
    operator: "gte",
    value: "2026-01-01 00:00:00",
  },
];
console.log(
  `POST /v1/contacts/filter: ${await measureExecuted(() =>
    countCalled(admin, "/v1/contacts/filter", { filter })
  )}`,
);
await target.close();
await app[Symbol.asyncDispose]();
Deno.exit(0);

async function countCalled(
  actor: Actor,
  path: string,
  sent: unknown,
): Promise<void> {
  const { status, text } = await actor.call("POST", path, sent);
  if (status >= 300) {
    throw new Error(`POST ${path} answered ${status}: ${text}`);
  }
}

/** Runs the work several times, and returns how much of `src` the last run executed. */
async function measureExecuted(work: () => Promise<void>): Promise<string> {
  for (let n = 0; n < warmCalls; n++) await work();
  await session.post("Profiler.takePreciseCoverage");
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const files = result.filter(({ url }) => url.startsWith(sources)).map(({ url, functions }) => ({
    path: url.slice(sources.length),
    // The body of a module is a function without a name at the start of the file.
    ran: functions.filter(({ functionName, ranges }) =>
      ranges[0]!.count > 0 && (functionName !== "" || ranges[0]!.startOffset > 0)
    ).map(({ functionName }) => functionName),
  })).filter(({ ran }) => ran.some((name) => name !== ""));
  if (listsThem) {
    for (const { path, ran } of files) console.log(`  ${path}: ${ran.filter(Boolean).join(" ")}`);
  }
  const all = files.flatMap(({ ran }) => ran);
  const named = all.filter((name) => name !== "");
  return `${named.length} named functions (${all.length} with those without a name) in ${files.length} files`;
}

/** Returns the number of files and lines of `src`, and its longest file. */
function sizes(): string {
  const files = [...walkFiles(`${projectRoot}src`)].filter((path) => /\.tsx?$/.test(path)).map((path) => ({
    path: path.slice(projectRoot.length),
    lines: Deno.readTextFileSync(path).split("\n").length - 1,
  })).toSorted((one, other) => other.lines - one.lines);
  const lines = files.reduce((sum, each) => sum + each.lines, 0);
  const median = files[Math.floor(files.length / 2)]!.lines;
  const [longest] = files;
  const longestLines = longest!.lines;
  return `src: ${files.length} files, ${lines} lines, median ${median}, longest ` +
    `${longest!.path} (${longestLines}), over 250 lines: ${files.filter((each) => each.lines > 250).length}`;
}

function* walkFiles(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory) yield* walkFiles(`${folder}/${name}`);
    else yield `${folder}/${name}`;
  }
}
