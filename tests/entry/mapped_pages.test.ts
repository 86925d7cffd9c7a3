import assert from "node:assert/strict";
import { readHeap } from "../../src/entry/give_back.ts";
import { connect, connectReader } from "../../src/platform/database/connection.ts";

const mebibyte = 1024 * 1024;

Deno.test("pages of the database that a reader maps do not count as memory that calls have taken", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/crm.db`;
    const writer = connect(path);
    writer.exec(`create table big (body); insert into big
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 96) select zeroblob(1048576) from n;
      pragma wal_checkpoint(truncate)`);
    const before = { heap: readHeap(), resident: Deno.memoryUsage().rss };
    const reader = connectReader(path);
    // The last byte of a row is at the end of all its pages.
    reader.prepare("select count(*) from big where substr(body, -1) = x'00'").get();
    const resident = Deno.memoryUsage().rss - before.resident;
    const heap = readHeap() - before.heap;
    reader.close();
    writer.close();
    assert.ok(resident > 48 * mebibyte, `${resident} bytes more are resident`);
    assert.ok(heap < 8 * mebibyte, `${heap} bytes more count`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
