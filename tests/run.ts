/**
 * `deno task test`: runs the test files in groups, each in a process of its own. One process with a thread for
 * each group takes a tenth more processor time.
 *
 *     deno task test                            all tests but the proofs whose sizes can grow, and the files that
 *                                               take longest (`sizes.ts`); of those that try many things of one
 *                                               kind, a sample
 *     deno task test --all                      those as well, and no sample, as CI does
 *     deno task test tests/sales tests/db       the tests in these folders or files
 *     deno task test --fast                     without all proofs, browsers, other runtimes, command lines
 *                                               and slow files
 *
 * Other options go to `deno test`, such as `--filter=name`.
 *
 * A sample is one of four parts of the lines of a matrix, of the operations that a sweep calls, of removals, filters
 * or lists, or of the pages and forms of the console (`support/sample.ts`). The commit chooses it, and it is printed:
 * `SAMPLE=2 deno task test` tries that one again. Single files and folders are tried whole.
 *
 * Proofs whose sizes can grow run shorter here than in `deno task test:long` (kills: in its last part, `test:crash`):
 *
 *                            here                                    there
 *     proofs/growth          from 6,000 to 30,000 rows               to 60,000
 *     proofs/laws            750 steps of users                      200,000
 *     proofs/simulation      50 histories of leads                   20,000
 *     proofs/filters         60 filters a list, 1 value a field,     20,000, and 10 values
 *                            related fields in one of two lists      in both
 *     proofs/visibility      1 company                               100
 *     proofs/walk            2 walks a list                          500
 *     proofs/kill            6 kills                                 200
 *     sweep/garbage          8 calls an operation                    2,000
 *     insight/histories      2 histories                             300
 *     delivery/webhook_life  20 lives                                400
 *     insight/rollups        60 questions                            3,000
 *     proofs/outages         5 outages of 0.4 s                      100 of 15 s, each tenth of a minute
 *     proofs/kill_sabotage   2 faults                               9
 *     http/generators        1 generator of clients                  3
 *     http/large_pages_beside  pages by brotli                       plain, gzip and brotli
 *     http/large_pages_fair  60 large pages at once                 120
 *     insight/large_answers  8 time series at once                  12
 *     docs/examples          each page pasted once                   twice
 *     pages/console_days     three days at 2 desks                   at 16
 *     pages/console_pages    each page in one theme                  in both
 *     sweep/members          without those on the list of unclear ones   all
 *     http/validation_proxy  none: sweep/schemas compares each       300 calls through a proxy
 *                            operation with the document
 *
 * A size may shrink only as long as the proof rejects a service with a broken rule. A service that joins
 * related records wrongly is rejected within 60 filters of accounts, because many are made to expose it.
 */
import { buildsFolder, exists } from "../src/entry/builds.ts";
import { alone, type Groups, makeGroups, slow, takeFolder, timed, writeModule } from "./groups.ts";
import { longFiles, sizedFiles } from "./sizes.ts";
import { slowFiles } from "./slow_files.ts";
import { ofTests, projectRoot } from "./support/process.ts";
import { bundleVariable } from "./support/programs.ts";
import { reportInstallation } from "./support/installation.ts";
import { samplesOfWhole, sampleVariable } from "./support/sample.ts";
import { Total } from "./support/total.ts";

/**
 * Collects garbage without further threads: the processes already keep all cores busy, and threads cost a
 * tenth more.
 */
const v8Flags = "--v8-flags=--single-threaded-gc";

if (import.meta.main) Deno.exit(await run(Deno.args));

/** Returns the exit code. */
async function run(args: readonly string[]): Promise<number> {
  const options = args.filter((arg) => arg.startsWith("-") && arg !== "--fast" && arg !== "--all");
  const places = args.filter((arg) => !arg.startsWith("-")).map((place) => place.replace(/\/$/, ""));
  const isFast = args.includes("--fast");
  const isAll = args.includes("--all");
  const all = testFiles("tests");
  const missing = [...alone, ...timed, ...slowFiles, ...sizedFiles, ...longFiles].filter((file) =>
    !all.includes(file)
  );
  if (missing.length > 0) {
    console.error(`These files of slow tests do not exist: ${missing.join(", ")}.`);
    return 1;
  }
  const files = all.filter((file) =>
    (places.length === 0
      ? isAll || !(sizedFiles.has(file) || longFiles.has(file))
      : isWithin(file, places)) &&
    !(isFast && (slow.includes(takeFolder(file)) || slowFiles.has(file)))
  );
  if (files.length === 0) {
    console.error(`No test file is in ${places.join(", ")}.`);
    return 1;
  }
  // Tests also start servers as users do. Those servers take their packages from the project's own
  // configuration.
  if (!await installs("the service, 180 MB", "node_modules", [])) return 1;
  if (!await installs("the tests, 650 MB", "tests/node_modules", ofTests)) return 1;
  // Builds the service once, before several processes need it.
  if (!await succeeds(["run", "-q", "-A", "src/cli/build.ts"])) return 1;
  const folder = await Deno.makeTempDir({ prefix: "wayline-tests-" });
  // With this name, the next build removes it after a killed run.
  const bundle = `${buildsFolder}/.${crypto.randomUUID()}`;
  try {
    // A part of the tests starts them too seldom for that.
    const isBundled = places.length === 0 && !isFast;
    const bundling = ["run", "-q", "-A", ...ofTests, "tests/support/bundle_programs.ts", bundle];
    if (isBundled && !await succeeds(bundling)) return 1;
    const sample = places.length > 0 ? undefined : isAll ? "" : await chooseSample();
    if (sample) console.log(`Samples: ${sampleVariable}=${sample}. With --all, all is tried.`);
    const env: Record<string, string> = {
      ...(isBundled && { [bundleVariable]: bundle }),
      ...(sample !== undefined && { [sampleVariable]: sample }),
    };
    const testing = (group: readonly string[], output: "piped" | "inherit") =>
      command(
        ["test", "-A", "--no-check", v8Flags, ...ofTests, ...options, writeModule(group, folder)],
        output,
        env,
      );
    return await succeedsInParallel(makeGroups(files), testing) ? 0 : 1;
  } finally {
    await Deno.remove(folder, { recursive: true });
    if (exists(bundle)) await Deno.remove(bundle, { recursive: true });
  }
}

