import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import { stagedKinds } from "../../src/staged_kinds.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { BatchRate } from "../../src/staged/batch_rate.ts";
import { sql } from "../../src/db/statements.ts";
import type { StagedKind } from "../../src/staged/kind.ts";
import { runStaged } from "../../src/staged/run.ts";
import { beginWork } from "../../src/staged/work.ts";
import { copy } from "../customers/deletion_world.ts";
import { newCase, newPath, readEvents } from "../sales/parts.ts";
import { startApp } from "../support/app.ts";
import { stopTime } from "../support/still_time.ts";

import { startChild } from "../support/process.ts";
import { programArguments } from "../support/programs.ts";
import { allow, checkOnce, countArrived, refuse, startHandover } from "./world.ts";

const minute = 60_000;

Deno.test("a bad record in the middle is set aside with its reason, the others are done, and it is retried", async () => {
  const given = await startHandover(90);
  await using app = given.app;
  const bad = given.cases[50]!;
  await refuse(app, "cases", `id = '${bad}'`);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), ["stagedWork"]);
  assert.equal(await countArrived(given), 89);
  const [aside] = await app.sql("select queue, record, attempts, error, due_at from set_aside");
  assert.deepEqual([aside!.record, aside!.attempts, aside!.due_at], [bad, 1, app.clock.now() + minute]);
  assert.match(String(aside!.error), /bad/);
  const logged = app.log.entries.filter(({ event }) => event === "record_set_aside");
  assert.deepEqual(logged.map(({ record, level }) => [record, level]), [[bad, "error"]]);

  // Does not retry early. Each further failure doubles the pause.
  assert.deepEqual(await runJobs(app.deps, app.clock.now() + minute - 1), []);
  for (const [attempts, pause] of [[2, 2], [3, 4]] as const) {
    app.clock.move(minute * pause / 2);
    assert.deepEqual(await runJobs(app.deps, app.clock.now()), ["stagedWork"]);
    const [again] = await app.sql("select attempts, due_at from set_aside");
    assert.deepEqual([again!.attempts, again!.due_at], [attempts, app.clock.now() + pause * minute]);
  }
  await allow(app);
  app.clock.move(4 * minute);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  assert.equal(await countArrived(given), 90);
  await checkOnce(given);
});

Deno.test("a deleted account goes but for a record that fails and those that it names, and whole once that one can", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  const one = await newCase(admin, path);
  const note = await admin.call("POST", "/v1/notes", {
    note: "x",
    contact_id: one.contact.id,
    account_id: one.account.id,
  });
  assert.equal(note.status, 201);
  await copy(app, "contacts", `x.id = '${one.contact.id}'`, { id: "x.id || (1000 + i)" }, 250);
  await copy(
    app,
    "notes",
    `x.id = ${note.body.id}`,
    { id: "null", contact_id: "x.contact_id || (1000 + i)" },
    40,
  );
  const [{ id: bad, contact_id }] = await app.sql(
    "select id, contact_id from notes order by id limit 1 offset 20",
  ) as [
    Record<string, string>,
  ];
  await refuse(app, "notes", `id = ${bad}`, "delete");
  const known = (await readEvents(app)).length;
  assert.equal((await admin.call("DELETE", `/v1/accounts/${one.account.id}`)).status, 204);
  await app.idle();
  const readLeft = async () =>
    (await app.sql(
      "select (select json_group_array(id) from contacts) as contacts, (select count(*) from cases) " +
        "as cases, (select json_group_array(id) from notes) as notes, (select count(*) from accounts) as accounts",
    ))[0];
  assert.deepEqual(await readLeft(), {
    contacts: JSON.stringify([contact_id]),
    cases: 0,
    notes: JSON.stringify([bad]),
    accounts: 1,
  });
  assert.equal((await admin.call("GET", `/v1/accounts/${one.account.id}`)).status, 404);
  assert.deepEqual(
    (await app.sql("select record from set_aside order by record")).map(({ record }) => record).sort(),
    [
      String(bad),
      contact_id,
    ].sort(),
  );
  await allow(app);
  app.clock.move(minute);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  assert.deepEqual(await readLeft(), { contacts: "[]", cases: 0, notes: "[]", accounts: 0 });
  assert.deepEqual(
    await app.sql("select * from staged_work union all select *, 0, 0, 0, 0 from set_aside"),
    [],
  );
  const names = (await readEvents(app)).slice(known).map(({ name }) => name);
  const counts = Object.entries(Object.groupBy(names, (name) => name)).map((
    [name, all],
  ) => [name, all!.length]);
  assert.deepEqual(Object.fromEntries(counts), {
    account_deleted: 1,
    note_deleted: 41,
    case_deleted: 1,
    contact_deleted: 251,
  });
  assert.deepEqual(await app.sql("pragma foreign_key_check"), []);
});

