import assert from "node:assert/strict";
import { inFolder } from "../../support/engines.ts";
import { startHrana } from "../../support/hrana.ts";
import { startDev } from "../../support/worker.ts";

Deno.test("the remote driver works in workerd with the same errors", () =>
  inFolder(async (folder) => {
    const hrana = await startHrana({ path: `${folder}/crm.db`, token: "t" });
    const vars = { DATABASE_URL: hrana.url, DATABASE_AUTH_TOKEN: "t" };
    const worker = await startDev({ vars, entry: "tests/support/fixtures/remote_worker.ts" });
    try {
      const reported = await (await fetch(worker.url)).json();
      const rows = [{ n: 7, name: "seven", type: "integer" }];
      assert.deepEqual(reported, { rows, twice: true, guarded: true, away: true });
    } finally {
      await worker.close();
      await hrana.close();
    }
  }));
