import assert from "node:assert/strict";
import { type Actor, startApp, type TestApp } from "../support/app.ts";
import { noContent } from "../../src/core/answer.ts";
import { formatTimestamp } from "../../src/core/time.ts";
import { commit } from "../../src/db/commit.ts";
import type { NotificationDraft } from "../../src/db/notifications.ts";
import { removeOldNotifications } from "../../src/delivery/notifications/expire.ts";
import { runJobs } from "../../src/jobs.ts";
import { createRecord, notesWorld } from "../sales/notes_world.ts";

async function write(from: Actor, message: string, users: number[]) {
  const reply = await from.call("POST", "/v1/notifications", { message, notify: { users } });
  assert.equal(reply.status, 202, reply.text);
}

/** Recipients of the mails, sorted. */
async function recipients(app: TestApp): Promise<string[]> {
  await app.idle();
  return app.mailer.sent.map(({ to }) => to).sort();
}

async function emails(app: TestApp, ...people: Actor[]): Promise<string[]> {
  const ids = JSON.stringify(people.map(({ id }) => id));
  const rows = await app.sql(
    "select email from users where id in (select value from json_each(?)) order by email",
    ids,
  );
  return rows.map(({ email }) => String(email));
}

Deno.test("a notification is mailed right after its change as text and as escaped HTML", async () => {
  await using app = await startApp();
  const { member, friend, customer } = await notesWorld(app);
  const { case_id } = await customer();
  await app.deps.db.write([
    { sql: "update users set last_name = '<b>Byron' where id = ?", args: [member.id] },
  ]);
  await createRecord(member, "/v1/notes", { note: "Secret", case_id, notify: { users: [friend.id] } });
  await app.idle();
  const [mail] = app.mailer.sent;
  assert.deepEqual([mail!.to], await emails(app, friend));
  assert.equal(mail!.subject, "You were mentioned in a note");
  assert.match(mail!.text, /^Ada <b>Byron mentioned you in a note on case 1 \(Cars\)\.\n\nYou can choose/);
  assert.ok(
    mail!.html!.includes(
      "<b>Ada &#60;b&#62;Byron</b> mentioned you in a note on case <b>1</b> (<b>Cars</b>).",
    ),
  );
  assert.equal(app.mailer.sent.length, 1);
  assert.deepEqual(await app.sql("select unsent from notifications"), [{ unsent: 0 }]);
});

Deno.test("the text of a message is in the mail, but not in its subject or the log", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await write(admin, "The password\nis swordfish", [admin.id]);
  await app.idle();
  const [mail] = app.mailer.sent;
  assert.equal(mail!.subject, "You have a new message");
  assert.match(mail!.text, /^The password\nis swordfish\n/);
  assert.ok(mail!.html!.includes("The password<br>is swordfish"));
  assert.ok(!JSON.stringify(app.log.entries).includes("swordfish"));
});

Deno.test("a user without mail, or without mail of a type, still gets the notification", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [all, none, notThese, unlisted] = [
    await company.user(),
    await company.user(),
    await company.user(),
    await company.user(),
  ];
  const put = async (who: Actor, path: string, body: object) =>
    assert.equal((await who.call("PUT", path, body)).status, 200);
  await put(none, `/v1/companies/${company.id}/users/${none.id}`, { email_notifications: false });
  await put(notThese, "/v1/notifications/preferences", { types: { custom: { mail: false } } });
  await put(unlisted, "/v1/notifications/preferences", {
    types: { custom: { app: false }, note: { mail: false } },
  });
  await write(admin, "Hello", [all.id, none.id, notThese.id, unlisted.id]);
  assert.deepEqual(await recipients(app), await emails(app, all, unlisted));
  for (const who of [all, none, notThese]) {
    assert.equal((await who.call("GET", "/v1/notifications")).body.pagination.unread, 1);
  }
});

Deno.test("a lost wake loses nothing: simultaneous jobs mail every notification once", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const deps = { ...app.deps, wakeNotifications: () => {}, wakeMails: () => {} };
  const people: Actor[] = [];
  for (let i = 0; i < 7; i++) people.push(await company.user());
  // Many more than a step takes.
  for (let i = 0; i < 40; i++) {
    await app.deps.db.write([{
      sql:
        "insert into notifications (id, company_id, user_id, type, sender_id, data, message, unsent, created_at) " +
        "select lower(hex(randomblob(16))), u.company_id, u.id, 'custom', ?, '{}', 'Hello', 1, '2026-03-02 09:00:00' " +
        "from users u where u.id in (select value from json_each(?))",
      args: [admin.id, JSON.stringify(people.map(({ id }) => id))],
    }]);
  }
  const failed = await Promise.all([1, 2, 3].map(() => runJobs(deps, app.clock.now())));
  assert.deepEqual(failed, [[], [], []]);
  const each = await emails(app, ...people);
  assert.deepEqual(await recipients(app), each.flatMap((email) => Array.from({ length: 40 }, () => email)));
});