Deno.test("a bad record in the first step of a deletion is set aside too: the deletion is answered, the rest follows", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const path = await newPath(admin);
  const team = await company.team();
  const [user, successor] = [await company.user(), await company.user()];
  const bad: string[] = [];
  const good: string[] = [];
  for (let n = 0; n < 6; n++) {
    const made = await newCase(admin, path, n < 3 ? { user_id: user.id } : { team_id: team });
    (n % 3 === 1 ? bad : good).push(made.id);
  }
  await refuse(app, "cases", `id in (${bad.map((id) => `'${id}'`)})`);
  const other = await company.team();
  const users = `/v1/companies/${company.id}/users`;
  const deletions = [`${users}/${user.id}?assign_to=${successor.id}`, `/v1/teams/${team}?assign_to=${other}`];
  for (const deletion of deletions) assert.equal((await admin.call("DELETE", deletion)).status, 204);
  await app.idle();
  const readMoved = async () =>
    (await app.sql("select id from cases where user_id = ? or team_id = ? order by id", successor.id, other))
      .map(({ id }) => id);
  assert.deepEqual(await readMoved(), good.toSorted());
  assert.deepEqual(
    (await app.sql("select record from set_aside order by 1")).map(({ record }) => record),
    bad,
  );
  await allow(app);
  app.clock.move(minute);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  assert.deepEqual(await readMoved(), [...good, ...bad].toSorted());

  await refuse(app, "cases", `id = '${bad[0]}'`, "delete");
  assert.equal((await admin.call("DELETE", `/v1/cases/${bad[0]}`)).status, 204);
  assert.equal((await admin.call("GET", `/v1/cases/${bad[0]}`)).status, 404);
  await allow(app);
  app.clock.move(minute);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  assert.deepEqual(await app.sql("select id from cases where id = ?", bad[0]!), []);
  assert.deepEqual(await app.sql("select kind from staged_work"), []);
});

Deno.test("work whose steps all fail is put off, holds no other up, and its attempts are logged", async () => {
  const given = await startHandover(60);
  await using app = given.app;
  await refuse(app, "cases", "user_id is not null");
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), ["stagedWork"]);
  const [work] = await app.sql("select attempts, holder, due_at, error from staged_work");
  assert.deepEqual([work!.attempts, work!.holder, work!.due_at], [1, null, app.clock.now() + minute]);
  assert.match(String(work!.error), /bad/);
  assert.equal(app.log.entries.filter(({ event }) => event === "staged_work_failed").length, 1);
  await allow(app);
  app.clock.move(minute);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  await checkOnce(given);
});

Deno.test("two processes at once make each step once", async () => {
  const given = await startHandover(300);
  await using app = given.app;
  const other = openFile(app.file);
  try {
    const runs = await Promise.all([
      runStaged(app.deps, app.clock.now(), stagedKinds),
      runStaged({ ...app.deps, db: other }, app.clock.now(), stagedKinds),
    ]);
    assert.ok(runs[0] + runs[1] >= 15, `${runs}`);
  } finally {
    await other.close();
  }
  await checkOnce(given);
});

