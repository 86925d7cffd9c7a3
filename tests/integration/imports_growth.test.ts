/** A step of an import reads as much of a large company as of a small one. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { selectCustomers } from "../../src/integration/imports/customers.ts";
import { makeDraft } from "../../src/integration/imports/drafts.ts";
import type { ImportRow } from "../../src/integration/imports/table.ts";
import { describeColumns, findColumn } from "../../src/integration/columns/catalogue.ts";
import { readCompanyFields } from "../../src/fields/field_sets.ts";
import { bindValue } from "../../src/platform/database/database.ts";
import { createAccount, createContact } from "../customers/filters_world.ts";
import { startApp } from "../support/app.ts";
import { inFolder } from "../support/engines.ts";
import { copyTemplate } from "../support/template.ts";

/** What `analyze` finds where fifty teams have forty accounts each: one that an import fills later may have 100,000. */
const statistics = [
  ["accounts", "accounts_by_team_name", "2000 1001 41 1 1"],
  ["accounts", "accounts_folded_name", "2000 1001 2 1 1 1"],
  ["accounts", "accounts_external_id", "583 583 1"],
  ["accounts", "accounts_id_unique", "2000 1"],
  ["contacts", "contacts_by_team_name", "10000 1001 251 2 1"],
  ["contacts", "contacts_folded_email", "10000 1001 2 1"],
  ["contacts", "contacts_by_e164", "9893 1001 2"],
  ["contacts", "contacts_external_id", "0 0 0"],
  ["contacts", "contacts_id_unique", "10000 1"],
] as const;

const columns = ["external_id", "email", "phone_number", "account.external_id", "account.name"];

Deno.test("a step of an import reads its accounts and contacts by their keys, not through their team", () =>
  inFolder(async (folder) => {
    await copyTemplate(`${folder}/crm.db`);
    using connection = new DatabaseSync(`${folder}/crm.db`);
    connection.exec("analyze; delete from sqlite_stat1; delete from sqlite_stat4");
    const put = connection.prepare("insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)");
    for (const each of statistics) put.run(...each);
    connection.exec("analyze sqlite_schema");
    // Half of the rows name their account by its name alone.
    const drafts = Array.from({ length: 40 }, (_, n) =>
      draftRow(n, [
        `c ${n}`,
        `ada.${n}@example.org`,
        `+49 30 ${100_000 + n}`,
        n % 2 ? `a ${n}` : "",
        `A ${n}`,
      ]));
    const scope = { companyId: 1, streams: [{ column: "team_id", values: [null, 2, 3] }] };
    for (const match of ["none", "external_id", "email", "phone_number"] as const) {
      const row = { company_id: 1, team_id: 2, match, entity: "contacts" } as ImportRow;
      for (const { sql, args } of selectCustomers(row, drafts, "DE", scope)) {
        const plan = connection.prepare(`explain query plan ${sql}`).all(...args.map(bindValue));
        const read = plan.map(({ detail }) => String(detail))
          .filter((detail) => /\b(?:accounts|contacts|account|contact|o|c|m)\b USING/.test(detail));
        assert.ok(read.length > 0, "the plan has the tables");
        const wide = read.filter((detail) =>
          !/\((?:id=\?|.*(?:external_id|<expr>|e164|account_id)=\?)/.test(detail)
        );
        assert.deepEqual(wide, [], `matched by ${match}`);
      }
    }
  }));

Deno.test("a step reads two of the contacts that share what it matches, of those that its user sees", async () => {
  await using app = await startApp();
  const crm = await app.company();
  const [team, other] = [await crm.team(), await crm.team()];
  const shared = { email: "Info@example.org", phone_number: "+49 30 100000" };
  const firms = [];
  for (const team_id of [team, other]) firms.push(await createAccount(crm.admin, "Firm", { team_id }));
  const own = await createContact(crm.admin, firms[0]!.id, "Own", { fixed: shared });
  const hidden = await createContact(crm.admin, firms[1]!.id, "Hidden", { fixed: shared });
  const names =
    (await app.sql("select name from pragma_table_info('contacts') where name not in ('seq', 'id')"))
      .map(({ name }) => String(name));
  await app.deps.db.write([{
    sql: `with recursive up(n) as (select 1 union all select n + 1 from up where n < 2000)
      insert into contacts (id, ${names}) select printf('01939c5e-7d3a-7003-8000-%012x', n), ${names}
      from contacts cross join up where id = ?`,
    args: [hidden.id],
  }]);
  const company_id = Number(crm.id);
  const drafts = [draftRow(1, ["", shared.email.toUpperCase(), shared.phone_number, "", ""])];
  for (const match of ["email", "phone_number"] as const) {
    const row = { company_id, team_id: team, match, entity: "contacts" } as ImportRow;
    for (
      const [streams, most] of [[null, 2], [[{ column: "team_id", values: [null, team] }], 1]] as const
    ) {
      const [accounts, contacts] = await app.deps.db.read(
        selectCustomers(row, drafts, "DE", { companyId: company_id, streams }),
      );
      assert.equal(contacts!.rows.length, most, match);
      assert.ok(accounts!.rows.length <= most);
      if (streams) assert.equal(contacts!.rows[0]!.id, own.id);
    }
  }
});

function draftRow(n: number, cells: string[]) {
  const known = describeColumns("contacts", readCompanyFields(null, null).all);
  const mapped = columns.map((name, place) => (
    { place, name, column: findColumn(known, name)!, order: null }
  ));
  return makeDraft({ row: n + 1, cells }, mapped, {
    isCsv: true,
    decimal: ".",
    timeZone: "UTC",
    language: "en",
  });
}