Deno.test("a deleted user receives no waiting mail and loses devices, choices and notifications", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [leaving, staying] = [await company.user(), await company.user()];
  for (const who of [leaving, staying]) {
    assert.equal((await who.call("POST", `/v1/notifications/devices/d${who.id}`)).status, 204);
    const types = { note: { push: false } };
    assert.equal((await who.call("PUT", "/v1/notifications/preferences", { types })).status, 200);
  }
  await write(admin, "Before", [leaving.id, staying.id]);
  assert.equal((await leaving.call("PUT", "/v1/notifications/read")).status, 204);
  await app.idle();
  app.mailer.sent.length = 0;
  await app.deps.db.write([{ sql: "update notifications set unsent = 1", args: [] }]);
  const path = `/v1/companies/${company.id}/users/${leaving.id}`;
  assert.equal((await admin.call("DELETE", path)).status, 204);
  const owners = async (table: string) =>
    (await app.sql(`select distinct user_id from ${table} order by user_id`)).map(({ user_id }) => user_id);
  for (const table of ["devices", "notification_preferences"]) {
    assert.deepEqual(await owners(table), [staying.id], table);
  }
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  assert.deepEqual(await recipients(app), await emails(app, staying));
  for (const table of ["notifications", "notification_counts"]) {
    assert.deepEqual(await owners(table), [staying.id], table);
  }
  assert.deepEqual(await owners("notification_reads"), []);
  assert.deepEqual(await app.sql("pragma foreign_key_check"), []);
});

Deno.test("an unlisted notification is removed two days after sending; a listed one stays", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const other = await company.user();
  const types = { custom: { app: false } };
  assert.equal((await admin.call("PUT", "/v1/notifications/preferences", { types })).status, 200);
  await write(admin, "Hello", [admin.id, other.id]);
  await app.idle();
  const readLeft = async (later: number) => {
    app.clock.move(later);
    assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    return (await app.sql("select user_id from notifications order by user_id")).map(({ user_id }) =>
      user_id
    );
  };
  const twoDays = 2 * 24 * 3_600_000;
  assert.deepEqual(await readLeft(twoDays - 1), [admin.id, other.id]);
  assert.deepEqual(await readLeft(1), [other.id]);
  const unsent = { ...app.deps, wakeNotifications: () => {} };
  const now = app.clock.now();
  const notifications: NotificationDraft[] = [
    { type: "custom", to: [{ users: [admin.id] }], data: { user: null }, message: "Late" },
  ];
  const author = { deps: unsent, now, at: formatTimestamp(now) };
  await commit(author, { statements: [], answer: noContent, companyId: company.id, notifications });
  assert.equal(await removeOldNotifications(app.deps, now + 2 * twoDays), 0);
});

Deno.test("users of a deleted company receive no waiting mail, and all of it is erased", async () => {
  await using app = await startApp({ ERASE_AFTER: "0" });
  const company = await app.company();
  const { admin } = company;
  await useAll(admin, app);
  await app.idle();
  app.mailer.sent.length = 0;
  await app.deps.db.write([{ sql: "update notifications set unsent = 1", args: [] }]);
  assert.equal((await admin.call("DELETE", `/v1/companies/${company.id}`)).status, 204);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  assert.deepEqual(await recipients(app), []);
  app.clock.move(60_000);
  assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
  const tables = [
    "notifications",
    "notification_counts",
    "notification_reads",
    "notification_preferences",
    "devices",
  ];
  for (const table of tables) assert.deepEqual(await app.sql(`select 1 from ${table}`), [], table);
});

/** Leaves a row in every table of notifications. */
async function useAll(admin: Actor, app: TestApp) {
  await write(admin, "Hello", [admin.id]);
  await app.idle();
  const calls: [string, string, object?][] = [
    ["POST", "/devices/d"],
    ["PUT", "/preferences", { types: { note: { mail: false } } }],
    ["PUT", "/read"],
  ];
  for (const [method, path, body] of calls) {
    assert.ok((await admin.call(method, `/v1/notifications${path}`, body)).status < 300, path);
  }
}
