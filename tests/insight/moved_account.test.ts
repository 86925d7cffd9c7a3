/** A large account that moves between teams: its contacts move with it in a few facts, and no figure is lost. */
import assert from "node:assert/strict";
import { factKinds } from "../../src/core/fact_kinds.ts";
import { sql } from "../../src/db/statements.ts";
import { startApp } from "../support/app.ts";
import { checkLevels } from "../support/levels.ts";

const copies = 1_000;

Deno.test("an account of thousands of contacts moves in two facts for each kind of contact", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [team, other] = [
    await company.team(),
    await company.team({ name: "Another" }),
  ];
  const people = [
    await company.user({ teams: [team, other] }),
    await company.user({ teams: [team, other] }),
  ];
  const { admin } = company;
  const account = await admin.call("POST", "/v1/accounts", {
    team_id: team,
    fixed_fields: [{ name: "name", value: "Engines" }],
  });
  assert.equal(account.status, 201, account.text);
  const at = `/v1/accounts/${account.body.id}`;
  // Contacts of four kinds: two users, each with and without an e-mail address.
  let kind = 0;
  for (const { id: user_id } of people) {
    for (const email of [[], [{ name: "email", value: "ada@example.org" }]]) {
      const contact = await admin.call("POST", `${at}/contacts`, {
        user_id,
        fixed_fields: [{ name: "last_name", value: "Byron" }, ...email],
      });
      assert.equal(contact.status, 201, contact.text);
      const columns = (await app.sql("select name from pragma_table_info('contacts')"))
        .map(({ name }) => String(name)).filter((name) => !["seq", "id", "external_id"].includes(name));
      await app.deps.db.write([{
        sql: `insert into contacts (id, ${columns})
          with recursive n(i) as (select 1 union all select i + 1 from n where i < ${copies})
          select printf('01939c5e-7d3a-7%03d-8000-%012x', ${kind++}, i), ${columns} from n, contacts where id = ?`,
        args: [contact.body.id],
      }]);
    }
  }
  const contacts = 4 * (copies + 1);
  const assertMoved = async (body: object, moved: number) => {
    const before = await readWeights();
    assert.equal((await admin.call("PUT", at, body)).status, 200);
    const made = (await readWeights()).slice(before.length);
    assert.equal(made.length, moved);
    const gone = made.filter(({ weight }) => Number(weight) < 0);
    assert.equal(
      gone.reduce((sum, { weight }) => sum - Number(weight), 0),
      moved === 0 ? 0 : contacts,
    );
    await checkLevels(app.deps);
  };
  const readWeights = async () =>
    (await app.deps.db.read([
      sql`select weight from facts where kind = ${factKinds.contact} order by seq`,
    ]))[0]!
      .rows;
  await assertMoved({ team_id: other }, 8);
  await assertMoved({ fixed_fields: [{ name: "address", value: "Street 1" }] }, 8);
  await assertMoved({ fixed_fields: [{ name: "address", value: "Street 2" }] }, 0);
  await assertMoved({
    team_id: null,
    fixed_fields: [{ name: "address", value: null }],
  }, 8);
  await assertMoved({ team_id: null }, 0);
});
