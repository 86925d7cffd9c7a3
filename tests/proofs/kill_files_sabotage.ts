/**
 * Runs the kill proof of files against services that store files in a wrong order. The proof must fail for
 * each. The suite leaves this file out: `deno test -A --config tests/deno.json
 * tests/proofs/kill_files_sabotage.ts`.
 */
import assert from "node:assert/strict";
import { inFolder } from "../support/engines.ts";
import { runOfTests } from "../support/process.ts";
import { killWhileStoring } from "./kill_files.ts";

/** The faults of the service, each with the message of the proof that rejects it. */
const faults: Readonly<Record<string, RegExp>> = {
  unannounced: /objects in the storage without a row/,
  dropped: /lacks the bytes/,
  unstored: /lacks the bytes/,
};

for (const [fault, message] of Object.entries(faults)) {
  Deno.test(`a service whose objects are ${fault} does not pass the proof`, () =>
    inFolder(async (folder) => {
      const serve = [...runOfTests, "tests/proofs/kill_files_faulty_server.ts", fault];
      await assert.rejects(() => killWhileStoring(8, folder, serve), message);
    }));
}