/** Returns the number of the sample: the given one, else that of the commit; 0 outside of a repository. */
async function chooseSample(): Promise<string> {
  const given = Deno.env.get(sampleVariable);
  if (given) return given;
  const git = new Deno.Command("git", { args: ["rev-parse", "HEAD"], cwd: projectRoot, stderr: "null" });
  const commit = await git.output().then(({ stdout }) => new TextDecoder().decode(stdout), () => "");
  return String(parseInt(commit.slice(0, 8), 16) % samplesOfWhole || 0);
}

/** Whether the file is one of the places, or in one of them. */
function isWithin(file: string, places: readonly string[]): boolean {
  return places.some((place) => file === place || file.startsWith(`${place}/`));
}

/** Returns the paths of all test files below the folder, from the project's root, sorted. */
function testFiles(folder: string): string[] {
  const files: string[] = [];
  for (const { name, isDirectory } of Deno.readDirSync(`${projectRoot}${folder}`)) {
    const path = `${folder}/${name}`;
    if (isDirectory && name !== "node_modules") files.push(...testFiles(path));
    else if (name.endsWith(".test.ts")) files.push(path);
  }
  return files.sort();
}

/**
 * Runs the groups: on each core a busy one and one that waits, then those that run alone. Prints what a process has written when it
 * ends, and at last the total of all. A signal ends all processes, and what they have written shows the tests
 * that hang.
 */
async function succeedsInParallel(
  { busy, waiting, timed }: Groups,
  testing: (group: readonly string[], output: "piped" | "inherit") => Deno.Command,
): Promise<boolean> {
  const [only, ...others] = [...busy, ...waiting, ...timed];
  // A single process prints as it goes.
  if (others.length === 0) return (await testing(only!, "inherit").spawn().status).success;
  const total = new Total();
  const running = new Set<Deno.ChildProcess>();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => {
      busy.length = waiting.length = timed.length = 0;
      for (const child of running) child.kill("SIGKILL");
    });
  }
  const runFrom = async (first: string[][], then: string[][]) => {
    const next = () => first.shift() ?? then.shift();
    for (let group = next(); group !== undefined; group = next()) {
      const child = testing(group, "piped").spawn();
      running.add(child);
      const { stdout, stderr, code } = await child.output();
      running.delete(child);
      print(stdout, Deno.stdout);
      print(stderr, Deno.stderr);
      total.add(`The group of ${group[0]}`, new TextDecoder().decode(stdout), code);
    }
  };
  const cores = navigator.hardwareConcurrency;
  await Promise.all([
    ...Array.from({ length: cores }, () => runFrom(busy, waiting)),
    ...Array.from({ length: cores }, () => runFrom(waiting, busy)),
  ]);
  await runFrom(timed, []);
  console.log(total.text());
  return total.isGood();
}

/** Prints all of the bytes: one call may write a part of them. */
function print(bytes: Uint8Array, to: typeof Deno.stdout): void {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(to.writeSync(rest));
}

/** Installs packages into the folder. Says what it fetches the first time, and how far it is. */
async function installs(what: string, folder: string, config: readonly string[]): Promise<boolean> {
  using _ = reportInstallation(what, `${projectRoot}${folder}`, console.log);
  return await succeeds(["install", "-q", ...config]);
}

async function succeeds(args: string[]): Promise<boolean> {
  return (await command(args, "inherit").spawn().status).success;
}

function command(
  args: string[],
  output: "piped" | "inherit",
  env: Readonly<Record<string, string>> = {},
): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args,
    cwd: projectRoot,
    env,
    stdin: "null",
    stdout: output,
    stderr: output,
  });
}
