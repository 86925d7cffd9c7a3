import assert from "node:assert/strict";
import { inFolder } from "./engines.ts";
import { reportInstallation } from "./installation.ts";

const briefly = () => new Promise((resolve) => setTimeout(resolve, 60));

Deno.test("the first installation says what it fetches and how far it is, later ones say nothing", () =>
  inFolder(async (folder) => {
    const lines: string[] = [];
    {
      using _ = reportInstallation("the tests, 650 MB", folder, (line) => lines.push(line), 10);
      await Deno.mkdir(`${folder}/.deno/hono@4.0.0`, { recursive: true });
      await briefly();
    }
    assert.equal(lines[0], "Fetching the packages of the tests, 650 MB; this happens once …");
    assert.equal(lines.at(-1), "  1 packages after 0 s");
    const before = lines.length;
    {
      using _ = reportInstallation("the tests, 650 MB", folder, (line) => lines.push(line), 10);
      await briefly();
    }
    assert.equal(lines.length, before, "and the first one has ended");
  }));