Deno.test("a run whose lease another has taken over commits nothing more", async () => {
  const given = await startHandover(60);
  await using app = given.app;
  const { db } = app.deps;
  let taken = false;
  // Between the reads and the commit of the first run, the other run takes the lease and does all the work.
  const slow: typeof db = {
    ...db,
    kind: db.kind,
    read: async (statements) => {
      const results = await db.read(statements);
      if (taken || !statements.some(({ sql }) => sql.includes("from cases"))) return results;
      taken = true;
      await runStaged(app.deps, app.clock.now() + minute, stagedKinds);
      return results;
    },
    write: (statements) => db.write(statements),
  };
  await runStaged({ ...app.deps, db: slow }, app.clock.now(), stagedKinds);
  assert.ok(taken);
  await checkOnce(given);
});

Deno.test("a kind that only counts makes each step once, though other runs take it over at every step", async () => {
  await using app = await startApp();
  const { id } = await app.company();
  const { db } = app.deps;
  await db.write([{ sql: "create table counted (n integer)", args: [] }]);
  // The progress is only in the payload: no version of a row guards it.
  const counting: StagedKind = {
    kind: "counting",
    step: ({ payload }) => ({
      reads: [sql`select 1 as counting`],
      apply: () => {
        const { n } = JSON.parse(payload);
        return {
          statements: [sql`insert into counted (n) values (${n})`],
          events: [],
          payload: JSON.stringify({ n: n + 1 }),
          more: n < 30,
        };
      },
    }),
  };
  await db.write([beginWork({ at: "" }, counting, { company_id: id, subject: 1, payload: { n: 1 } })]);
  let overtaken = 0;
  const slow = (depth: number): typeof db => ({
    ...db,
    kind: db.kind,
    read: async (statements) => {
      const results = await db.read(statements);
      if (depth < 3 && statements.some(({ sql }) => sql.includes("counting")) && statements.length === 2) {
        overtaken++;
        const later = app.clock.now() + (depth + 1) * minute;
        await runStaged({ ...app.deps, db: slow(depth + 1) }, later, [counting]);
      }
      return results;
    },
    write: (statements) => db.write(statements),
  });
  await runStaged({ ...app.deps, db: slow(0) }, app.clock.now(), [counting]);
  assert.ok(overtaken >= 3, `${overtaken}`);
  const counted = (await app.sql("select n from counted order by rowid")).map(({ n }) => n);
  assert.deepEqual(counted, Array.from({ length: 30 }, (_, n) => n + 1));
  assert.deepEqual(await app.sql("select * from staged_work"), []);
});

Deno.test("a lease of another run is respected until it ends, and one of a clock that was ahead is not", async () => {
  const given = await startHandover(45);
  await using app = given.app;
  const now = app.clock.now();
  const lease = (until: number, due = 0) =>
    app.deps.db.write([{
      sql: "update staged_work set holder = 'other', lease_until = ?, due_at = ?",
      args: [until, due],
    }]);
  const first = await countArrived(given);
  await lease(now + 20_000);
  assert.deepEqual(await runJobs(app.deps, now), []);
  await lease(0, now + 10 * minute);
  assert.deepEqual(await runJobs(app.deps, now), []);
  assert.equal(await countArrived(given), first);
  await lease(now + 24 * 60 * minute, now + 48 * 60 * minute);
  assert.deepEqual(await runJobs(app.deps, now), []);
  await checkOnce(given);
});

Deno.test("a process that is killed at any moment between steps loses nothing and repeats nothing", async () => {
  const given = await startHandover(800);
  await using app = given.app;
  const env = { DATABASE_URL: `file:${app.file}`, LOG_LEVEL: "error" };
  let now = app.clock.now();
  for (let kills = 0; kills < 2; kills++) {
    now += 2 * minute;
    const before = await countArrived(given);
    const child = startChild([...programArguments("tests/proofs/jobs_at.ts"), String(now)], env);
    for (let n = before; n <= before; n = await countArrived(given)) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await child.kill("SIGKILL");
    const after = await countArrived(given);
    if (kills === 0) assert.ok(after < given.cases.length, "it was killed in the middle");
    const events = (await readEvents(app)).slice(given.known);
    const updated = (await readEvents(app)).filter(({ name }) => name === "case_updated");
    assert.equal(updated.length, after, `${events.length} events`);
  }
  await runStaged(app.deps, now + 2 * minute, stagedKinds);
  await checkOnce(given);
});

