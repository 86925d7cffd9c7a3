/**
 * The proofs whose sizes can grow, with their full sizes. `deno task test` leaves them out, `deno task test --all`
 * runs them at small sizes, and `deno task test:long` at these. Files that take long without a size follow them.
 */
import { timed } from "./groups.ts";

/** Proofs that run in one process. */
export interface Part {
  /** Variables that the tests read. */
  readonly sizes: Readonly<Record<string, string>>;
  /** Below `tests`. */
  readonly files: readonly string[];
}

/** In the order of `deno task test:long`, which proves kills after them. */
export const parts: readonly Part[] = [
  {
    sizes: {
      GROWTH_ROWS: "60000",
      PROPERTY_SEED: "random",
      LAW_STEPS: "200000",
      SWEEP_RUNS: "2000",
      FILTER_RUNS: "20000",
      FILTER_SAMPLES: "10",
      VISIBILITY_RUNS: "100",
      WALK_RUNS: "500",
      SIMULATION_RUNS: "20000",
      AUTOMATED_RUNS: "2000",
      WEBHOOK_RUNS: "400",
      QUESTION_RUNS: "3000",
      HISTORIES: "300",
    },
    files: [
      "sweep/garbage.test.ts",
      "proofs/growth.test.ts",
      "proofs/filters.test.ts",
      "proofs/visibility.test.ts",
      "proofs/walk.test.ts",
      "proofs/laws.test.ts",
      "proofs/simulation.test.ts",
      "messages/automated_simulation.test.ts",
      "insight/rollups.test.ts",
      "insight/histories.test.ts",
      "delivery/webhook_life.test.ts",
      "http/openapi_spectral.ts",
    ],
  },
  {
    sizes: { GUIDE_ROUNDS: "2" },
    files: [
      "docs/examples.test.ts",
    ],
  },
  {
    sizes: { TIMES: "true", ABUSE_CALLS: "1000", SERIES: "12", FLOOD: "120" },
    files: [
      "insight/large_answers.test.ts",
      "http/large_pages_fair.test.ts",
      "sweep/abuse.test.ts",
      "sweep/abuse_many.test.ts",
      "identity/sign_in_flood.test.ts",
      "http/large_pages.test.ts",
    ],
  },
  {
    sizes: {
      UPLOADS: "50",
      FILE_KILLS: "40",
      CAMPAIGN_RECIPIENTS: "10000",
      CAMPAIGN_KILLS: "20",
      ZIP_ENTRIES: "70000",
    },
    files: [
      "messages/campaign_kill.test.ts",
      "messages/campaign_zip.test.ts",
      "library/upload_memory.test.ts",
      "library/upload_memory_base64.ts",
      "library/large_lists.ts",
      "library/upload_beside.ts",
      "proofs/kill_files.test.ts",
      "proofs/kill_files_sabotage.ts",
    ],
  },
  {
    sizes: { IMPORT_ROWS: "100000", IMPORT_KILLS: "20", MERGE_KILLS: "20", REPLICA_STEPS: "300" },
    files: [
      "integration/replica.test.ts",
      "integration/imports_killed.test.ts",
      "integration/merges_killed.test.ts",
    ],
  },
  {
    sizes: { OUTAGES: "100" },
    files: [
      "proofs/outages.test.ts",
    ],
  },
  {
    sizes: { DESKS: "all" },
    files: [
      "pages/console_days.test.ts",
    ],
  },
  {
    sizes: { UNCLEAR_MEMBERS: "tried", THEMES: "all" },
    files: [
      "sweep/members.test.ts",
      "pages/console_pages.test.ts",
    ],
  },
  {
    sizes: { GENERATORS: "all", ENCODINGS: "identity,gzip,br", KILL_FAULTS: "all" },
    files: [
      "http/generators.test.ts",
      "http/large_pages_beside.test.ts",
      "proofs/kill_sabotage.test.ts",
      "http/validation_proxy.ts",
    ],
  },
  {
    sizes: { BESIDE_ROWS: "100000" },
    files: [
      "proofs/beside.ts",
    ],
  },
];

/** The test files among them, and the proof of kills, from the project's root. */
export const sizedFiles: ReadonlySet<string> = new Set(
  [...parts.flatMap(({ files }) => files), "proofs/kill.test.ts"]
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => `tests/${file}`),
);

/**
 * Files that take more than five seconds of processor time because they start the service, its commands or threads
 * again and again, as users do, or that compare times while nothing else runs. `deno task test` leaves them out, too;
 * after a change of what they start, run their folder: `deno task test tests/cli`.
 */
export const longFiles: ReadonlySet<string> = new Set([
  ...timed,
  "tests/cli/backup.test.ts",
  "tests/cli/build.test.ts",
  "tests/cli/restore_killed.test.ts",
  "tests/cli/seed.test.ts",
  "tests/cli/shell_blocks.test.ts",
  "tests/cli/start.test.ts",
  "tests/platform/printer_thread.test.ts",
  "tests/runtime/main_job.test.ts",
  "tests/runtime/secrets_key.test.ts",
]);
