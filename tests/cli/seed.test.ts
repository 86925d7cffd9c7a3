import assert from "node:assert/strict";
import { fill, type Plan } from "../../src/cli/seed/fill.ts";
import { deal, makeRandom } from "../../src/cli/seed/random.ts";
import { isUuid } from "../../src/core/ids.ts";
import type { Row } from "../../src/platform/database/database.ts";
import { type FileDatabase, openFile } from "../../src/platform/database/file.ts";
import { inFolder } from "../support/engines.ts";
import { processorTime } from "../support/processor_time.ts";
import { runCommand } from "../support/process.ts";
import { commandArguments } from "../support/service.ts";
import { copyTemplate } from "../support/template.ts";
import { sharedFolder } from "../support/temporary.ts";

const plan: Plan = {
  seed: 7,
  now: Date.UTC(2026, 2, 2, 9, 0, 0),
  contacts: 600,
  accounts: 120,
  cases: 80,
  leads: 60,
  teams: 5,
  users: 12,
  passwordHash: "none",
};

async function fillDatabase(folder: string, name: string, change: Partial<Plan> = {}): Promise<FileDatabase> {
  // All its commits are in this thread, which is measured.
  await copyTemplate(`${folder}/${name}.db`);
  const db = openFile(`${folder}/${name}.db`, { busyCommits: Infinity });
  await fill(db, { ...plan, ...change });
  return db;
}

/** A copy of the file that the plan gives, which is made once. */
async function copyDatabase(folder: string): Promise<FileDatabase> {
  made ??= (async () => {
    const original = sharedFolder("wayline-seed-");
    const db = await fillDatabase(original, "crm");
    await db.close();
    return `${original}/crm.db`;
  })();
  await Deno.copyFile(await made, `${folder}/crm.db`);
  return openFile(`${folder}/crm.db`);
}

let made: Promise<string> | undefined;

async function rows(db: FileDatabase, sql: string): Promise<Row[]> {
  const [found] = await db.read([{ sql, args: [] }]);
  return found!.rows;
}

const tables = [
  "companies",
  "users",
  "teams",
  "team_members",
  "accounts",
  "contacts",
  "cases",
  "activities",
  "tasks",
  "case_milestones",
  "leads",
  "lead_transitions",
];

Deno.test("the same seed and time give the same rows, another seed gives others", () =>
  inFolder(async (folder) => {
    await using stack = new AsyncDisposableStack();
    const open = async (name: string, change?: Partial<Plan>) => {
      const db = await fillDatabase(folder, name, change);
      stack.defer(() => db.close());
      return db;
    };
    const [second, other] = [await open("b"), await open("c", { seed: 8 })];
    const first = await copyDatabase(folder);
    stack.defer(() => first.close());
    for (const table of tables) {
      const sql = `select * from ${table} order by 1, 2`;
      assert.deepEqual(await rows(first, sql), await rows(second, sql), table);
    }
    const names = "select id, last_name from contacts order by seq";
    assert.notDeepEqual(await rows(first, names), await rows(other, names));
  }));

Deno.test("the requested numbers of rows are made, and totals, counters and references agree", () =>
  inFolder(async (folder) => {
    const db = await copyDatabase(folder);
    for (const kind of ["accounts", "contacts", "cases", "leads", "teams", "users"] as const) {
      assert.deepEqual(
        await rows(
          db,
          `select count(*) as n, (select sum(n) from totals where kind = '${kind}') as t from ${kind}`,
        ),
        [{ n: plan[kind], t: plan[kind] }],
        kind,
      );
    }
    assert.deepEqual(await rows(db, "pragma foreign_key_check"), []);
    const odd = await rows(
      db,
      "select id from accounts a where contact_count <> (select count(*) from contacts where account_id = a.id) " +
        "union all select id from contacts c where status = 'lead' and exists (select 1 from cases where contact_id = c.id) " +
        "union all select id from cases s where activity_count <> (select count(*) from activities where case_id = s.id) " +
        "union all select id from cases where latest_activity_at > '2026-03-02 09:00:00' " +
        "union all select id from accounts where last_activity_at > '2026-03-02 09:00:00' " +
        "union all select id from leads where escalates_at <= '2026-03-02 09:00:00' " +
        "union all select id from leads l where state like 'accepted%' and not exists " +
        "(select 1 from cases s where s.lead_id = l.id and s.id = l.case_id and s.account_id = l.account_id)",
    );
    assert.deepEqual(odd, []);
    const states = (await rows(db, "select distinct state from leads")).map((row) => row.state);
    for (const state of ["assignable", "assigned", "accepted_final", "escalated"]) {
      assert.ok(states.includes(state), state);
    }
    await db.close();
  }));

