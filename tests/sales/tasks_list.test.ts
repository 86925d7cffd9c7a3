import assert from "node:assert/strict";
import { announceOverdueTasks } from "../../src/sales/tasks/task_timer.ts";
import { taskStatuses } from "../../src/sales/tasks/record.ts";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { takeSample } from "../support/sample.ts";
import { newCase } from "./parts.ts";
import { makeScene, plan, type Scene } from "./tasks_world.ts";

const hour = 3_600_000;
const day = 24 * hour;

/** A created task, and the users who see it. */
interface Known {
  readonly id: string;
  readonly case: string;
  readonly user: number;
  readonly type: string;
  readonly start: string;
  readonly end: string;
  readonly own: boolean;
  done: boolean;
}

const types = ["email", "call", "meeting", "remind_me", "letter"];

/**
 * Tasks of many lengths around the present, in cases of the member's team, of another team, and of no team.
 */
async function fill({ company, member, team, path }: Scene): Promise<Known[]> {
  const { admin } = company;
  const other = await company.team();
  const stranger = await company.user({ teams: [other] });
  const places = [
    { by: member, own: true, more: { team_id: team } },
    { by: stranger, own: false, more: { team_id: other } },
    { by: admin, own: true, more: { team_id: null } },
  ];
  const known: Known[] = [];
  for (const { by, own, more } of places) {
    for (let n = 0; n < 2; n++) {
      const made = await newCase(by, path, more);
      for (let index = 0; index < 6; index++) {
        const turn = known.length;
        const start = `2026-03-0${1 + (turn * 5) % 7} ${10 + turn % 3}:00:00`;
        const end = `2026-03-${["0", "1", "2"][turn % 3]}${8 + turn % 2} 12:00:00`;
        const times = { start_at: start, end_at: index === 5 ? start : end };
        const task = await plan(by, path, made.id, { ...times, type: types[turn % types.length] });
        const done = turn % 4 === 3;
        if (done) await by.call("PUT", `/v1/tasks/${task.id}`, { completed: true });
        known.push({
          id: task.id,
          case: made.id,
          user: by.id,
          type: task.type,
          start: task.start_at,
          end: task.end_at,
          own,
          done,
        });
      }
    }
  }
  return known;
}

function statusAt({ done, start, end }: Known, at: string): string {
  if (done) return "completed";
  if (end < at) return "overdue";
  return start > at ? "later" : "pending";
}

/** Follows the list to its end in small pages, and checks the total of each. */
async function walk(by: Actor, query: string): Promise<Body[]> {
  const found: Body[] = [];
  let next: string | null = `/v1/tasks?per_page=4&${query}`;
  let total = -1;
  for (let page = 1; next; page++) {
    assert.ok(page <= 100, "the walk does not end");
    const reply = await by.call("GET", next.replace(/^http:\/\/[^/]+/, ""));
    assert.equal(reply.status, 200, reply.text);
    found.push(...reply.body.data);
    total = reply.body.pagination.total;
    next = reply.body.pagination.urls.next;
  }
  assert.equal(total, found.length, `the total of ?${query}`);
  return found;
}

