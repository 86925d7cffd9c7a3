/** Tools of the system read the database file: shells, browsers of databases, backups by others. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";

const isCi = Deno.env.get("CI") === "true";
const version = await shell("--version").catch(() => null);
if (version === null) console.log("sqlite3 is missing, so reading by other tools is not checked");

Deno.test({
  name: "the SQLite of Debian stable reads the whole schema, and finds the file intact",
  ignore: !isCi && version === null,
  async fn() {
    await using app = await startApp();
    const [{ file }] = await app.sql("select file from pragma_database_list") as [{ file: string }];
    const [{ n }] = await app.sql("select count(*) as n from sqlite_schema") as [{ n: number }];
    assert.equal(await shell(file, "select count(*) from sqlite_schema"), String(n));
    assert.equal(await shell(file, "pragma quick_check"), "ok");
  },
});

async function shell(...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("sqlite3", { args }).output();
  const decoder = new TextDecoder();
  assert.ok(success, decoder.decode(stderr));
  return decoder.decode(stdout).trim();
}
