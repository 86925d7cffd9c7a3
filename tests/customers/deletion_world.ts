/** What the tests of deleting customers share. */
import assert from "node:assert/strict";
import type { Actor, Body, TestApp } from "../support/app.ts";

/** The path of an account, or of a contact of it. */
export const makePath = (account: Body, contact?: Body) =>
  `/v1/accounts/${account.id}${contact ? `/contacts/${contact.id}` : ""}`;

/** The delete-impact of the path. */
export async function readImpact(by: Actor, path: string): Promise<Body> {
  const reply = await by.call("GET", `${path}/delete-impact`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

/** Deletes what is at the path. */
export async function deleteAt(by: Actor, path: string): Promise<void> {
  const reply = await by.call("DELETE", path);
  assert.equal(reply.status, 204, reply.text);
  assert.equal((await by.call("GET", path)).status, 404);
}

/** Amounts as texts, such as `2 case`. */
export const listAmounts = (body: Body) => body.deletes.map(({ type, amount }: Body) => `${amount} ${type}`);

/**
 * Copies the rows of a table that `where` selects, `times` times each. `set` gives columns as SQL over x and
 * i.
 */
export async function copy(
  app: TestApp,
  table: string,
  where: string,
  set: Record<string, string>,
  times: number,
): Promise<void> {
  const columns = (await app.sql(`select name from pragma_table_info('${table}') where name <> 'seq'`))
    .map(({ name }) => String(name));
  const picked = columns.map((name) => set[name] ?? `x.${name}`);
  await app.deps.db.write([{
    sql: `insert into ${table} (${columns}) with recursive n(i) as (select 1 union all select i + 1 from n ` +
      `where i < ${times}) select ${picked} from n cross join ${table} x where ${where}`,
    args: [],
  }]);
}
