import assert from "node:assert/strict";
import { factKinds } from "../../src/core/fact_kinds.ts";
import { sql } from "../../src/db/statements.ts";
import type { Deps } from "../../src/deps.ts";
import { playFacts } from "../../src/insight/gamification/run.ts";
import { awardRanks } from "../../src/insight/ranks/award.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { type Actor, startApp, type TestApp } from "../support/app.ts";
import { runCommand, startChild } from "../support/process.ts";
import { programArguments } from "../support/programs.ts";
import { commandArguments } from "../support/service.ts";

/** The job takes fifteen steps for these facts. */
const facts = 30_000;

/** Records facts of all kinds that the game counts, of these users in turn, within a few weeks. */
async function recordMany(
  app: TestApp,
  users: readonly Actor[],
  number = facts,
) {
  const kinds = ([
    "account",
    "activity",
    "lead_accepted",
    "case_closed",
    "task_completed",
    "note",
  ] as const)
    .map((kind) => factKinds[kind]);
  const from = Math.floor(app.clock.now() / 1000) - 2_000_000;
  for (const [nth, user] of users.entries()) {
    await app.deps.db.write([
      sql`with recursive n (i) as (select 0 union all select i + 1 from n
        where i < ${Math.floor(number / users.length)} - 1)
      insert into facts (company_id, kind, at, recorded_at, user_id, flags, subject, value)
      select ${user.companyId}, ${JSON.stringify(kinds)} ->> (i * 7 % ${kinds.length}),
        ${from} + i * 600 % 1900000, ${from} + i, ${user.id}, i % 3 = 0, ${nth} || '-' || i % 900, i % 500 from n`,
    ]);
  }
}

/** Dependencies whose first write waits until `other`, in another process, has finished. */
function overtaken({ deps }: TestApp, other: () => Promise<unknown>): Deps {
  const { db } = deps;
  let waited: Promise<unknown> | undefined;
  const slow: Database = {
    ...db,
    async write(batch) {
      await (waited ??= other());
      return await db.write(batch);
    },
  };
  return { ...deps, db: slow };
}

/** Runs all jobs once in another process. */
async function runElsewhere(app: TestApp): Promise<void> {
  const ended = await runCommand([
    ...programArguments("tests/proofs/jobs_at.ts"),
    String(app.clock.now()),
  ], makeEnv(app));
  assert.deepEqual([ended.code, ended.stderr], [0, ""]);
}

const makeEnv = (app: TestApp) => ({
  DATABASE_URL: `file:${app.file}`,
  LOG_LEVEL: "error",
});

/** All games, and the stream without its ids. */
const readGame = (app: TestApp) =>
  app.sql(`select user_id, state as a, null as b from game_players
    union all select user_id, type || key || data, created_at from stream_events order by 1, 2`);

/** Compares the game with one that a single process works out from the beginning. */
async function assertWorkedOut(app: TestApp) {
  const live = await readGame(app);
  await app.deps.db.write([
    sql`delete from stream_events where type <> 'rank_won'`,
    sql`delete from game_players`,
    sql`delete from game_reach`,
  ]);
  while (await playFacts(app.deps) > 0);
  assert.deepEqual(live, await readGame(app));
}

Deno.test("a step of the game, or an award, that another process overtakes changes nothing", async () => {
  await using app = await startApp();
  const company = await app.company();
  const users = [company.admin, await company.user()];
  const [first, second] = users as [Actor, Actor];
  const rank = await company.admin.call("POST", "/v1/gamification/ranks", {
    name: "Most e-mails",
    icon: "envelope",
    rule: "emails_sent",
  });
  assert.equal(rank.status, 201, rank.text);
  const insertFacts = (by: Actor, number: number) => {
    const at = Date.UTC(2026, 2, 20) / 1000;
    return app.deps.db.write([
      sql`insert into facts (company_id, kind, at, recorded_at, user_id)
      select ${company.id}, ${factKinds.email_sent}, ${at}, ${at}, ${by.id}
      from json_each(${JSON.stringify(Array(number).fill(0))})`,
    ]);
  };
  await recordMany(app, users, 6_000);
  await insertFacts(first, 1);
  // The first run finds the new rank and awards nothing.
  assert.equal(await awardRanks(app.deps, app.clock.now()), 0);
  app.clock.set(Date.UTC(2026, 3, 1, 0, 0, 1));
  // Both have read when the other process begins.
  const awarded = await awardRanks(
    overtaken(app, async () => {
      await insertFacts(second, 2);
      assert.equal(await playFacts(overtaken(app, () => runElsewhere(app))), 0);
    }),
    app.clock.now(),
  );
  assert.equal(awarded, 0);
  const won = await app.sql(
    "select user_id from stream_events where type = 'rank_won'",
  );
  assert.deepEqual(won, [{ user_id: second.id }]);
  await assertWorkedOut(app);
});

Deno.test("SIGKILL during the job of the game loses nothing and counts nothing twice, and rebuild finds no difference", async () => {
  await using app = await startApp();
  const companies = [await app.company(), await app.company()];
  const users = [
    companies[0]!.admin,
    companies[1]!.admin,
    await companies[0]!.user(),
  ];
  await recordMany(app, users);
  const readReach = async () => Number((await app.sql("select max(seq) as seq from game_reach"))[0]!.seq);
  const child = startChild([
    ...programArguments("tests/proofs/jobs_at.ts"),
    String(app.clock.now()),
  ], makeEnv(app));
  while (await readReach() === 0) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await child.kill("SIGKILL");
  const [{ last }] = await app.sql("select max(seq) as last from facts") as [
    { last: number },
  ];
  const left = last - await readReach();
  assert.ok(left > 0, "the job ended before the signal");
  assert.equal(await playFacts(app.deps), left);
  const live = await readGame(app);
  const rebuilt = await runCommand(commandArguments("crm", "gamification", "rebuild"), makeEnv(app));
  assert.deepEqual([rebuilt.code, rebuilt.stdout.trim()], [
    0,
    "3 users, 0 mended.",
  ], rebuilt.stderr);
  assert.deepEqual(await readGame(app), live);
  await assertWorkedOut(app);
});
