import assert from "node:assert/strict";
import { noContent } from "../../src/core/answer.ts";
import { Stale } from "../../src/core/errors.ts";
import { formatTimestamp } from "../../src/core/time.ts";
import { type Change, commit } from "../../src/db/commit.ts";
import type { NotificationDraft } from "../../src/db/notifications.ts";
import { sql, update } from "../../src/db/statements.ts";
import { devices, notificationPreferences } from "../../src/delivery/notifications/table.ts";
import { insert } from "../../src/db/statements.ts";
import { users } from "../../src/identity/users/record.ts";
import { guardThat } from "../../src/platform/database/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { notesWorld } from "../sales/notes_world.ts";

const message = "Hello";

/** Commits a change with notifications, as a timer of the company would. */
async function report(
  app: TestApp,
  companyId: number,
  notifications: NotificationDraft[],
  change: Partial<Change> = {},
) {
  const now = app.clock.now();
  const author = { deps: app.deps, now, at: formatTimestamp(now) };
  await commit(author, { statements: [], answer: noContent, companyId, notifications, ...change });
}

/** Returns the number of notifications by user. */
async function countReached(app: TestApp): Promise<Record<number, unknown>> {
  const rows = await app.sql("select user_id, count(*) as n from notifications group by user_id");
  return Object.fromEntries(rows.map(({ user_id, n }) => [user_id, n]));
}

function custom(to: NotificationDraft["to"], except?: number): NotificationDraft {
  return { type: "custom", to, data: { user: null }, message, except };
}

Deno.test("a notice reaches users and members of teams once each, except deleted, excluded and other companies' users", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [north, south] = [await company.team(), await company.team()];
  const [one, two, both, apart, gone] = [
    await company.user({ teams: [north] }),
    await company.user({ teams: [south] }),
    await company.user({ teams: [north, south] }),
    await company.user(),
    await company.user({ teams: [north] }),
  ];
  await app.deps.db.write([update(users, { deleted_at: "2026-01-01 00:00:00" }, { id: gone.id })]);
  const other = await app.company("Other");
  const theirs = await other.team();
  const stranger = await other.user({ teams: [theirs] });
  await report(app, company.id, [
    custom([{ users: [apart.id, both.id, stranger.id, gone.id, apart.id] }, {
      teams: [north, south, theirs],
    }], two.id),
  ]);
  assert.deepEqual(await countReached(app), { [one.id]: 1, [both.id]: 1, [apart.id]: 1 });
  await report(app, company.id, [custom([]), custom([{ users: [] }, { teams: [] }])]);
  await report(app, company.id, [custom([{ users: [one.id] }]), custom([{ users: [one.id] }])]);
  assert.deepEqual(await countReached(app), { [one.id]: 3, [both.id]: 1, [apart.id]: 1 });
  const ids = await app.sql("select id from notifications");
  assert.equal(new Set(ids.map(({ id }) => id)).size, 5);
  for (const { id } of ids) {
    assert.match(String(id), /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  }
});

Deno.test("a notice to an agency team reaches its members with the right agency, including admins; without a team, all of the company", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [agency, elsewhere] = [await company.team(), await company.team()];
  const agent = await company.user({ teams: [agency], rights: ["agency"] });
  const chief = await company.user({ teams: [agency], type: "admin" });
  const distant = await company.user({ teams: [elsewhere], rights: ["agency", "leads.delete"] });
  await company.user({ teams: [agency], rights: ["leads.delete"] });
  const other = await app.company("Other");
  await other.user({ rights: ["agency"] });
  await report(app, company.id, [custom([{ agencyOf: agency }])]);
  assert.deepEqual(await countReached(app), { [agent.id]: 1, [chief.id]: 1 });
  await report(app, company.id, [custom([{ agencyOf: null }])]);
  assert.deepEqual(await countReached(app), {
    [agent.id]: 2,
    [chief.id]: 2,
    [distant.id]: 1,
    [company.admin.id]: 1,
  });
});

