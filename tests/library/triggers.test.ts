/** The counters of the library equal a count of its rows after any change. */
import assert from "node:assert/strict";
import { sql, update } from "../../src/db/statements.ts";
import { files, fileUsage, folderContents, folders } from "../../src/library/table.ts";
import { getTableName } from "drizzle-orm";
import { startApp, type TestApp } from "../support/app.ts";
import { fileRow, folderRow } from "./library_world.ts";

const place = "ifnull(folder_id, belongs_to || ':' || belongs_to_id)";

async function assertExact(app: TestApp, what: string): Promise<void> {
  const usage = await app.sql(
    `select company_id, files, bytes from ${getTableName(fileUsage)} where files > 0`,
  );
  const used = await app.sql(
    "select company_id, count(*) as files, sum(size) as bytes from files group by 1",
  );
  assert.deepEqual(usage, used, what);
  const totals = await app.sql("select user_id, readers, n from file_totals where n > 0 order by 1, 2");
  const grouped = await app.sql(
    `select user_id, (select json_group_array(p.type || ':' || p.value order by p.type, p.value) from file_permissions p
      where p.file_id = f.id) as readers, count(*) as n from files f group by 1, 2 order by 1, 2`,
  );
  assert.deepEqual(totals, grouped, what);
  const kept = await app.sql(
    `select place, folders, files from ${getTableName(folderContents)} where folders > 0 or files > 0
      order by 1`,
  );
  const counted = await app.sql(
    `select place, sum(folder) as folders, sum(1 - folder) as files from (
      select ${place} as place, 1 as folder from folders where deleted_at is null
      union all select ${place}, 0 from files) where place is not null group by 1 order by 1`,
  );
  assert.deepEqual(kept, counted, what);
}

Deno.test("usage and contents stay exact while files and folders come, grow, move, leave and are removed", async () => {
  await using app = await startApp();
  const { id: company_id, admin } = await app.company();
  const of = { company_id, user_id: admin.id };
  const root = { belongs_to: "company", belongs_to_id: company_id } as const;
  const nowhere = { folder_id: null, belongs_to: null, belongs_to_id: null };
  const one = await folderRow(app, { ...of, ...root });
  const two = await folderRow(app, { ...of, folder_id: one });
  const empty = await folderRow(app, { ...of, folder_id: two });
  const file = await fileRow(app, { ...of, folder_id: two, size: 10 });
  await fileRow(app, { ...of, ...root, size: 0 });
  const loose = await fileRow(app, { ...of, size: 7 });
  await assertExact(app, "made");
  const changes = {
    grown: update(files, { size: 2_000 }, { id: file }),
    permitted: sql`insert into file_permissions (file_id, type, value, company_id, created_at)
      values (${file}, 'team', 12, ${company_id}, ''), (${file}, 'company', ${company_id}, ${company_id}, '')`,
    "handed over": update(files, { user_id: 99 }, { id: file }),
    "team removed": sql`delete from file_permissions where type = 'team'`,
    moved: update(files, { folder_id: one }, { id: file }),
    "to the root": update(files, { ...nowhere, belongs_to: "user", belongs_to_id: admin.id }, { id: file }),
    "to nowhere": update(files, nowhere, { id: file }),
    "from nowhere": update(files, { folder_id: two }, { id: loose }),
    "folder to the root": update(folders, { ...root, folder_id: null }, { id: two }),
    "folder back": update(folders, { ...nowhere, folder_id: one }, { id: two }),
    marked: update(folders, { deleted_at: "2026-03-02 09:00:00" }, { id: two }),
    "file removed": { sql: "delete from files where id = ?", args: [loose] },
    "folder removed": { sql: "delete from folders where id = ?", args: [empty] },
    "marked removed": { sql: "delete from folders where id = ?", args: [two] },
    "permissions removed": sql`delete from file_permissions`,
    "last removed": { sql: "delete from files", args: [] },
  };
  for (const [what, change] of Object.entries(changes)) {
    await app.deps.db.write([change]);
    await assertExact(app, what);
  }
  assert.deepEqual(await app.sql("select place from folder_contents where place = ?", two), []);
});

Deno.test("many permissions are counted once, not once for each, and what nobody has leaves no counter", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const permissions = [{ type: "company", value: company.id }];
  for (let n = 0; n < 12; n++) permissions.push({ type: "team", value: await company.team() });
  const counters = () => app.sql("select readers, n from file_totals");
  const readers = (given: typeof permissions) =>
    JSON.stringify(given.map(({ type, value }) => `${type}:${value}`));
  const body = { name: "a", data: "", permissions: permissions.slice(0, 9) };
  const { body: { id } } = await admin.call("POST", "/v1/files", body);
  const sent = [permissions.slice(0, 9), permissions.slice(4), [], permissions];
  for (const [index, given] of sent.entries()) {
    if (index > 0) await admin.call("PUT", `/v1/files/${id}`, { permissions: given });
    assert.deepEqual(await counters(), [{ readers: readers(given), n: 1 }]);
    const [row] = await app.sql(
      "select f.readers, (select json_group_array(p.type || ':' || p.value order by p.type, p.value)" +
        " from file_permissions p where p.file_id = f.id) as rows from files f",
    );
    assert.equal(row!.readers, row!.rows);
  }
  // The end of a single permission also changes the counter.
  await app.deps.db.write([sql`delete from file_permissions where type = 'company'`]);
  assert.deepEqual(await counters(), [{ readers: readers(permissions.slice(1)), n: 1 }]);
  assert.equal((await admin.call("DELETE", `/v1/files/${id}`)).status, 204);
  assert.deepEqual(await counters(), []);
});
