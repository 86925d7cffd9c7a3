import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { makeSales } from "./leads_world.ts";
import { newCase, newPath, readEvents } from "./parts.ts";

const remove = (team: number, successor?: number) =>
  `/v1/teams/${team}${successor === undefined ? "" : `?assign_to=${successor}`}`;

Deno.test("each step of a deletion moves records, and the first alone looks for filters that name the team or user", async () => {
  await using app = await startApp();
  const { admin, dealer, company } = await makeSales(app);
  const path = await newPath(admin);
  const heirs = { team: await company.team(), user: (await company.user({ type: "admin" })).id };
  const leaver = await company.user({ type: "admin" });
  const one = await newCase(leaver, path, { team_id: dealer });
  await many(app, one.id, 45, dealer);
  const { write } = app.deps.db;
  let [moving, stopping] = [0, 0];
  app.deps.db.write = (statements) => {
    const changes = (table: RegExp) => statements.some(({ sql }) => table.test(sql));
    if (changes(/update "?cases"? set/)) moving++;
    if (changes(/update saved_filters set stopped_reason/)) stopping++;
    return write.call(app.deps.db, statements);
  };
  for (
    const deletion of [
      `/v1/companies/${company.id}/users/${leaver.id}?assign_to=${heirs.user}`,
      remove(dealer, heirs.team),
    ]
  ) {
    [moving, stopping] = [0, 0];
    const reply = await admin.call("DELETE", deletion);
    assert.equal(reply.status, 204, reply.text);
    await app.idle();
    assert.ok(moving > 1, `${deletion}: ${moving} steps`);
    assert.equal(stopping, 1, deletion);
  }
  const [left] = await app.sql(
    "select count(*) as n from cases where team_id = ? or user_id = ?",
    dealer,
    leaver.id,
  );
  assert.deepEqual(left, { n: 0 });
});

Deno.test("many records of a deleted team move in bounded steps, to the successor of a successor, after a restart too", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, dealer, company } = sales;
  const path = await newPath(admin);
  const [successor, last] = [await company.team(), await company.team()];
  const one = await newCase(admin, path, { team_id: dealer });
  await many(app, one.id, 45, dealer);
  const leads = 25;
  for (let count = 0; count < leads; count++) await sales.lead();
  const { body: impact } = await admin.call("GET", `/v1/teams/${dealer}/delete-impact`);
  assert.deepEqual(impact.blocked_by, [{ type: "cases", amount: 46 }, { type: "leads", amount: leads }]);
  const kept = (await readEvents(app)).length;
  const sizes: number[] = [];
  const { write } = app.deps.db;
  app.deps.db.write = async (statements) => {
    const results = await write.call(app.deps.db, statements);
    sizes.push(Math.max(...results.map(({ changes }) => changes)));
    return results;
  };
  // The process ends after the deletion, without work in the background.
  const { run } = app.deps.background;
  app.deps.background.run = () => {};
  assert.equal((await admin.call("DELETE", remove(dealer, successor))).status, 204);
  app.deps.background.run = run;
  const blocked = await admin.call("DELETE", remove(successor));
  assert.deepEqual(
    blocked.body.impact?.blocked_by,
    impact.blocked_by,
    "records in transit count as open too",
  );
  assert.equal((await admin.call("DELETE", remove(successor, last))).status, 204);
  const stuck = await sales.member.call("PUT", `/v1/leads/${await firstLead(app)}/accept`, {});
  assert.ok([403, 404].includes(stuck.status), stuck.text);
  const early = await admin.call("PUT", `/v1/leads/${await firstLead(app)}/accept`, {});
  assert.deepEqual([early.status, early.body.code], [409, "lead_state"], early.text);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  await app.idle();
  const [found] = await app.sql(
    "select (select count(*) from cases where team_id = ?1) as cases, (select count(*) from leads where " +
      "team_id = ?1) as leads, (select count(*) from accounts where team_id = ?1) as accounts, " +
      "(select count(*) from contacts where team_id = ?1) as contacts, (select count(*) from staged_work) as open",
    last,
  );
  assert.deepEqual(found, { cases: 46, leads, accounts: 45, contacts: 345, open: 0 });
  assert.ok(Math.max(...sizes) <= 200, `${Math.max(...sizes)} rows in a statement`);
  const updated = (await readEvents(app)).slice(kept).map(({ name }) => name).filter((name) =>
    name.endsWith("_updated")
  );
  assert.deepEqual(
    Object.entries(Object.groupBy(updated, (name) => name)).map(([name, all]) => [name, all!.length]).sort(),
    [
      ["account_updated", 45],
      ["case_updated", 46],
      ["lead_updated", leads],
      ["user_updated", 1],
    ],
  );
});

/** Copies of a case, each with its own contact and account; the last account has 300 more contacts. */
async function many(app: TestApp, id: string, count: number, team: number): Promise<void> {
  const copy = async (table: string, where: string, set: Record<string, string>, times: number) => {
    const columns = (await app.sql(`select name from pragma_table_info('${table}') where name <> 'seq'`))
      .map(({ name }) => String(name));
    const picked = columns.map((name) => set[name] ?? `x.${name}`);
    await app.deps.db.write([{
      sql:
        `insert into ${table} (${columns}) with recursive n(i) as (select 1 union all select i + 1 from n ` +
        `where i < ${times}) select ${picked} from n cross join ${table} x where ${where}`,
      args: [],
    }]);
  };
  const team_id = String(team);
  const of = `x.id = (select account_id from cases where id = '${id}')`;
  await copy("accounts", of, { id: "x.id || i", team_id }, count);
  const contact = `x.id = (select contact_id from cases where id = '${id}')`;
  await copy("contacts", contact, { id: "x.id || i", account_id: "x.account_id || i", team_id }, count);
  await copy("contacts", contact, {
    team_id,
    id: "x.id || 'more' || i",
    account_id: `x.account_id || ${count}`,
  }, 300);
  await copy("cases", `x.id = '${id}'`, {
    id: "x.id || i",
    account_id: "x.account_id || i",
    contact_id: "x.contact_id || i",
    case_number: "x.case_number + i",
  }, count);
}

async function firstLead(app: TestApp): Promise<string> {
  return (await app.sql("select id from leads order by seq limit 1"))[0]!.id as string;
}
