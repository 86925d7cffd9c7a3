import assert from "node:assert/strict";
import { openFile } from "../../../src/platform/database/file.ts";
import { inFolder } from "../../support/engines.ts";

Deno.test("a full analyze by an operator leaves no histograms, which would slow down statements", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/a.db`;
    const first = openFile(path);
    await first.script("create table t (id integer primary key, a text); create index t_by_a on t (a)");
    const rows = JSON.stringify(Array.from({ length: 1000 }, (_, index) => `a${index % 50}`));
    await first.write([{ sql: "insert into t (a) select value from json_each(?)", args: [rows] }]);
    await first.script("analyze");
    const histograms = { sql: "select count(*) as n from sqlite_stat4", args: [] };
    const statistics = { sql: "select count(*) as n from sqlite_stat1", args: [] };
    const [before] = await first.read([histograms]);
    assert.ok(Number(before!.rows[0]!.n) > 0);
    await first.close();
    const second = openFile(path);
    const [after, plain] = await second.read([histograms, statistics]);
    assert.equal(after!.rows[0]!.n, 0);
    assert.equal(plain!.rows[0]!.n, 1);
    await second.close();
  });
});
