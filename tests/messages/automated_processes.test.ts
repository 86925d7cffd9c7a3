import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { startProcess } from "../support/process.ts";
import { programArguments } from "../support/programs.ts";
import { act, createCase, makeDefinition, makeRoad, posted } from "./automated_world.ts";

const cases = 8;
const each = 25;
const kills = 3;

Deno.test("two processes, one of them killed again and again, queue each automated communication once", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const made = await posted(admin, "/v1/automated-communications", makeDefinition());
  const road = await makeRoad(admin, [made.id]);
  for (let index = 0; index < cases; index++) {
    const of = await createCase(admin, road, { values: { email: `c${index}@example.org` } });
    await act(admin, road, of.id, ["Drive"]);
  }
  // Inserts many sends for the same minute.
  await app.deps.db.write([{
    sql:
      "insert into automated_sends (id, company_id, case_id, activity_id, activity_type_id, definition_id, " +
      "message_id, name, subject, due_at, case_status, status, origin, created_at, updated_at) " +
      "with recursive n (i) as (select 1 union all select i + 1 from n where i < ?) " +
      "select substr(s.id, 1, 24) || printf('%012x', s.rowid * 1000 + i), company_id, case_id, activity_id, " +
      "activity_type_id, definition_id, message_id, name, subject, due_at, case_status, status, origin, " +
      "created_at, updated_at from automated_sends s, n",
    args: [each - 1],
  }]);
  const countQueued = async () => Number((await app.sql("select count(*) as n from correspondences"))[0]!.n);
  const server = () =>
    startProcess(programArguments("tests/proofs/jobs_server.ts"), {
      DATABASE_URL: `file:${app.file}`,
      STORAGE_URL: `file:${app.folder}/files`,
      MAIL_RATE: "0",
    });
  const now = String(Date.UTC(2026, 2, 3, 9));
  const work = async (url: string) => {
    const response = await fetch(url, { method: "POST", body: now });
    assert.equal(await response.text(), "done");
  };
  const [steady, ...victims] = await Promise.all(Array.from({ length: kills + 1 }, server));
  const all = work(steady!.url);
  for (const [round, victim] of victims.entries()) {
    const killed = work(victim.url).catch(() => "killed");
    while (await countQueued() < (round + 1) * 40) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await victim.kill("SIGKILL");
    await killed;
  }
  await all;
  await work(steady!.url);
  await steady!.kill();
  const rows = await app.sql(
    "select count(*) as n, (select count(*) from correspondences c where c.id = s.id) as texts, " +
      "(select count(*) from mails m where m.about_id = s.id) as mails, s.status from automated_sends s " +
      "group by 2, 3, 4",
  );
  // The sends fail because there is no mail server.
  assert.deepEqual(rows, [{ n: cases * each, texts: 1, mails: 1, status: "failed" }]);
  const [events] = await app.sql(
    "select count(*) as n from outbox where event_name = 'case_updated' and created_at = '2026-03-03 09:00:00'",
  );
  assert.equal(events!.n, cases * each);
});
