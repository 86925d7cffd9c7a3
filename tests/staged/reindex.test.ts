/** What rows keep for search and filters is computed again, in steps, when the rules have changed. */
import assert from "node:assert/strict";
import type { Deps } from "../../src/deps.ts";
import { type Database, DatabaseUnavailable } from "../../src/platform/database/database.ts";
import { runStaged } from "../../src/staged/run.ts";
import { stagedKinds } from "../../src/staged_kinds.ts";
import { copy } from "../customers/deletion_world.ts";
import { askFilter, createAccount, createContact, expandFilter } from "../customers/filters_world.ts";
import { type Actor, startApp, type TestApp } from "../support/app.ts";
import { fill } from "../sweep/place.ts";

/** Begins the work as a migration does that comes with new rules. */
async function begin(app: TestApp): Promise<void> {
  await run(
    app,
    "insert into staged_work (company_id, kind, subject, created_at) " +
      "select id, 'reindex', cast(id as text), datetime('now') from companies where true " +
      "on conflict (kind, subject) do update set payload = '{}'",
  );
}

async function run(app: TestApp, ...statements: string[]): Promise<void> {
  await app.deps.db.write(statements.map((sql) => ({ sql, args: [] })));
}

async function rows(app: TestApp, sql: string): Promise<string[]> {
  return (await app.sql(sql)).map((row) => Object.values(row).join(" "));
}

/** Columns with the names of forms that are computed from other columns. */
const formColumns = `select t.name || '.' || c.name from sqlite_master t, pragma_table_info(t.name) c
  where t.type = 'table' and t.sql not like 'create virtual%' and (c.name glob '*_key' or c.name glob '*words'
    or c.name in ('folded', 'e164')) order by 1`;

/** Columns with such names that the rules for texts do not decide. */
const others = new Set([
  // The forms that contacts have; the next test reads them.
  "campaign_messages.email_key",
  "refusals.e164",
  "refusals.email_key",
  // The order of a list.
  "cases.close_key",
  "cases.important_key",
  "cases.recent_key",
  "leads.countdown_key",
  // Places in the storage, a mail's id, and a normal URL.
  "files.object_key",
  "files.picture_key",
  "correspondences.message_key",
  "webhooks.target_key",
]);

/** Values of custom fields that hold text. */
const texts = "field in (select seq from fields where type in ('text', 'multi_line'))";

Deno.test("each form that is computed from a text, and each full-text index, is made again", async () => {
  await using app = await startApp();
  const { trustedAdmin, ids } = await fill(app);
  const named = { first_name: "Zoë", last_name: "Groß", email: "zoe@example.org", password: "ten chars!" };
  const user = await app.call(trustedAdmin, "POST", `/v1/companies/${ids.company_id}/users`, named);
  assert.equal(user.status, 201, user.text);
  await app.idle();
  // No other test gets the database, in which this one makes tables.
  assert.ok(app.file);
  const indexes = await rows(
    app,
    "select name from sqlite_master where type = 'table' and name glob '*_search'",
  );
  const columns = (await rows(app, formColumns)).filter((name) => !others.has(name))
    .map((name) => name.split(".") as [string, string]);
  assert.ok(indexes.length >= 10 && columns.length >= 14);
  await run(
    app,
    ...indexes.map((name) => `create virtual table seen_${name} using fts5vocab(${name}, instance)`),
  );
  const living = (table: string) => table === "users" ? "where deleted_at is null" : "";
  const forms = async () => {
    const all: Record<string, string[]> = {
      lines: await rows(
        app,
        "select id, product_details from activities order by id",
      ),
      values: await rows(
        app,
        `select owner, field, place, text from custom_values where ${texts} order by 1, 2, 3`,
      ),
    };
    for (const [table, column] of columns) {
      const select = `select id, ${column} from ${table} ${living(table)} order by id`;
      all[`${table}.${column}`] = await rows(app, select);
    }
    for (const name of indexes) {
      all[name] = await rows(
        app,
        `select doc, term from seen_${name} order by 1, 2`,
      );
    }
    return all;
  };
  const before = await forms();
  await run(
    app,
    ...columns.map(([table, column]) => {
      const broken = column === "folded" ? `'{"name":"x"}'` : "'x' || id";
      return `update ${table} set ${column} = ${broken} ${living(table)}`;
    }),
    `update activities set product_details = replace(product_details, '"folded":null', '"folded":{"name":"x"}')`,
    `update custom_values set text = 'x' where ${texts}`,
    ...indexes.map((name) => `delete from ${name} where rowid in (select doc from seen_${name})`),
  );
  const broken = await forms();
  // Empty tables have nothing to break.
  for (const [name, form] of Object.entries(before)) {
    if (form.length > 0) assert.notDeepEqual(broken[name], form, name);
  }
  await begin(app);
  await runStaged(app.deps, app.clock.now(), stagedKinds);
  assert.deepEqual(
    await rows(app, "select kind from staged_work where kind = 'reindex'"),
    [],
  );
  const after = await forms();
  for (const name of Object.keys(before)) {
    // The users and teams that a test writes into the tables had no words before.
    const known = new Set(before[name]!.map((row) => row.split(" ")[0]));
    const rest = after[name]!.filter((row) =>
      !["users_search", "teams_search"].includes(name) || known.has(row.split(" ")[0])
    );
    assert.deepEqual(rest, before[name], name);
  }
});