Deno.test("made-up people are found by the words of their names and have no real addresses", () =>
  inFolder(async (folder) => {
    const db = await copyDatabase(folder);
    const [someone] = await rows(db, "select seq, name_words, email from contacts where seq = 17");
    const word = String(someone!.name_words).split(" ")[0]!;
    const found = await rows(db, `select rowid from contacts_search where contacts_search match '"${word}"'`);
    assert.ok(found.some(({ rowid }) => rowid === 17));
    const waiting =
      "select key from contacts_trigrams_stale union all select key from accounts_trigrams_stale";
    assert.deepEqual(await rows(db, waiting), [], "the indexes of their texts have them all");
    const real = "select email from contacts where email not like '%@%.example' union all " +
      "select email from users where email not like '%@%.example'";
    assert.deepEqual(await rows(db, real), []);
    await db.close();
  }));

Deno.test("db:seed adds a company with sign-ins, and reports a wrong number in one line", () =>
  inFolder(async (folder) => {
    const env = { DATABASE_URL: `file:${folder}/crm.db` };
    const command = commandArguments("seed", "--contacts", "40");
    const first = await runCommand(command, env);
    assert.equal(first.code, 0, first.stderr);
    assert.match(
      first.stdout,
      /^Made company 1 with 40 contacts in [\d.]+ s\nclient_id: +\S+\nclient_secret: +\S+\n/,
    );
    assert.match(first.stdout, /^users: +admin@demo\.example, /m);
    const second = await runCommand(command, env);
    assert.match(second.stdout, /^Made company 2 .*\n[^]*admin@demo-2\.example/, second.stderr);
    const db = openFile(`${folder}/crm.db`);
    const made = await rows(db, "select company_id, count(*) as n from contacts group by company_id");
    assert.deepEqual(made, [{ company_id: 1, n: 40 }, { company_id: 2, n: 40 }]);
    await db.close();
    const wrong = await runCommand([...command, "--leads", "many"], env);
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /^--leads must be a whole number of at least 0\nUsage: .*\n$/);
  }));

Deno.test("ten thousand contacts take at most 12 seconds of processor time", () =>
  inFolder(async (folder) => {
    const many = { contacts: 10_000, accounts: 2_000, cases: 1_000, leads: 500 };
    const took = await processorTime(async () => {
      const db = await fillDatabase(folder, "crm", many);
      await db.close();
    });
    assert.ok(took < 12_000, `${took} ms`);
  }));

Deno.test("shares add up to the whole, and ids are UUIDs of their time", () => {
  const random = makeRandom(3);
  for (const [total, shares] of [[0, 5], [7, 1], [100, 7], [5, 100]] as const) {
    const next = deal(random, total, shares);
    const dealt = Array.from({ length: shares }, next);
    assert.equal(dealt.reduce((sum, share) => sum + share, 0), total);
    assert.ok(dealt.every((share) => share >= 0));
  }
  const ids = Array.from({ length: 1000 }, () => random.uuid(1_700_000_000_000));
  assert.equal(new Set(ids).size, 1000);
  assert.ok(ids.every((id) => isUuid(id) && /^018bcfe5-6800-7...-[89ab]/.test(id)));
});
