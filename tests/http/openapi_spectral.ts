/** Run by `deno task test:long`: the second linter takes as long as all other tests of the document. */
import assert from "node:assert/strict";
import long from "../long/deno.json" with { type: "json" };
import { startApp } from "../support/app.ts";
import { projectRoot, runCommand, runOfLongTests } from "../support/process.ts";

Deno.test("Spectral finds nothing in the OpenAPI document beside the rules that its configuration lists", async () => {
  await using app = await startApp();
  const file = `${app.folder}/openapi.json`;
  await Deno.writeTextFile(
    file,
    (await app.call(null, "GET", "/openapi.json")).text,
  );
  const run = await runCommand(
    [
      ...runOfLongTests,
      long.imports["@stoplight/spectral-cli"],
      "lint",
      file,
      "--ruleset",
      `${projectRoot}tests/http/spectral.yaml`,
      "--fail-severity=hint",
    ],
    {},
    { timeoutMs: 120_000 },
  );
  assert.equal(run.code, 0, run.stdout + run.stderr);
});
