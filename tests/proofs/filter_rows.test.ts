/**
 * Bounds the number of rows that filters of broad ranges visit. A function in their statements counts the
 * rows. Each filter has a prefix of a name, a time of creation and a third condition, and runs in each order,
 * as an admin and as a member. The best statement reads the index of the names, or that of a short time,
 * once, and then the rows that both conditions leave.
 */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { createApp } from "../../src/app.ts";
import type { Statement, ThreadedRead } from "../../src/platform/database/database.ts";
import { addTicks, goOn, tick } from "../../src/platform/database/row_ticks.ts";
import { startApp } from "../support/app.ts";
import { createAccount, createContact, expandFilter, type Written } from "../customers/filters_world.ts";
import { nameValues, newField } from "../customers/fields_world.ts";

/**
 * The number of contacts: about 18 for each day of three years. Every twelfth name begins with S, and every
 * fourth of those with Sc.
 */
const rows = 20_000;
const days = 1_095;
/** Rows for the page, its joins and the caller. */
const others = 64;

type Cell = [prefix: string, days: number, closed: boolean, third: string, sort: string, caller: string];

const cells: readonly Cell[] = [
  ["s", 365, true, "none", "-created_at", "admin"],
  ["s", 365, true, "none", "last_name", "admin"],
  ["s", 365, true, "none", "-last_activity_at", "admin"],
  ["s", 365, true, "none", "-last_activity_at", "member"],
  ["s", 365, false, "none", "-last_activity_at", "admin"],
  ["s", 91, true, "none", "-last_activity_at", "admin"],
  ["s", 91, false, "none", "last_name", "member"],
  ["s", 30, true, "none", "-created_at", "admin"],
  ["s", 7, false, "none", "-created_at", "admin"],
  ["s", 365, true, "status", "-last_activity_at", "admin"],
  ["s", 365, false, "status", "-created_at", "member"],
  ["s", 365, true, "choice", "last_name", "admin"],
  ["s", 91, true, "choice", "-last_activity_at", "member"],
  ["s", 91, false, "choice", "last_name", "admin"],
  ["s", 365, true, "team", "-last_activity_at", "admin"],
  ["s", 365, false, "team", "last_name", "admin"],
  ["s", 61, true, "team", "-created_at", "admin"],
  ["s", 61, false, "team", "last_name", "member"],
  ["s", 7, true, "team", "last_name", "admin"],
  ["s", 7, true, "none", "last_name", "admin"],
  ["s", 7, true, "choice", "-last_activity_at", "admin"],
  ["s", 7, true, "status", "-created_at", "member"],
  ["sc", 365, true, "none", "-last_activity_at", "admin"],
  ["sc", 91, false, "status", "last_name", "member"],
  ["sc", 365, true, "choice", "-created_at", "admin"],
  ["sch", 365, true, "none", "last_name", "admin"],
  ["sch", 365, false, "team", "-created_at", "admin"],
];

Deno.test("a filter of broad ranges visits the entries of one index and the rows that two conditions leave", async () => {
  await using app = await startApp();
  const crm = await app.company();
  const [team, other] = [await crm.team(), await crm.team()];
  const callers = { admin: crm.admin, member: await crm.user({ teams: [team] }) };
  const field = await newField(
    crm.admin,
    { label: "Colour", type: "single_choice" },
    ["Red", "Blue"],
    "contact",
  );
  const firm = await createAccount(crm.admin, "Firm", { team_id: team });
  const first = await createContact(crm.admin, firm.id, "First", {
    custom_fields: nameValues({ colour: field.options.Red }),
  });
  const made = Date.UTC(2026, 0, 1);
  const at = (age: number) => new Date(made - age * 86_400_000).toISOString().slice(0, 19).replace("T", " ");
  await fill(app.deps.db, { first: first.id, teams: [team, other], made: at(days) });

  const read: Statement[] = [];
  const { db } = app.deps;
  const served = createApp({
    ...app.deps,
    db: {
      ...db,
      read: (statements) => (read.push(...statements), db.read(statements)),
      readOnThread: (statements: readonly Statement[], how: ThreadedRead) => {
        read.push(...statements);
        return db.readOnThread(statements, how);
      },
    },
  });
  const thirds: Readonly<Record<string, Written[]>> = {
    none: [],
    status: [["contact.status", "eq", "customer"]],
    choice: [["b2b_contact.custom_fields.colour", "eq", field.options.Blue]],
    team: [["contact.team_id", "eq", team]],
  };
  using counter = countRows(app.file);
  const total = async (nodes: Written[], sort: string, token: string): Promise<number> => {
    read.length = 0;
    const reply = await served.fetch(
      new Request(`${app.url}/v1/contacts/filter?sort=${sort}`, {
        method: "POST",
        headers: { "Authorization": `Bearer ${token}`, "Content-Type": "application/json" },
        body: JSON.stringify({ filter: expandFilter(nodes) }),
      }),
    );
    const body = await reply.json();
    assert.equal(reply.status, 200, JSON.stringify(body));
    return body.pagination.total;
  };
  const over: string[] = [];
  for (const [prefix, span, closed, third, sort, caller] of cells) {
    const name: Written = ["b2b_contact.fixed_fields.last_name", "sw", prefix];
    const times: Written[] = closed
      ? [["contact.created_at", "gte", at(span + 60)], ["contact.created_at", "lt", at(60)]]
      : [["contact.created_at", "gte", at(span)]];
    const named = await total([name], sort, crm.admin.token);
    const both = await total([name, ...times], sort, crm.admin.token);
    assert.ok(named > 100, `${named} names begin with ${prefix}`);
    const matching = await total(
      [name, ...times, ...thirds[third]!],
      sort,
      callers[caller as keyof typeof callers].token,
    );
    const visited = counter.visitedBy(read.splice(0));
    // The bound includes the index entries of the names or of a short time, also of one team; the rows for
    // what these lack and for the page; and the caller. The third condition reads no rows: the index of the
    // names has the status and the team, and an option is looked up by the row's number. All rows of an
    // option are read if the time is long, and some of those of a member's teams are counted.
    const timed = await total([...times, ...third === "team" ? thirds.team! : []], sort, crm.admin.token);
    const isLookedUp = third === "choice" && span < 365 && caller === "admin";
    const left = isLookedUp || third === "status" || third === "team" ? matching : both;
    const most = Math.min(named, 4 * timed) + 2 * left + others;
    if (visited > most) {
      over.push(`${prefix} ${span} ${closed} ${third} ${sort} ${caller}: ${visited} of ${most}`);
    }
  }
  assert.deepEqual(over, []);

  // All rows changed on one day, as after an import: fewer rows match the name than the time, although it is
  // short.
  const name: Written = ["b2b_contact.fixed_fields.last_name", "sw", "s"];
  const names = await total([name], "-created_at", crm.admin.token);
  for (const sort of ["-created_at", "last_name"]) {
    await total(
      [name, ["contact.updated_at", "gte", at(days + 1)], ["contact.updated_at", "lte", at(days)]],
      sort,
      crm.admin.token,
    );
    const visited = counter.visitedBy(read.splice(0));
    assert.ok(visited <= 3.5 * names + others, `${visited} rows for ${names} names, by ${sort}`);
  }

  // Most rows contain the text.
  const week: Written[] = [["contact.created_at", "gte", at(67)], ["contact.created_at", "lt", at(60)]];
  const inWeek = await total(week, "-created_at", crm.admin.token);
  for (const { token } of Object.values(callers)) {
    await total([["b2b_contact.fixed_fields.last_name", "ct", "name"], ...week], "-created_at", token);
    const visited = counter.visitedBy(read.splice(0));
    assert.ok(visited <= 8 * inWeek + others, `${visited} rows for ${inWeek} of a week`);
  }
});

