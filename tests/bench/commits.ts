/**
 * Measures how many rows a second the machine commits to SQLite with full sync, one row per commit.
 * Arguments: the folder, and the seconds (3 by default).
 */
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";

const file = join(Deno.args[0]!, "commits.db");
const db = new DatabaseSync(file);
db.exec(
  "pragma journal_mode = wal; pragma synchronous = full; create table if not exists t (n integer, text text)",
);
const insert = db.prepare("insert into t values (?, ?)");
const until = performance.now() + Number(Deno.args[1] ?? 3) * 1000;
const begun = performance.now();
let n = 0;
while (performance.now() < until) insert.run(n++, "x".repeat(200));
console.log(JSON.stringify({ perSecond: n / (performance.now() - begun) * 1000 }));
db.close();
Deno.removeSync(file);