Deno.test("tasks are listed by start, and each filter returns and counts its tasks at any time of the clock", async () => {
  await using app = await startApp();
  const all = await makeScene(app);
  const { company, team, member } = all;
  const known = await fill(all);
  const at = () => new Date(app.clock.now()).toISOString().slice(0, 19).replace("T", " ");
  const compare = async (by: Actor, query: string, holds: (task: Known) => boolean) => {
    const seen = known.filter((task) => by === company.admin || task.own).filter(holds);
    const key = ({ start, id }: Known) => `${start} ${id}`;
    const ids = seen.toSorted((one, two) => (key(one) < key(two) ? -1 : 1)).map(({ id }) => id);
    const found = await walk(by, query);
    assert.deepEqual(found.map(({ id }) => id), ids, `${at()} ?${query}`);
    for (const { id, status } of found) {
      assert.equal(status, statusAt(known.find((task) => task.id === id)!, at()), query);
    }
    // The numbers are of all statuses; the query's narrow them by nothing else.
    const others = query.split("&").filter((part) => !part.startsWith("status=")).join("&");
    const { statuses, pagination } = (await by.call("GET", `/v1/tasks?per_page=1&${query}`)).body;
    const { all, ...each } = statuses;
    assert.equal(pagination.total, ids.length);
    assert.equal(all, Object.values<number>(each).reduce((sum, n) => sum + n, 0), query);
    if (others === query) {
      assert.deepEqual(
        each,
        Object.fromEntries(taskStatuses.map((status) => [
          status,
          seen.filter((task) => statusAt(task, at()) === status).length,
        ])),
        query,
      );
    } else {
      const without = (await by.call("GET", `/v1/tasks?per_page=1&${others}`)).body.statuses;
      assert.deepEqual(statuses, without, query);
    }
    if (by === member && /^(status=[a-z,]+(&types=call)?)?$/.test(query)) {
      const ending = ({ end, id }: Known) => `${end} ${id}`;
      const ends = seen.toSorted((one, two) => (ending(one) < ending(two) ? -1 : 1)).map(({ id }) => id);
      assert.deepEqual((await walk(by, `${query}&sort=end_at`)).map(({ id }) => id), ends, query);
      const back = await walk(by, `${query}&sort=-end_at`);
      assert.deepEqual(back.map(({ id }) => id), ends.toReversed(), query);
    }
    const down = await walk(by, `${query}&sort=-start_at`);
    assert.deepEqual(down.map(({ id }) => id), ids.toReversed(), `${at()} ?${query}&sort=-start_at`);
  };
  const [one, two] = [known[0]!.case, known[7]!.case];
  const between = (from: string, to: string) => ({
    query: new URLSearchParams({ start_at: from, end_at: to }).toString(),
    holds: ({ start, end }: Known) => start <= to && end >= from,
  });
  const early = between("2026-03-05 00:00:00", "2026-03-07 00:00:00");
  // Tasks of about the same length end right before, and exactly at its start.
  const late = between("2026-03-09 12:00:00", "2026-03-12 00:00:00");
  const brief = between("2026-03-02 10:00:00", "2026-03-02 10:00:01");
  for (const step of [0, 3 * day, 2 * day + 3 * hour, 5 * day, 30 * day]) {
    app.clock.move(step);
    for (const by of [company.admin, member]) {
      const soon = (task: Known) => ["overdue", "pending"].includes(statusAt(task, at()));
      const filters: [string, (task: Known) => boolean][] = [
        ["", () => true],
        ["show=mine", ({ user }) => user === by.id],
        [`users=${member.id},999999`, ({ user }) => user === member.id],
        [`case_ids=${one},${two}`, (task) => [one, two].includes(task.case)],
        ["types=call,letter", ({ type }) => ["call", "letter"].includes(type)],
        ...[early, late, brief].map(({ query, holds }): typeof filters[number] => [query, holds]),
        ["start_at=2026-03-09%2012:00:00", ({ end }) => end >= "2026-03-09 12:00:00"],
        ["end_at=2026-03-04%2010:00:00", ({ start }) => start <= "2026-03-04 10:00:00"],
        ["status=pending,overdue,pending", soon],
        ["status=overdue,pending&types=call", (task) => soon(task) && task.type === "call"],
        ...taskStatuses.flatMap((status) => {
          const has = (task: Known) => statusAt(task, at()) === status;
          return [
            [`status=${status}`, has],
            [`status=${status}&types=call`, (task) => has(task) && task.type === "call"],
            [`status=${status}&show=mine`, (task) => has(task) && task.user === by.id],
            [`status=${status}&${late.query}`, (task) => has(task) && late.holds(task)],
          ] satisfies typeof filters;
        }),
      ];
      for (const [query, holds] of takeSample(filters)) await compare(by, query, holds);
    }
    const teams = known.filter((task) => task.user === member.id && task.own);
    const shown = await walk(member, "show=team");
    assert.deepEqual(shown.map(({ id }) => id).sort(), teams.map(({ id }) => id).sort());
    assert.deepEqual(await walk(company.admin, "show=team&status=overdue"), [], `${team}`);
  }
});