Deno.test("a notice shows its records as they are after the change", async () => {
  await using app = await startApp();
  const { company, admin, member, north, customer } = await notesWorld(app);
  const { case_id } = await customer();
  const paths = (await admin.call("GET", "/v1/relations-paths")).body.data;
  const type = await admin.call("POST", "/v1/lead-types", {
    name: "Test drive",
    relations_path_ids: [paths[0].id],
  });
  assert.equal(type.status, 201, type.text);
  const lead_type = { id: type.body.id };
  const to = [{ users: [member.id] }];
  const task = { id: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a004" };
  const lead = { id: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a005" };
  const shown = { id: case_id, case_number: 1, relations_path_name: "Vans" };
  const user = { id: admin.id };
  await report(app, company.id, [
    { type: "task_assigned", to, data: { user, case: { id: case_id }, task } },
    { type: "overdue_task", to, data: { case: { id: case_id }, task } },
    { type: "lead_accepted", to: [{ teams: [north] }], data: { case: { id: case_id }, lead, lead_type } },
    { type: "case_owner", to, data: { user, case: { id: case_id } } },
  ], { statements: [{ sql: "update relations_paths set name = 'Vans' where id = ?", args: [paths[0].id] }] });
  const rows = await app.sql(
    "select type, sender_id, data from notifications where user_id = ? order by seq",
    member.id,
  );
  assert.deepEqual(rows.map(({ type, sender_id, data }) => [type, sender_id, JSON.parse(String(data))]), [
    ["task_assigned", admin.id, { case: shown, task }],
    ["overdue_task", null, { case: shown, task }],
    ["lead_accepted", null, { lead, lead_type: { ...lead_type, name: "Test drive" }, case: shown }],
    ["case_owner", admin.id, { case: shown }],
  ]);
});

Deno.test("notifications are stored in the commit of their change, or not at all", async () => {
  await using app = await startApp();
  const { id, admin } = await app.company();
  const statements = [guardThat("never", sql`1 = 0`)];
  await assert.rejects(report(app, id, [custom([{ users: [admin.id] }])], { statements }), Stale);
  assert.deepEqual(await countReached(app), {});
});

Deno.test("a user who disables a way or a type gets no such notification; other users and types keep theirs", async () => {
  await using app = await startApp();
  const company = await app.company();
  const people: number[] = [];
  const wishes = [null, [0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 1], [0, 0, 1]] as const;
  for (const wish of wishes) {
    const { id: user_id } = await company.user();
    people.push(user_id);
    if (wish === null) continue;
    const [app_, mail, push] = wish;
    await app.deps.db.write([
      insert(notificationPreferences, { user_id, type: "custom", app: app_, mail, push }),
    ]);
  }
  await report(app, company.id, [custom([{ users: people }])]);
  const found = await app.sql(
    "select user_id, unsent, expires_at is null as listed from notifications order by user_id",
  );
  assert.deepEqual(
    found.map(({ user_id, unsent, listed }) => [people.indexOf(Number(user_id)), unsent, listed]),
    [
      [0, 1, 1],
      [2, 1, 0],
      [3, 0, 1],
      [4, 1, 1],
    ],
  );
  const counts = await app.sql("select user_id, total, unread from notification_counts order by user_id");
  assert.deepEqual(counts, [0, 3, 4].map((index) => ({ user_id: people[index], total: 1, unread: 1 })));
});

Deno.test("push is queued only for users who want it and have a device, mail only for users who accept mail", async () => {
  const fcmServiceAccount = JSON.stringify({
    project_id: "p",
    client_email: "e@example.org",
    private_key: "PRIVATE KEY",
  });
  await using app = await startApp({ FCM_SERVICE_ACCOUNT: fcmServiceAccount });
  const company = await app.company();
  const [bare, owner, silent] = [await company.user(), await company.user(), await company.user()];
  const device = { type: "iOS", created_at: "2026-01-01 00:00:00" };
  await app.deps.db.write([
    insert(devices, { ...device, token: "a", user_id: owner.id }),
    insert(devices, { ...device, token: "b", user_id: silent.id }),
    insert(notificationPreferences, { user_id: silent.id, type: "custom", app: 1, mail: 1, push: 0 }),
    update(users, { email_notifications: 0 }, { id: bare.id }),
  ]);
  await report(app, company.id, [custom([{ users: [bare.id, owner.id, silent.id] }])]);
  const found = await app.sql("select unsent from notifications order by user_id");
  assert.deepEqual(found.map(({ unsent }) => unsent), [0, 3, 1]);
});
