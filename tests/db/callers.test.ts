import { noCompanyFields } from "../../src/db/fields.ts";
import assert from "node:assert/strict";
import { Callers, type Known } from "../../src/db/callers.ts";
import { statement } from "../../src/db/statements.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { inFolder, onEachEngine } from "../support/engines.ts";

const known: Known = {
  client: { tokenId: "t", clientId: "c", trusted: false, companyId: 1 },
  caller: null,
  fields: noCompanyFields,
  expiresAt: 1_000_000,
};

onEachEngine("a caller is remembered until the token ends, far away for five seconds at most", ({ db }) => {
  const callers = new Callers(db);
  callers.get("token", 0);
  callers.put("token", known, 0, callers.generation);
  assert.equal(callers.get("token", 4_999), known);
  assert.equal(callers.get("token", 5_000), db.kind === "file" ? known : null);
  assert.equal(callers.get("token", 1_000_000), null);
  return Promise.resolve();
});

onEachEngine("a change of what callers are made of is felt at once in the process that made it", ({ db }) => {
  const callers = new Callers(db);
  const remember = () => {
    callers.get("token", 0);
    callers.put("token", known, 0, callers.generation);
    assert.equal(callers.get("token", 0), known);
  };
  const changes = [
    "update users set user_type = 3 where id = ?",
    'delete from "team_members" where user_id = ?',
    "insert into role_rights (role_id, right_name) values (?, 'agency')",
    "insert or ignore into user_roles (user_id, role_id) values (?, 1)",
    'update "companies" set deleted_at = ?',
    "delete from access_tokens where id = ?",
    "update teams set group_id = ?",
  ];
  for (const sql of changes) {
    remember();
    callers.committed([statement("select 1"), statement(sql, 1)]);
    assert.equal(callers.get("token", 0), null, sql);
  }
  remember();
  callers.committed([statement("update accounts set name = ?", "x")]);
  assert.equal(callers.get("token", 0), known);
  return Promise.resolve();
});

onEachEngine("what was read before a change is not remembered after it", ({ db }) => {
  const callers = new Callers(db);
  callers.get("token", 0);
  const { generation } = callers;
  callers.committed([statement("update users set deleted_at = ?", "2026-03-02 09:00:00")]);
  callers.put("token", known, 0, generation);
  assert.equal(callers.get("token", 0), null);
  return Promise.resolve();
});

Deno.test("a change by another connection to the file is felt at the next call", () =>
  inFolder(async (folder) => {
    const db = openFile(`${folder}/crm.db`);
    const callers = new Callers(db);
    callers.get("token", 0);
    callers.put("token", known, 0, callers.generation);
    assert.equal(callers.get("token", 0), known);
    const other = openFile(`${folder}/crm.db`);
    await other.script("create table anything (id integer primary key)");
    await other.close();
    assert.equal(callers.get("token", 0), null);
    await db.close();
  }));