Deno.test("lists follow the clock of the request, not that of the jobs", async () => {
  await using app = await startApp();
  const all = await makeScene(app);
  const { company, member } = all;
  const known = await fill(all);
  const now = app.clock.now();
  // Some tasks are pending by then, more overdue.
  for (const ahead of [3 * day, 8 * day, 40 * day]) {
    assert.ok(await announceOverdueTasks(app.deps, now + ahead) > 0);
    for (const back of [0, 2 * day]) {
      const at = new Date(now + back).toISOString().slice(0, 19).replace("T", " ");
      app.clock.move(now + back - app.clock.now());
      for (const by of [company.admin, member]) {
        for (const status of taskStatuses) {
          const seen = known.filter((task) => by === company.admin || task.own)
            .filter((task) => statusAt(task, at) === status);
          const found = await walk(by, `status=${status}`);
          assert.deepEqual(
            found.map(({ id }) => id).sort(),
            seen.map(({ id }) => id).sort(),
            `${at} ${status}`,
          );
          assert.deepEqual(found.filter((task) => task.status !== status), []);
        }
      }
    }
  }
});

Deno.test("a task is in the lists of its case's team, and follows the case when the team is deleted", async () => {
  await using app = await startApp();
  const { company, team, member, path } = await makeScene(app);
  const successor = await company.team();
  const inherits = await company.user({ teams: [successor] });
  const made = await newCase(member, path);
  const task = await plan(member, path, made.id);
  assert.deepEqual(await walk(inherits, ""), []);
  const deleted = await company.admin.call("DELETE", `/v1/teams/${team}?assign_to=${successor}`);
  assert.equal(deleted.status, 204, deleted.text);
  for (const query of ["", "status=later", "show=team"]) {
    assert.deepEqual((await walk(inherits, query)).map(({ id }) => id), [task.id], query);
  }
  assert.equal((await inherits.call("GET", `/v1/tasks/${task.id}`)).status, 200);
});

Deno.test("deleting an account removes its tasks from lists and totals", async () => {
  await using app = await startApp();
  const { company, member, path } = await makeScene(app);
  const [gone, stays] = [await newCase(member, path), await newCase(member, path)];
  await plan(member, path, gone.id);
  const { id } = await plan(member, path, stays.id);
  assert.equal((await company.admin.call("DELETE", `/v1/accounts/${gone.account.id}`)).status, 204);
  for (const query of ["", "status=later", "status=pending", "show=mine"]) {
    const ids = query === "status=pending" ? [] : [id];
    assert.deepEqual((await walk(member, query)).map((task) => task.id), ids, query);
  }
});

Deno.test("an invalid filter of tasks is reported", async () => {
  await using app = await startApp();
  const { member } = await makeScene(app);
  const faults = {
    "show=all": ["query.show", "enum"],
    "status=done": ["query.status", "enum"],
    "types=call,lunch": ["query.types", "enum"],
    "users=ada": ["query.users[0]", "type"],
    "case_ids=1": ["query.case_ids[0]", "type"],
    "start_at=now": ["query.start_at", "format"],
    "start_at=2026-03-02%2000:00:00&end_at=2026-03-02%2000:00:00": ["query.end_at", "after"],
    "sort=type": ["query.sort", "enum"],
  };
  for (const [query, [where, code]] of Object.entries(faults)) {
    const { status, body, text } = await member.call("GET", `/v1/tasks?${query}`);
    assert.equal(status, 422, query);
    assert.deepEqual(body.errors.map((error: Body) => [error.path, error.code]), [[where, code]], text);
  }
});
