import assert from "node:assert/strict";
import { inFolder } from "../support/engines.ts";
import { projectRoot, runCommand } from "../support/process.ts";
import { findFloating } from "./floating_promises.ts";
import { readSources } from "./imports.ts";

const ends = "`terminate` of a thread does not reject.";
const inThread = "A rejection ends the thread, and the other side answers for a thread that ended.";
const sends = "It never rejects: the run reports what fails.";

/** Promises that may be left alone: the file and the beginning of the code, with the reason. */
const exceptions: readonly (readonly [file: string, code: string, why: string])[] = [
  ["src/later/loop.ts", "void this.#attempt(...next)", sends],
  ["src/later/loop.ts", "void this.#start()", sends],
  ["src/later/loop.ts", "void this.#start()", sends],
  ["src/entry/deno.ts", "stopped = waitForSignal()", "It waits for a signal and never rejects."],
  ["src/platform/database/file.ts", "void worker.terminate()", ends],
  ["src/platform/database/reader_worker.ts", "async (questions", inThread],
  ["src/platform/mail/parser_thread.ts", "void thread.terminate()", ends],
  ["src/platform/mail/parser_worker.ts", "async (message", inThread],
  ["src/platform/pdf/print_thread.ts", "void this.end()", ends],
  ["src/platform/pdf/print_worker.ts", "async (document", inThread],
  ["src/platform/pdf/printer_thread.ts", "void end(thread)", ends],
];

Deno.test("every promise has an owner who handles its rejection", () =>
  inFolder(async (folder) => {
    const files = readSources(new URL("../../", import.meta.url)).map(({ path }) => `${projectRoot}${path}`);
    assert.ok(files.length > 1_000);
    const found = findFloating(projectRoot, files, await typesIn(folder));
    const left = found.map(({ file, line, code }) => ({ file, code, at: `${file}:${line} ${code}` }));
    const unused = exceptions.filter(([file, code]) => {
      const index = left.findIndex((one) => one.file === file && one.code.startsWith(code));
      return index === -1 || !left.splice(index, 1);
    });
    assert.deepEqual(left.map(({ at }) => at), [], "await it, or handle its rejection");
    assert.deepEqual(unused, [], "exceptions that are not needed");
  }));

Deno.test("the check finds each way to leave a promise alone, and takes promises that are handled", () =>
  inFolder(async (folder) => {
    const bad = [
      "work();",
      "void work();",
      "isDue && work();",
      "work().then(() => 1);",
      "work().finally(() => {});",
      "setTimeout(work, 1); setTimeout(() => void work(), 1);",
      "setTimeout(() => work(), 1);",
      "setTimeout(async () => { await work(); }, 1);",
      "const begun = work(); await other(); await begun;",
    ];
    const good = [
      "await work();",
      "work().catch(() => {});",
      "work().then(() => 1, () => 2);",
      "void work().catch(() => {}).finally(() => {});",
      "const begun = work(); await Promise.all([begun, other()]);",
      "const done = work().catch(() => {}); await other(); await done;",
    ];
    const write = async (name: string, codes: readonly string[]) => {
      const path = `${folder}/${name}.ts`;
      const bodies = codes.map((code) => `async () => { ${code} },`);
      await Deno.writeTextFile(
        path,
        [
          "declare const isDue: boolean;",
          "declare function work(): Promise<void>; declare function other(): Promise<void>;",
          `export const ${name} = [`,
          ...bodies,
          "];",
        ].join("\n"),
      );
      return path;
    };
    const files = [await write("bad", bad), await write("good", good)];
    const found = findFloating(folder, files, await typesIn(folder));
    const lines = found.filter(({ file }) => file === "bad.ts").map(({ line }) => line - 3);
    assert.deepEqual([...new Set(lines)], bad.map((_, index) => index + 1));
    assert.deepEqual(found.filter(({ file }) => file === "good.ts"), []);
  }));

/** Writes the types of Deno into the folder, and returns their path. */
async function typesIn(folder: string): Promise<string> {
  const { code, stdout, stderr } = await runCommand(["types"], {});
  assert.equal(code, 0, stderr);
  await Deno.writeTextFile(`${folder}/deno.d.ts`, stdout);
  return `${folder}/deno.d.ts`;
}