const people = 250;

/** A company with rows that the earlier rules indexed: `STRASSE` did not find them. */
async function earlier(app: TestApp): Promise<Actor> {
  const { admin } = await app.company();
  const { id } = await createAccount(admin, "Ltd");
  await createContact(admin, id, "Straße", { external_id: null });
  await run(app, `update contacts set folded = '{"last_name":"straße"}'`);
  await copy(
    app,
    "contacts",
    "true",
    { id: "x.id || (100000 + i)" },
    people - 1,
  );
  assert.equal(await countFound(admin), 0);
  return admin;
}

async function countFound(admin: Actor): Promise<number> {
  const filter = expandFilter([[
    "b2b_contact.fixed_fields.last_name",
    "eq",
    "STRASSE",
  ]]);
  const { status, body, text } = await askFilter(admin, "contacts", filter);
  assert.equal(status, 200, text);
  return body.pagination.total;
}

/** The same service, whose database is gone after so many steps, as when its process ends. */
function endingAfter(deps: Deps, steps: number): Deps {
  let left = steps;
  const write: Database["write"] = async (statements) => {
    if (
      statements.some(({ sql }) => sql.includes("payload =")) && left-- === 0
    ) {
      throw new DatabaseUnavailable("gone");
    }
    return await deps.db.write(statements);
  };
  const db = new Proxy(deps.db, {
    get: (own, name) => {
      if (name === "write") return write;
      const member = Reflect.get(own, name);
      return typeof member === "function" ? member.bind(own) : member;
    },
  });
  return { ...deps, db };
}

Deno.test("rows of earlier rules are found in steps, which go on where a process ended", async () => {
  await using app = await startApp();
  const admin = await earlier(app);
  await begin(app);
  const counts: number[] = [];
  let later = app.clock.now();
  for (let round = 0; round < 60 && await isOpen(app); round++) {
    // The lease of the process that ended runs out.
    await runStaged(endingAfter(app.deps, 2), later += 120_000, stagedKinds)
      .catch((error) => {
        assert.match(String(error), /gone/);
      });
    counts.push(await countFound(admin));
  }
  assert.equal(await isOpen(app), false);
  assert.deepEqual(counts, counts.toSorted((one, other) => one - other));
  assert.equal(counts.at(-1), people);
  assert.ok(new Set(counts).size > 2, `in steps: ${counts}`);
  // No version and no event: nothing changed that a client reads.
  assert.deepEqual(await rows(app, "select distinct version from contacts"), [
    "1",
  ]);
});

async function isOpen(app: TestApp): Promise<boolean> {
  return (await rows(app, "select 1 from staged_work where kind = 'reindex'"))
    .length > 0;
}

Deno.test("a contact that fails is set aside, the others become findable, and later it does, too", async () => {
  await using app = await startApp();
  const admin = await earlier(app);
  await run(
    app,
    `create trigger refused before update of folded on contacts when old.seq = (select max(seq) - 120 from contacts)
      begin select raise(abort, 'bad'); end`,
  );
  await begin(app);
  await assert.rejects(runStaged(app.deps, app.clock.now(), stagedKinds));
  await runStaged(app.deps, app.clock.now() + 1, stagedKinds).catch(() => {});
  assert.equal(await countFound(admin), people - 1);
  await run(app, "drop trigger refused");
  await runStaged(app.deps, app.clock.now() + 120_000, stagedKinds);
  assert.equal(await countFound(admin), people);
  assert.equal(await isOpen(app), false);
});

Deno.test("a kept refusal applies to a number of earlier rows, and of the company's new country", async () => {
  await using app = await startApp();
  const { admin, id: company } = await app.company();
  const { id } = await createAccount(admin, "Ltd");
  const refuses = { fixed: { phone_number: "+31612345678" }, consent: { call: { consent_given: false } } };
  const gone = await createContact(admin, id, "Ada", refuses);
  assert.equal((await admin.call("DELETE", `/v1/accounts/${id}/contacts/${gone.id}`)).status, 204);
  await createContact(admin, id, "Bo", { fixed: { phone_number: "+31 6 12345678" } });
  await createContact(admin, id, "Cy", { fixed: { phone_number: "06 1234 5678" } });
  const numbers = () => rows(app, "select e164 from contacts order by last_name");
  await run(app, "update contacts set e164 = null", "update refusals set e164 = null");
  await begin(app);
  await runStaged(app.deps, app.clock.now(), stagedKinds);
  assert.deepEqual(await rows(app, "select e164 from refusals"), ["+31612345678"]);
  const [bo, cy] = await numbers();
  assert.equal(bo, "+31612345678");
  assert.notEqual(cy, "+31612345678");
  const moved = await admin.call("PUT", `/v1/companies/${company}`, { billing: { country: "NL" } });
  assert.equal(moved.status, 200, moved.text);
  await runStaged(app.deps, app.clock.now(), stagedKinds);
  assert.deepEqual(await numbers(), ["+31612345678", "+31612345678"]);
});
