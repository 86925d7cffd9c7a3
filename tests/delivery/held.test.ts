/** During a hold nothing leaves the service. After it everything does, except what an operator dropped. */
import assert from "node:assert/strict";
import { formatTimestamp } from "../../src/core/time.ts";
import { sql } from "../../src/db/statements.ts";
import { createCampaign, createConsumer, everybody, listMessages } from "../messages/campaign_world.ts";
import { Refusal } from "../support/smtp.ts";
import { readSources } from "../structure/imports.ts";
import { listArrivals, withPeers } from "./held_world.ts";

const minute = 60_000;

/** Each place that sends something to the outside, with the kind under which a hold lists it, or why it sends nothing. */
const senders: Readonly<Record<string, string>> = {
  "src/delivery/mails/attempt.ts": "mails",
  "src/delivery/notifications/push_attempt.ts": "push messages",
  "src/delivery/webhooks/attempt.ts": "webhook deliveries",
  "src/messages/campaigns/attempt.ts": "campaigns",
  "src/identity/sso/openid.ts": "asks a provider about somebody who signs in",
  "src/messages/letters/make.ts": "reads a picture of a letter",
};

Deno.test("every place that sends something is listed, and asks for the hold or sends nothing", () => {
  const sends = /\b(?:mailer|pusher|fetcher)\.(?:send|post|get)\(|(?<![.\w] ?)fetch\((?!request)/;
  const found = readSources(new URL("../../", import.meta.url))
    .filter(({ path, text }) =>
      path.startsWith("src/") && !path.startsWith("src/platform/") && sends.test(text)
    );
  assert.deepEqual(found.map(({ path }) => path).sort(), Object.keys(senders).sort());
});

Deno.test("during a hold nothing arrives anywhere, and after it everything does", () =>
  withPeers(async ({ app, cause, work, arrived, crm }) => {
    assert.match((await crm("hold"))[0]!, /^Held since 20/);
    await cause("early");
    await work();
    assert.deepEqual(arrived(), []);
    assert.equal((await app.call(null, "GET", "/ready")).status, 200);
    assert.ok(
      app.log.entries.some(({ event, note }) => event === "held" && String(note).includes("crm release")),
    );
    assert.deepEqual((await crm("held")).slice(1).map(withoutTime), [
      "mails: 2 waiting",
      "notifications: 1 waiting",
      "webhook deliveries: 1 waiting",
      "campaigns: 1 waiting",
      "automated communications: 1 waiting",
      "scheduled reports: 1 waiting",
    ]);
    await crm("release");
    await work();
    assert.deepEqual(arrived(), listArrivals("early"));
    assert.deepEqual(await crm("held"), ["Nothing is held."]);
    assert.deepEqual(await crm("release"), ["Nothing is held."]);
  }));

Deno.test("one queue can be held by its name, while all others send", () =>
  withPeers(async ({ app, cause, work, arrived, crm }) => {
    assert.match(
      (await crm("hold", "campaigns"))[0]!,
      /^campaigns: held since 20.*until "crm release campaigns"/,
    );
    await crm("hold", "webhook-deliveries");
    await cause("early");
    await work();
    const waits = (what: string) => /^(webhook|mail: (A c|C)ampaign)/.test(what);
    assert.deepEqual(arrived(), listArrivals("early").filter((what) => !waits(what)));
    assert.deepEqual((await crm("held")).map(withoutTime), [
      "webhook deliveries: held",
      "campaigns: held",
      "webhook deliveries: 1 waiting",
      "campaigns: 1 waiting",
    ]);
    assert.deepEqual((await crm("held", "campaigns")).map(withoutTime), [
      "campaigns: held",
      "campaigns: 1 waiting",
    ]);
    assert.deepEqual(await crm("held", "mails"), ["Nothing is held."]);
    assert.ok(
      app.log.entries.some(({ event, queues }) =>
        event === "held" && String(queues) === "webhook-deliveries,campaigns"
      ),
    );
    await crm("release", "campaigns");
    await work();
    assert.deepEqual(arrived().filter(waits), ["mail: A campaign was sent", "mail: Campaign early"]);
    await crm("release");
    await work();
    assert.deepEqual(arrived(), listArrivals("early"));
  }));

Deno.test("what fell due before a hold can be dropped; only what falls due later is sent then", () =>
  withPeers(async ({ app, admin, cause, work, arrived, crm }) => {
    await crm("hold");
    await cause("early");
    // As if a push message had waited in the backup.
    await app.deps.db.write([
      sql`insert into pushes (notification_seq, device_id, due_at)
        select n.seq, d.id, 0 from notifications n, devices d`,
    ]);
    await work();
    // A restore begins the hold when it is made.
    await app.deps.db.write([sql`update holds set since = ${app.clock.now()}`]);
    assert.deepEqual((await crm("held", "--drop")).slice(1).map(withoutTime), [
      "mails: 2 dropped",
      "notifications: 1 dropped",
      "push messages: 1 dropped",
      "webhook deliveries: 1 dropped",
      "campaigns: 1 dropped",
      "automated communications: 1 dropped",
      "scheduled reports: 1 dropped",
      // It says that the campaign waits for approval again.
      "notifications: 1 waiting",
    ]);
    app.clock.move(1_000);
    await cause("late");
    assert.deepEqual((await crm("held", "--drop"))[1], "Nothing fell due before that.");
    await crm("release");
    await work();
    assert.deepEqual(arrived(), [...listArrivals("late"), "mail: You have a new message"].sort());
    const [campaign] = (await admin.call("GET", "/v1/campaigns?search=Spring")).body.data.slice(-1);
    assert.equal(campaign.approved, false, "it can be approved again");
    assert.deepEqual(
      await app.sql("select status, error from deliveries order by id"),
      [{ status: "failed", error: "Dropped after a restore." }, { status: "delivered", error: null }],
    );
    assert.deepEqual(
      await app.sql("select status, error from correspondences where type = 'email' order by id limit 1"),
      [
        { status: "failed", error: "Dropped after a restore." },
      ],
    );
  }));

Deno.test("what is due after a restore is sent, though it was made or tried before", () =>
  withPeers(async ({ app, cause, work, arrived, crm }) => {
    await crm("hold");
    await cause("early");
    await cause("kept");
    await app.deps.db.write([
      sql`insert into pushes (notification_seq, device_id, due_at)
        select n.seq, d.id, 0 from notifications n, devices d`,
    ]);
    await work();
    const since = app.clock.now();
    const later = since + minute;
    const ofKept =
      sql`(select c.id from cases c join contacts p on p.id = c.contact_id where p.email like 'kept%')`;
    await app.deps.db.write([
      sql`update holds set since = ${since}`,
      sql`update mails set due_at = ${later}, attempts = 1, error = 'later' where about_id in (
        select id from correspondences where subject = 'Letter kept')`,
      sql`update pushes set due_at = ${later}, attempts = 1 where notification_seq in (
        select seq from notifications where message like '%kept%')`,
      sql`update deliveries set due_at = ${later}, attempts = 1 where event_id in (
        select id from outbox where entity_id in ${ofKept})`,
      sql`update campaigns set send_at = ${formatTimestamp(later)} where subject = 'Campaign kept'`,
      sql`update automated_sends set due_at = ${later} where case_id in ${ofKept}`,
      sql`update scheduled_reports set due_at = ${later}, attempts = 1`,
    ]);
    const lines = await crm("held", "--drop");
    assert.deepEqual(lines.filter((line) => line.endsWith("dropped")), [
      "mails: 3 dropped",
      "notifications: 2 dropped",
      "push messages: 1 dropped",
      "webhook deliveries: 1 dropped",
      "campaigns: 1 dropped",
      "automated communications: 1 dropped",
    ]);
    await crm("release");
    await work();
    const reset = "mail: Choose a new password for Wayline CRM";
    assert.deepEqual(arrived(), listArrivals("kept").filter((what) => what !== reset));
  }));

Deno.test("of a campaign that was being sent, only what is tried again after a restore is sent", () =>
  withPeers(async ({ app, admin, smtp, work, crm }) => {
    for (let n = 1; n <= 4; n++) await createConsumer(admin, { email: `c${n}@example.org` });
    smtp.onRecipient = () => {
      throw new Refusal(450, "later");
    };
    const { id } = await createCampaign(admin, everybody);
    await app.idle();
    smtp.onRecipient = () => {};
    const since = app.clock.now();
    assert.ok((await listMessages(admin, id)).every(({ error }) => error.endsWith("450 later")));
    await app.deps.db.write([
      // Two were not tried yet, and a third was in the hands of a sender.
      sql`update campaign_messages set attempts = 0, error = null, due_at = 0 where email in ('c1@example.org',
        'c2@example.org')`,
      sql`update campaign_messages set error = null, due_at = ${since + 5 * minute}
        where email = 'c3@example.org'`,
      sql`insert into holds (id, since) values (1, ${since})`,
    ]);
    assert.deepEqual((await crm("held", "--drop"))[1], "campaigns: 1 dropped");
    assert.deepEqual((await crm("held", "--drop"))[1], "Nothing fell due before that.");
    await crm("release");
    await work();
    assert.deepEqual(smtp.mails.map(({ to }) => to[0]).filter((to) => /^c\d/.test(to!)), ["c4@example.org"]);
    const messages = await listMessages(admin, id);
    assert.deepEqual(messages.map(({ email, status }) => `${email} ${status}`).sort(), [
      "c1@example.org skipped",
      "c2@example.org skipped",
      "c3@example.org skipped",
      "c4@example.org sent",
    ]);
    const { body } = await admin.call("GET", `/v1/campaigns/${id}`);
    assert.deepEqual([body.status, body.total_sent, body.stopped_reason], [
      "sent",
      1,
      "What was due before a restore was left out.",
    ]);
  }));

Deno.test("what waits in a deleted company is dropped too, and is not sent when the company comes back", () =>
  withPeers(async ({ app, company, admin, cause, work, arrived, crm }) => {
    await crm("hold");
    await cause("early");
    await work();
    assert.equal((await admin.call("DELETE", `/v1/companies/${company.id}`)).status, 204);
    await app.deps.db.write([sql`update holds set since = ${app.clock.now()}`]);
    const lines = await crm("held", "--drop");
    for (const kind of ["campaigns", "automated communications", "scheduled reports"]) {
      assert.ok(lines.includes(`${kind}: 1 dropped`), lines.join("\n"));
    }
    assert.equal((await crm("held", "--drop"))[1], "Nothing fell due before that.");
    await crm("company", "restore", String(company.id));
    await crm("release");
    await work();
    // It says that the campaign waits for approval again.
    assert.deepEqual(arrived(), ["mail: You have a new message"]);
  }));

const withoutTime = (line: string) => line.replace(/, the first.*|(?<=: held) since.*/, "");
