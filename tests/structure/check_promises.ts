/** Fails when a promise of `src` has no owner who handles its rejection. Part of `deno task check`. */
import { findFloating, typesIn } from "./floating_promises.ts";
import { readSources } from "./imports.ts";
import { inFolder } from "../support/engines.ts";
import { projectRoot } from "../support/process.ts";

const ends = "`terminate` of a thread does not reject.";
const inThread = "A rejection ends the thread, and the other side answers for a thread that ended.";
const sends = "It never rejects: the run reports what fails.";

/** Promises that may be left alone: the file and the beginning of the code, with the reason. */
const exceptions: readonly (readonly [file: string, code: string, why: string])[] = [
  ["src/later/loop.ts", "void this.#attempt(...next)", sends],
  ["src/later/loop.ts", "void this.#start()", sends],
  ["src/later/loop.ts", "void this.#start()", sends],
  ["src/later/loop.ts", "void look()", "It never rejects: the next time makes up for a failure."],
  ["src/entry/deno.ts", "stopped = waitForSignal()", "It waits for a signal and never rejects."],
  ["src/platform/database/file.ts", "void worker.terminate()", ends],
  ["src/platform/database/reader_worker.ts", "async (questions", inThread],
  ["src/platform/mail/parser_thread.ts", "void thread.terminate()", ends],
  ["src/platform/mail/parser_worker.ts", "async (message", inThread],
  ["src/platform/pdf/print_thread.ts", "void this.end()", ends],
  ["src/platform/pdf/print_worker.ts", "async (document", inThread],
  ["src/platform/pdf/printer_thread.ts", "void end(thread)", ends],
];

await inFolder(async (folder) => {
  const files = readSources(new URL("../../", import.meta.url)).map(({ path }) => `${projectRoot}${path}`);
  const left = findFloating(projectRoot, files, await typesIn(folder));
  const unused = exceptions.filter(([file, code]) => {
    const index = left.findIndex((one) => one.file === file && one.code.startsWith(code));
    return index === -1 || !left.splice(index, 1);
  });
  for (const { file, line, code } of left) {
    console.error(`${file}:${line} ${code}: await this promise, or handle its rejection`);
  }
  for (const [file, code] of unused) console.error(`${file} ${code}: an exception that is not needed`);
  if (left.length + unused.length > 0) Deno.exitCode = 1;
  else console.log(`Checked the promises of ${files.length} files`);
});
