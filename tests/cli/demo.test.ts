import assert from "node:assert/strict";
import { prepareDemo } from "../../src/cli/demo.ts";
import { loadConfig } from "../../src/config.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { inFolder } from "../support/engines.ts";

Deno.test("a demo has an import to look at; one whose company was deleted is made anew, and otherwise kept", () =>
  inFolder(async (folder) => {
    const config = loadConfig({
      DATABASE_URL: `file:${folder}/crm.db`,
      STORAGE_URL: `file:${folder}/files`,
      LOG_LEVEL: "off",
    });
    const first = await prepareDemo(config);
    assert.deepEqual(await prepareDemo(config), first);
    const imports = "select name, entity, status, rows, created, updated, failed from imports";
    assert.deepEqual(await rows(imports), [{
      name: "Visitors of the open day.csv",
      entity: "contacts",
      status: "done",
      rows: 6,
      created: 4,
      updated: 0,
      failed: 2,
    }]);
    assert.deepEqual(await rows("select kind, name from saved_filters order by name"), [
      { kind: "contact", name: "Customers with an open case" },
      { kind: "account", name: "Private people" },
    ]);
    const merged = "select c.first_name, c.last_name from merges m join contacts c on c.id = m.entity_id";
    assert.deepEqual(await rows(merged), [{ first_name: "Nora", last_name: "Lindqvist" }]);
    const twice = "select count(*) as contacts, count(distinct account_id) as accounts from contacts " +
      "where email = 'oskar.nyberg@example.org'";
    assert.deepEqual(await rows(twice), [{ contacts: 2, accounts: 1 }]);
    assert.deepEqual(await rows("select entity, status, rows > 200 as whole from exports"), [
      { entity: "contacts", status: "done", whole: 1 },
    ]);
    const teams = "select u.id, count(distinct m.team_id) as teams from users u " +
      "join team_members m on m.user_id = u.id where u.email = 'admin@demo.example' group by u.id";
    assert.deepEqual((await rows(teams)).map((row) => row.teams), [2]);
    await change("update companies set deleted_at = '2026-03-02 09:00:00'");
    const second = await prepareDemo(config);
    assert.notEqual(second!.client_id, first!.client_id);
    assert.deepEqual(await prepareDemo(config), second);

    async function rows(sql: string) {
      const db = openFile(`${folder}/crm.db`);
      const [found] = await db.read([{ sql, args: [] }]);
      await db.close();
      return found!.rows;
    }

    async function change(sql: string): Promise<void> {
      const db = openFile(`${folder}/crm.db`);
      await db.write([{ sql, args: [] }]);
      await db.close();
    }
  }));