Deno.test("a step takes less after a slow commit, at least one record, and more again after fast ones", () => {
  const rate = new BatchRate();
  assert.equal(rate.share(20), 20);
  rate.took(80);
  assert.equal(rate.share(20), 10);
  rate.took(30);
  assert.equal(rate.share(20), 10);
  for (let n = 0; n < 10; n++) rate.took(200);
  assert.equal(rate.share(20), 1);
  for (let n = 0; n < 20; n++) rate.took(1);
  assert.equal(rate.share(20), 20);
});

Deno.test("a step also shrinks while its statements run long, until smaller steps take no less time", () => {
  const rate = new BatchRate();
  const after = (...times: number[]) => {
    for (const ms of times) rate.ran(ms);
    return rate.share(64);
  };
  assert.equal(after(30, 35), 64);
  assert.equal(after(160), 32);
  assert.equal(after(90), 16);
  assert.equal(after(60), 8);
  assert.equal(after(30, 30), 8);
  assert.equal(after(...Array.from({ length: 6 }, () => 10)), 64);
  // A quarter of the rows takes as long, so the halvings are undone, and tried again much later.
  assert.equal(after(60, 60), 16);
  assert.equal(after(55), 64);
  assert.equal(after(...Array.from({ length: 16 }, () => 60)), 64);
  assert.equal(after(60), 32);
});

Deno.test("a step shrinks at once when its records become heavier, also after halving has not helped", () => {
  const rate = new BatchRate();
  const after = (...times: number[]) => {
    for (const ms of times) rate.ran(ms);
    return rate.share(64);
  };
  assert.equal(after(60, 60, 55), 64);
  assert.equal(after(300), 32);
  assert.equal(after(150), 16);
  assert.equal(after(75), 8);
  assert.equal(after(...Array.from({ length: 6 }, () => 10)), 64);
  assert.equal(after(40, 40), 16);
  assert.equal(after(400), 8);
});

for (
  const [what, reported, expected] of [
    ["keeps its size while its commits wait for others", 30, [64, 64, 64, 64]],
    ["shrinks while its statements run long", 60, [64, 32, 16, 64]],
    ["shrinks while commits are slow when the database reports no time", null, [64, 32, 16, 8]],
  ] as const
) {
  Deno.test(`a step ${what}`, async () => {
    // Writes are then timed on their way to the database.
    await using app = await startApp({ METRICS_TOKEN: "metrics" });
    const { id } = await app.company();
    const { db } = app.deps;
    using time = stopTime();
    const taken: number[] = [];
    const kind: StagedKind = {
      kind: "sharing",
      step: ({ payload }, _take, { share }) => {
        taken.push(share(64));
        const { n } = JSON.parse(payload);
        return Promise.resolve({
          statements: [sql`select 1 as sharing`],
          events: [],
          payload: JSON.stringify({ n: n + 1 }),
          more: n < 4,
        });
      },
    };
    await db.write([beginWork({ at: "" }, kind, { company_id: id, subject: 1, payload: { n: 1 } })]);
    const slow: typeof db = {
      ...db,
      write: async (statements, onRan) => {
        if (!statements.some((each) => each.sql.includes("sharing"))) return await db.write(statements);
        // Reports this in place of what the database reports.
        const report = reported === null ? undefined : () => onRan?.(reported);
        const results = await db.write(statements, report);
        time.pass(60);
        return results;
      },
    };
    await runStaged({ ...app.deps, db: slow }, app.clock.now(), [kind]);
    assert.deepEqual(taken, expected);
  });
}
