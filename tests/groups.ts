/**
 * The groups in which `deno task test` runs the test files. A group is one module that imports several files,
 * so that they share one load of the app: loading it for each file takes as much processor time as the tests.
 */
import { relative } from "node:path";
import { projectRoot } from "./support/process.ts";

/** Folders of proofs, and of tests that start processes: they run first, and `--fast` leaves them out. */
export const slow = ["proofs", "runtime", "pages", "cli", "sweep", "entry"];
/**
 * Files that run alone, because each takes long or measures its own process: before those of small folders, and the
 * longest first.
 */
export const alone = [
  "tests/proofs/growth.test.ts",
  "tests/sweep/abuse.test.ts",
  "tests/proofs/kill.test.ts",
  "tests/proofs/filters.test.ts",
  "tests/sweep/garbage.test.ts",
  "tests/proofs/laws.test.ts",
  "tests/entry/listen.test.ts",
  "tests/proofs/simulation.test.ts",
  "tests/proofs/visibility.test.ts",
  "tests/proofs/walk.test.ts",
  "tests/platform/typeset.test.ts",
];
/**
 * Files that compare times with fixed bounds, or start all that a newcomer starts: they run at the end, one after the
 * other, with nothing beside.
 */
export const timed = [
  "tests/cli/newcomer.test.ts",
  "tests/delivery/isolation.test.ts",
  "tests/delivery/sharing.test.ts",
  "tests/delivery/webhook_crowded.test.ts",
];
/** Folders and files whose tests wait for timeouts or other processes for most of their time. */
const waiting = [
  "tests/cli/",
  "tests/entry/",
  "tests/pages/",
  "tests/runtime/",
  "tests/delivery/",
  "tests/integration/imports_killed.test.ts",
  "tests/integration/merges_killed.test.ts",
  "tests/messages/campaign_kill.test.ts",
  "tests/proofs/kill.test.ts",
  "tests/proofs/kill_files.test.ts",
  "tests/proofs/kill_sabotage.test.ts",
  "tests/proofs/outages.test.ts",
];
/**
 * The most files of a group, in slow folders and in others. Folders with fewer files than `small` share groups: each
 * has a share of the files that are left, but not fewer than `least`. Smaller groups load the app and compile its
 * hot code more often, which takes two seconds of processor time each time; larger ones leave a single process busy
 * at the end.
 */
const groupSizes = { slow: 20, fast: 64, small: 25, shrinking: { share: 0.35, least: 10 } };

/** Returns the name of the folder below `tests`, or the name of a file that is directly in `tests`. */
export function takeFolder(file: string): string {
  return file.split("/")[1]!;
}

/** Groups of test files, in the order of their starts. */
export interface Groups {
  readonly busy: string[][];
  /** Those that wait for most of their time: one of them runs beside each busy one. */
  readonly waiting: string[][];
  /** Those that run after the others, one after the other. */
  readonly timed: string[][];
}

/**
 * Returns the groups: files of slow folders and the others, each by folder, then each file that runs alone, and at
 * last the files of small folders, which share groups.
 */
export function makeGroups(files: readonly string[]): Groups {
  const shared = files.filter((file) => !alone.includes(file) && !timed.includes(file));
  const inFolders = (among: readonly string[], size: number) =>
    Object.values(Object.groupBy(among, takeFolder)).flatMap((members) => inParts(members!, size));
  const isSlow = (file: string) => slow.includes(takeFolder(file));
  const isWaiting = (file: string) => waiting.some((place) => file.startsWith(place));
  const [still, working] = partBy(shared, isWaiting);
  const [small, large] = partBy(
    inFolders(working.filter((file) => !isSlow(file)), groupSizes.fast),
    ({ length }) => length < groupSizes.small,
  );
  const [smallStill, largeStill] = partBy(
    inFolders(still, groupSizes.slow),
    ({ length }) => length < groupSizes.slow - 4,
  );
  const [aloneStill, aloneWorking] = partBy(alone.filter((file) => files.includes(file)), isWaiting);
  return {
    // The last groups become smaller and smaller, so that all processes end at about the same time.
    busy: [
      ...inFolders(working.filter(isSlow), groupSizes.slow),
      ...large.sort((one, other) => other.length - one.length),
      ...aloneWorking.map((file) => [file]),
      ...inShrinkingParts(small.flat()),
    ],
    waiting: [
      ...largeStill,
      ...inParts(smallStill.flat(), groupSizes.slow),
      ...aloneStill.map((file) => [file]),
    ],
    timed: inParts(timed.filter((file) => files.includes(file)), groupSizes.fast),
  };
}

/** Parts items into those that meet the condition, and the others. */
function partBy<T>(items: readonly T[], condition: (item: T) => boolean): [T[], T[]] {
  return [items.filter(condition), items.filter((item) => !condition(item))];
}

/** Splits the files into parts of about the same size. */
function inParts(files: readonly string[], size: number): string[][] {
  const parts = Math.ceil(files.length / size);
  return Array.from({ length: parts }, (_, part) => files.filter((_, index) => index % parts === part));
}

/** Splits the files into parts, of which each is a share of those that are left. Each part has files of all folders. */
function inShrinkingParts(files: readonly string[]): string[][] {
  const { share, least } = groupSizes.shrinking;
  const mixed = inParts(files, least).flat();
  const parts: string[][] = [];
  while (mixed.length > 0) {
    const size = Math.max(least, Math.ceil(mixed.length * share));
    parts.push(mixed.splice(0, mixed.length < 2 * least ? mixed.length : size));
  }
  return parts;
}

/** Writes a module that imports the files of the group, and returns its path. */
export function writeModule(group: readonly string[], folder: string): string {
  const path = `${folder}/${group[0]!.replaceAll("/", "_")}`;
  const imports = group.map((file) =>
    `import ${JSON.stringify(relative(folder, `${projectRoot}${file}`))};\n`
  );
  Deno.writeTextFileSync(path, imports.join(""));
  return path;
}
