import assert from "node:assert/strict";
import { send, startApp } from "../support/app.ts";
import { withTwoProcesses } from "../support/race.ts";
import { makeSales } from "../sales/leads_world.ts";

const hour = 3_600_000;

Deno.test("of twenty simultaneous accepts over two processes, one gets the case and nineteen are 409", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  await withTwoProcesses("tests/sweep/server.ts", app, async (urls) => {
    for (let round = 0; round < 10; round++) {
      const { id } = await sales.lead();
      const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => {
        const { token } = n % 3 === 0 ? sales.admin : sales.member;
        const body = { user_id: sales.member.id };
        return send(`${urls[n % 2]}/v1/leads/${id}/accept`, "PUT", token, body);
      }));
      const reported = replies.map(({ status, body }) => (status === 200 ? "accepted" : body.code)).sort();
      assert.deepEqual(reported, ["accepted", ...Array(19).fill("lead_state")]);
      const record = await sales.member.call("GET", `/v1/leads/${id}`);
      assert.deepEqual(replies.find(({ status }) => status === 200)!.body, record.body);
      const effects = await app.sql(
        "select (select count(*) from cases where lead_id = l.id) as cases, " +
          "(select count(*) from lead_transitions where lead_id = l.id and kind = 'acception') as moves, " +
          "(select count(*) from outbox where entity_id = l.id and event_name = 'lead_accepted') as events " +
          "from leads l where l.id = ?",
        id,
      );
      assert.deepEqual(effects, [{ cases: 1, moves: 1, events: 1 }]);
    }
    const rows = await app.sql(
      "select (select count(*) from cases) as cases, (select count(*) from accounts) as accounts, " +
        "(select count(*) from contacts) as contacts, (select count(distinct case_number) from cases) as numbers",
    );
    assert.deepEqual(rows, [{ cases: 10, accounts: 10, contacts: 10, numbers: 10 }]);
  });
});

Deno.test("when two processes run the jobs, each due lead moves once with one event", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const due = await Promise.all(Array.from({ length: 200 }, () => sales.lead()));
  const left = await sales.lead({ lead_type_id: await sales.leadType({ escalation_accept: 24 * 60 }) });
  await withTwoProcesses("tests/proofs/jobs_server.ts", app, async (urls) => {
    const now = String(app.clock.now() + 2 * hour);
    await Promise.all(urls.map(async (url) => {
      const response = await fetch(url, { method: "POST", body: now });
      assert.equal(await response.text(), "done");
    }));
  });
  const moved = await app.sql(
    "select l.id, l.status, (select count(*) from lead_transitions m where m.lead_id = l.id and m.kind = 'escalation') " +
      "as moves, (select count(*) from outbox e where e.entity_id = l.id and e.event_name = 'lead_escalated') " +
      "as events from leads l order by l.id",
  );
  const once = { status: "escalated", moves: 1, events: 1 };
  const expected = [...due.map(({ id }) => ({ id, ...once })), {
    id: left.id,
    status: "assigned",
    moves: 0,
    events: 0,
  }];
  assert.deepEqual(moved, expected.sort((a, b) => (a.id < b.id ? -1 : 1)));
});

Deno.test("the unread count stays exact while two processes write and read messages", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await withTwoProcesses("tests/sweep/server.ts", app, async (urls) => {
    const call = (n: number, method: string, path: string, body?: object) =>
      send(`${urls[n % 2]}/v1/notifications${path}`, method, admin.token, body);
    const message = { message: "Hello", notify: { users: [admin.id] } };
    for (let round = 0; round < 8; round++) {
      const { body: { data } } = await call(round, "GET", "?show=unread");
      const calls = Array.from(
        { length: 20 },
        (_, n) =>
          n % 4 === 0
            ? call(n + n / 4, "PUT", "/read")
            : n % 4 === 1 && data.length > 0
            ? call(n + (n - 1) / 4, "PUT", `/${data[n % data.length].id}/read`)
            : call(n + round, "POST", "", message),
      );
      for (const { status, text } of await Promise.all(calls)) {
        assert.ok(status === 202 || status === 204, text);
      }
      const { body: { data: left, pagination } } = await call(round, "GET", "?show=unread&per_page=100");
      assert.deepEqual([pagination.total, pagination.unread], [left.length, left.length]);
      const { body: all } = await call(round, "GET", "?per_page=100");
      const unread = all.data.filter(({ read }: { read: boolean }) => !read);
      assert.deepEqual(unread, left.slice(0, unread.length));
    }
    const counted = await app.sql("select total from notification_counts");
    assert.deepEqual(counted, await app.sql("select count(*) as total from notifications"));
  });
});