/** Runs statements on a separate connection, with a function that counts the rows they visit. */
function countRows(file: string) {
  const connection = new DatabaseSync(file, { readOnly: true });
  let calls = 0;
  connection.function(tick, () => (calls++, goOn));
  const tables = new Set(
    connection.prepare(
      "select name from pragma_table_list where schema = 'main' and type = 'table' and not wr",
    )
      .all().map(({ name }) => String(name)),
  );
  return {
    visitedBy(statements: readonly Statement[]): number {
      calls = 0;
      for (const { sql, args } of statements) {
        const counted = addTicks(sql, (table) => tables.has(table)).replaceAll(
          ".rowid & 63)",
          ".rowid & 0)",
        );
        connection.prepare(counted).all(...args);
      }
      assert.ok(calls > 0, "rows are counted");
      return calls;
    },
    [Symbol.dispose]: () => connection.close(),
  };
}

/**
 * Inserts copies of the first contact with other names, teams, times and states. One in eight has the second
 * colour.
 */
async function fill(
  db: {
    write(statements: readonly Statement[]): Promise<unknown>;
    read(s: readonly Statement[]): Promise<unknown>;
  },
  { first, teams, made }: { first: string; teams: readonly number[]; made: string },
): Promise<void> {
  const given: Readonly<Record<string, string>> = {
    team_id: `iif(n % 9, ${teams[1]}, ${teams[0]})`,
    status: "iif(n % 30, 'lead', 'customer')",
    last_name:
      `case when n % 12 then char(65 + n % 18) || 'name ' when n % 48 then 'Smith ' when n % 96 then 'Scott '
      else 'Schmidt ' end || (n % 400)`,
    last_name_key: `printf('%05d', n * 7919 % ${rows})`,
    updated_at: `datetime('${made}')`,
    last_activity_at: `datetime('${made}', '+' || ((n * 7907 % ${rows}) * ${days} / ${rows}) || ' days')`,
    created_at: `datetime('${made}', '+' || ((n * 7901 % ${rows}) * ${days} / ${rows}) || ' days')`,
  };
  const columns = (await db.read([{
    sql:
      "select group_concat(name) as names from pragma_table_info('contacts') where name not in ('seq', 'id')",
    args: [],
  }]) as { rows: { names: string }[] }[])[0]!.rows[0]!.names.split(",");
  await db.write([{
    sql: `with recursive up(n) as (select 1 union all select n + 1 from up where n < ${rows})
      insert into contacts (id, ${columns}) select printf('01939c5e-7d3a-7003-8000-%012x', n),
      ${columns.map((name) => given[name] ?? name)} from contacts cross join up where id = ?`,
    args: [first],
  }, {
    // Dates the first contact back, so that no row is newer than the copies.
    sql:
      `update contacts set created_at = datetime('${made}'), updated_at = datetime('${made}') where id = ?`,
    args: [first],
  }, {
    sql: `insert into custom_values (field, owner, text, b2c, team_id)
      select v.field, c.seq, (select o.value ->> 'id' from fields f, json_each(f.options) o
        where f.seq = v.field and o.value ->> 'id' <> v.text), c.b2c, c.team_id
      from custom_values v cross join contacts c where c.seq % 8 = 0 and c.id <> ?1
        and v.owner = (select seq from contacts where id = ?1)`,
    args: [first],
  }]);
}
