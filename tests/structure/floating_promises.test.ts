/** `deno task check` runs the check over all sources; this shows what the check finds. */
import assert from "node:assert/strict";
import { inFolder } from "../support/engines.ts";
import { findFloating, typesIn } from "./floating_promises.ts";

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
