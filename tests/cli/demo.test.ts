import assert from "node:assert/strict";
import { demoOf } from "../../src/cli/demo.ts";
import { loadConfig } from "../../src/config.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { inFolder } from "../support/engines.ts";

Deno.test("a demo whose company was deleted is made anew, and otherwise kept", () =>
  inFolder(async (folder) => {
    const config = loadConfig({
      DATABASE_URL: `file:${folder}/crm.db`,
      STORAGE_URL: `file:${folder}/files`,
      LOG_LEVEL: "off",
    });
    const first = await demoOf(config);
    assert.deepEqual(await demoOf(config), first);
    await change("update companies set deleted_at = '2026-03-02 09:00:00'");
    const second = await demoOf(config);
    assert.notEqual(second!.client_id, first!.client_id);
    assert.deepEqual(await demoOf(config), second);

    async function change(sql: string): Promise<void> {
      const db = openFile(`${folder}/crm.db`);
      await db.write([{ sql, args: [] }]);
      await db.close();
    }
  }));
