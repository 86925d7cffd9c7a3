/**
 * `deno task test`: runs the test files in groups. A group is one module that imports several files, so that
 * they share one load of the app: loading it for each file takes as much processor time as the tests.
 *
 *     deno task test                            all tests
 *     deno task test tests/sales tests/db      the tests in these folders or files
 *     deno task test --fast                     without proofs, browsers, other runtimes, command lines and
 *                                               slow files
 *
 * Other options go to `deno test`, such as `--filter=name`.
 *
 * Some proofs run shorter here than in `deno task test:long` (kills: in its last part, `test:crash`):
 *
 *                            here                                    there
 *     proofs/growth          from 6,000 to 30,000 rows               to 60,000
 *     proofs/laws            750 steps of users                      200,000
 *     proofs/simulation      50 histories of leads                   20,000
 *     proofs/filters         60 filters a list, 1 value a field      20,000, and 10 values
 *     proofs/visibility      1 company                               100
 *     proofs/walk            2 walks a list                          500
 *     proofs/kill            6 kills                                 200
 *     sweep/garbage          8 calls an operation                    2,000
 *     insight/histories      2 histories                             300
 *     delivery/webhook_life  20 lives                                400
 *     insight/rollups        60 questions                            3,000
 *     proofs/kill_sabotage   4 faults, one of each kind              9
 *     http/generators        1 generator of clients                  3
 *     http/large_pages_beside  pages by brotli                       plain, gzip and brotli
 *     http/validation_proxy  none: sweep/schemas compares each       300 calls through a proxy
 *                            operation with the document
 *
 * A size may shrink only as long as the proof rejects a service with a broken rule. A service that joins
 * related records wrongly is rejected within 60 filters of accounts, because many are made to expose it.
 */
import { relative } from "node:path";
import { buildsFolder, exists } from "../src/entry/built.ts";
import { slowFiles } from "./slow_files.ts";
import { ofTests, PROJECT_ROOT } from "./support/process.ts";
import { bundleVariable } from "./support/programs.ts";

/** Folders of proofs, and of tests that start processes: they run first, and `--fast` leaves them out. */
const slow = ["proofs", "runtime", "pages", "cli", "sweep", "entry"];
/** Files that run alone, and before all others: each takes long, or measures its own process. */
const alone = [
  "tests/proofs/growth.test.ts",
  "tests/proofs/laws.test.ts",
  "tests/proofs/filters.test.ts",
  "tests/proofs/simulation.test.ts",
  "tests/proofs/kill.test.ts",
  "tests/sweep/garbage.test.ts",
  "tests/proofs/visibility.test.ts",
  "tests/sweep/abuse.test.ts",
  "tests/proofs/walk.test.ts",
  "tests/proofs/deep_pages.test.ts",
  "tests/entry/listen.test.ts",
];
/** Folders whose tests wait for timeouts or other processes for most of their time. */
const waiting = ["cli", "pages", "runtime", "delivery", "platform"];
/**
 * The most files of a group, in slow folders and in others, and of a group of small folders. Smaller groups
 * load the app more often, which takes half a second each time; larger ones leave a single worker busy at
 * the end.
 */
const groupSizes = { slow: 8, fast: 32, small: 14 };
/** Workers per core. Tests wait for a process, a timeout or a reader thread for half of their time. */
const workersPerCore = 2;
/**
 * Collects garbage without further threads: the workers already keep all cores busy, and threads cost a tenth
 * more.
 */
const v8Flags = "--v8-flags=--single-threaded-gc";

if (import.meta.main) Deno.exit(await run(Deno.args));

