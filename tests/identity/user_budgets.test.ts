/** A user shows all their teams, so their number and total size have a limit. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";

Deno.test("a user has at most 200 teams, and with large ones a record of at most 256 KiB", async () => {
  await using app = await startApp();
  const { id, admin } = await app.company();
  const [rows] = await app.deps.db.write([{
    sql:
      "insert into teams (company_id, name, address_1, address_2, website, phone_number, timezone, locale, " +
      "created_at, updated_at) select ?, printf('%.250c', 'x'), printf('%.100c', 'x'), printf('%.100c', 'x'), " +
      "printf('%.250c', 'x'), printf('%.250c', 'x'), 'UTC', 'en-GB', '2026-01-01 00:00:00', " +
      "'2026-01-01 00:00:00' from json_each(?) returning id",
    args: [id, JSON.stringify(Array.from({ length: 201 }, (_, n) => n))],
  }]);
  const teams = rows!.rows.map(({ id }) => Number(id));
  const user = (team_ids: readonly number[], email: string) =>
    admin.call("POST", `/v1/companies/${id}/users`, {
      first_name: "Ada",
      last_name: "Byron",
      email,
      password: "correct horse battery",
      team_ids,
    });
  const assertRefused = async (team_ids: readonly number[], message: RegExp) => {
    const reply = await user(team_ids, "ada@example.org");
    assert.equal(reply.status, 422, reply.text.slice(0, 300));
    const [{ path, code, message: said }] = reply.body.errors;
    assert.match(`${path} ${code} ${said}`, message);
  };
  await assertRefused(teams, /^team_ids max At most 200 ids/);
  await assertRefused(
    teams.slice(0, 200),
    /^team_ids max The record would take \d+ bytes; at most 262144/,
  );
  const made = await user(teams.slice(0, 100), "ada@example.org");
  assert.equal(made.status, 201, made.text.slice(0, 300));
  const path = `/v1/companies/${id}/users/${made.body.id}`;
  assert.equal(
    (await admin.call("PUT", path, { team_ids: teams.slice(0, 200) })).status,
    422,
  );
  assert.equal(
    (await admin.call("PUT", path, { team_ids: teams.slice(0, 2) })).status,
    200,
  );
});
