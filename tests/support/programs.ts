/** Programs of the tests that load the app and start dozens of times. */
import { basename } from "node:path";
import { projectRoot, runOfTests } from "./process.ts";

export const programs = [
  "tests/delivery/mail_waker.ts",
  "tests/delivery/mail_sender.ts",
  "tests/integration/killed_server.ts",
  "tests/messages/campaign_sender.ts",
  "tests/proofs/jobs_at.ts",
  "tests/proofs/jobs_server.ts",
  "tests/sweep/server.ts",
] as const;

export type TestProgram = typeof programs[number];

/** The variable that names the folder of their bundle, as a path from the project. */
export const bundleVariable = "TEST_PROGRAMS";

/** Returns the arguments of Deno that run a program: from the bundle if there is one, else from its source. */
export function programArguments(path: TestProgram): readonly string[] {
  const folder = Deno.env.get(bundleVariable);
  if (folder === undefined) return [...runOfTests, `${projectRoot}${path}`];
  return [
    "run",
    "-q",
    "-A",
    "--node-modules-dir=manual",
    `${projectRoot}${folder}/${basename(path, ".ts")}.js`,
  ];
}