/** Returns the exit code. */
async function run(args: readonly string[]): Promise<number> {
  const options = args.filter((arg) => arg.startsWith("-") && arg !== "--fast");
  const places = args.filter((arg) => !arg.startsWith("-")).map((place) => place.replace(/\/$/, ""));
  const isFast = args.includes("--fast");
  const all = testFiles("tests");
  const missing = [...alone, ...slowFiles].filter((file) => !all.includes(file));
  if (missing.length > 0) {
    console.error(`These files of slow tests do not exist: ${missing.join(", ")}.`);
    return 1;
  }
  const files = all.filter((file) =>
    (places.length === 0 || places.some((place) => file === place || file.startsWith(`${place}/`))) &&
    !(isFast && (slow.includes(folderOf(file)) || slowFiles.has(file)))
  );
  if (files.length === 0) {
    console.error(`No test file is in ${places.join(", ")}.`);
    return 1;
  }
  // Tests also start servers as users do. Those servers take their packages from the project's own
  // configuration.
  for (const config of [[], ofTests]) {
    if (!await succeeds(["install", "-q", ...config])) return 1;
  }
  // Builds the service once, before several workers need it.
  if (!await succeeds(["run", "-q", "-A", "src/cli/build.ts"])) return 1;
  const folder = await Deno.makeTempDir({ prefix: "wayline-tests-" });
  // With this name, the next build removes it after a killed run.
  const bundle = `${buildsFolder}/.${crypto.randomUUID()}`;
  try {
    // A part of the tests starts them too seldom for that.
    const isBundled = files.length === all.length;
    const bundling = ["run", "-q", "-A", ...ofTests, "tests/support/bundle_programs.ts", bundle];
    if (isBundled && !await succeeds(bundling)) return 1;
    const modules = groups(files).map((group, index) => moduleOf(group, index, folder));
    const test = ["test", "-A", "--no-check", "--parallel", v8Flags, ...ofTests];
    const env: Record<string, string> = isBundled ? { [bundleVariable]: bundle } : {};
    return await succeeds([...test, ...options, ...modules], env) ? 0 : 1;
  } finally {
    await Deno.remove(folder, { recursive: true });
    if (exists(bundle)) await Deno.remove(bundle, { recursive: true });
  }
}

/** Returns the paths of all test files below the folder, from the project's root, sorted. */
function testFiles(folder: string): string[] {
  const files: string[] = [];
  for (const { name, isDirectory } of Deno.readDirSync(`${PROJECT_ROOT}${folder}`)) {
    const path = `${folder}/${name}`;
    if (isDirectory && name !== "node_modules") files.push(...testFiles(path));
    else if (name.endsWith(".test.ts")) files.push(path);
  }
  return files.sort();
}

/** Returns the name of the folder below `tests`, or the name of a file that is directly in `tests`. */
function folderOf(file: string): string {
  return file.split("/")[1]!;
}

/**
 * Returns the groups: each file that runs alone, then files of slow folders and the others, each by folder.
 * Files of small folders share groups.
 */
function groups(files: readonly string[]): string[][] {
  const shared = files.filter((file) => !alone.includes(file));
  const inFolders = (among: readonly string[], size: number) =>
    Object.values(Object.groupBy(among, folderOf)).flatMap((members) => inParts(members!, size));
  const isSlow = (file: string) => slow.includes(folderOf(file));
  const [small, large] = parted(
    inFolders(shared.filter((file) => !isSlow(file)), groupSizes.fast),
    ({ length }) => length < groupSizes.small,
  );
  const [idle, busy] = parted(
    [
      ...inFolders(shared.filter(isSlow), groupSizes.slow),
      ...large.sort((one, other) => other.length - one.length),
    ],
    ([first]) => waiting.includes(folderOf(first!)),
  );
  return [
    ...alone.filter((file) => files.includes(file)).map((file) => [file]),
    ...woven(idle, busy),
    // Small groups keep all workers busy at the end.
    ...inParts(small.flat(), groupSizes.small),
  ];
}

/** Parts items into those that meet the condition, and the others. */
function parted<T>(items: readonly T[], condition: (item: T) => boolean): [T[], T[]] {
  return [items.filter(condition), items.filter((item) => !condition(item))];
}

/** Places one group that waits before every two busy ones, so that it runs beside them. */
function woven(idle: readonly string[][], busy: readonly string[][]): string[][] {
  const rounds = Math.max(idle.length, Math.ceil(busy.length / 2));
  return Array.from(
    { length: rounds },
    (_, round) => [...idle.slice(round, round + 1), ...busy.slice(2 * round, 2 * round + 2)],
  ).flat();
}

/** Splits the files into parts of about the same size. */
function inParts(files: readonly string[], size: number): string[][] {
  const parts = Math.ceil(files.length / size);
  return Array.from({ length: parts }, (_, part) => files.filter((_, index) => index % parts === part));
}

/**
 * Writes a module that imports the files of the group, and returns its path. Every group gets one, because
 * Deno runs such modules in their order, but the project's own files last.
 */
function moduleOf(group: readonly string[], index: number, folder: string): string {
  const path = `${folder}/${folderOf(group[0]!)}_${index}.test.ts`;
  const imports = group.map((file) =>
    `import ${JSON.stringify(relative(folder, `${PROJECT_ROOT}${file}`))};\n`
  );
  Deno.writeTextFileSync(path, imports.join(""));
  return path;
}

async function succeeds(args: string[], env: Readonly<Record<string, string>> = {}): Promise<boolean> {
  const jobs = String(Math.ceil(navigator.hardwareConcurrency * workersPerCore));
  const { success } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: PROJECT_ROOT,
    env: { DENO_JOBS: jobs, ...env },
    stdin: "null",
  }).spawn().status;
  return success;
}
