/** Files that work around something say what, for which versions, and when they may go. */
import assert from "node:assert/strict";
import service from "../../deno.json" with { type: "json" };
import { oldestDeno } from "../../src/entry/runtime.ts";
import { readSources } from "./imports.ts";

interface Signboard {
  readonly path: string;
  readonly versions: readonly string[];
}

const sources = readSources(new URL("../../", import.meta.url));
const part = (name: string) =>
  `${name}: ((?:(?!\\*/|Works around|True for|Remove when)[^])*?[.])\\s*(?:\\*|//)\\s*`;
const whole = new RegExp(
  `${part("Works around")}True for: ([^\\n]+)[.]\\n\\s*(?:\\*|//)\\s*Remove when: \\S`,
  "g",
);

Deno.test("each signboard says what it works around, for which versions, and when it may go", () => {
  for (const { path, text } of sources) {
    for (const name of ["Works around:", "True for:", "Remove when:"]) {
      assert.equal(text.split(name).length - 1, [...text.matchAll(whole)].length, `${path}: ${name}`);
    }
  }
});

Deno.test("the clever files carry a signboard", () => {
  const carrying = new Set(signboards().map(({ path }) => path));
  for (
    const path of [
      "src/entry/listen.ts",
      "src/entry/listening.ts",
      "src/http/own_chunks.ts",
      "src/platform/database/kept_statements.ts",
      "src/platform/database/row_ticks.ts",
      "src/platform/pdf/mend_fonts.ts",
      "src/platform/pdf/stop_library.ts",
    ]
  ) assert.ok(carrying.has(path), path);
});

Deno.test("signboards are true for the versions in use: after an upgrade, try whether they may go", () => {
  const pins = Object.values(service.imports).map((pin) => pin.slice("npm:".length));
  for (const { path, versions } of signboards()) {
    for (const version of versions) {
      const name = version.replace(" ", "@");
      assert.ok(
        version === `Deno ${oldestDeno}` || pins.some((pin) => pin === name || pin.startsWith(`${name}/`)),
        `${path} is true for ${version}`,
      );
    }
  }
});

function signboards(): Signboard[] {
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(whole)].map(([, , versions]) => ({ path, versions: versions!.split(", ") }))
  );
}
