/** During a hold nothing leaves the service. After it everything does, except what an operator dropped. */
import assert from "node:assert/strict";
import { crm } from "../../src/cli/crm.ts";
import { sql } from "../../src/db/statements.ts";
import { runJobs } from "../../src/jobs.ts";
import { smtpMailer } from "../../src/platform/mail/smtp.ts";
import { scene, scheduled } from "../insight/scheduled_scene.ts";
import { act, caseOf, communication, definition, roadOf } from "../messages/automated_world.ts";
import { campaignOf, everybody, posted, put } from "../messages/campaign_world.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { startFcm } from "../support/fcm.ts";
import { startTarget } from "../support/listener.ts";
import { startSmtp } from "../support/smtp.ts";
import { readSources } from "../structure/imports.ts";

const hour = 3_600_000;

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

async function withPeers(test: (world: Awaited<ReturnType<typeof worldOf>>) => Promise<void>): Promise<void> {
  await using smtp = await startSmtp();
  await using fcm = await startFcm();
  await using app = await startApp({ ...fcm.env, MAIL_RATE: "0" });
  fcm.now = () => app.clock.now();
  const mailer = smtpMailer({ url: smtp.url, from: "crm@example.com", pool: true });
  app.mailer.send = mailer.send;
  const target = startTarget();
  try {
    await test(await worldOf(app, { smtp, fcm, target }));
  } finally {
    await app.idle();
    mailer.close();
    await target.close();
  }
}

interface Peers {
  readonly smtp: Awaited<ReturnType<typeof startSmtp>>;
  readonly fcm: Awaited<ReturnType<typeof startFcm>>;
  readonly target: ReturnType<typeof startTarget>;
}

async function worldOf(app: TestApp, { smtp, fcm, target }: Peers) {
  const { company, admin, set } = await scene(app);
  const client = await app.trustedClient();
  await put(admin, "/v1/campaigns/settings", { domain_slug: "cars" });
  const reader = await company.user();
  assert.equal((await reader.call("POST", "/v1/notifications/devices/d:1", { type: "iOS" })).status, 204);
  const thanks = definition({
    communications: [communication({ subject: "Thanks {{contact.first_name}}" })],
  });
  const { id } = await posted(admin, "/v1/automated-communications", thanks);
  const road = await roadOf(admin, [id]);
  await posted(admin, "/v1/webhooks", { target_url: target.url, webhook_event: "case_created" });
  const report = await scheduled(admin, set, [admin.id]);
  const [found] = await app.sql("select email from users where id = ?", reader.id);
  const address = String(found!.email);

  /** Causes one thing of each kind, which says `name` where it can. */
  async function cause(name: string): Promise<void> {
    const email = `${name}@example.org`;
    const { id: caseId } = await caseOf(admin, road, { values: { first_name: name, email } });
    assert.equal((await app.call(client, "POST", "/v1/reset-password", { email: address })).status, 204);
    await posted(reader, "/v1/notifications", { message: `Hello ${name}`, notify: { users: [reader.id] } });
    await act(admin, road, caseId, ["Drive"], {
      correspondence: { email: { subject: `Letter ${name}`, content: "<p>x</p>", send: true } },
    });
    const filter = [{ field: "contact.first_name", operator: "eq", value: name }];
    await campaignOf(admin, {
      ...everybody,
      filter,
      message: { ...everybody.message, subject: `Campaign ${name}` },
    });
    await posted(admin, `/v1/reports/scheduled/${report.id}/send`, {});
  }

  return {
    app,
    admin,
    cause,
    /** Runs the jobs of a day and a bit. */
    async work() {
      for (let n = 0; n < 3; n++) {
        app.clock.move(9 * hour);
        await app.idle();
        assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
      }
      await app.idle();
    },
    /** Everything that arrived, sorted. */
    arrived: () =>
      [
        ...smtp.mails.map(({ read }) => `mail: ${read.subject}`),
        ...fcm.pushes.map(({ notification }) => `push: ${notification.body}`),
        ...target.received.map(({ text }) => `webhook: ${/early|late/.exec(text)?.[0]}`),
      ].sort(),
    async crm(...args: string[]): Promise<string[]> {
      const lines: string[] = [];
      const env = { DATABASE_URL: `file:${app.file}`, LOG_LEVEL: "off" };
      const out = (line: string) => void lines.push(line);
      const code = await crm(args, env, { out, error: out, ask: () => Promise.reject(new Error("asked")) });
      assert.equal(code, 0, lines.join("\n"));
      return lines;
    },
  };
}

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
    assert.deepEqual(arrived(), all("early"));
    assert.deepEqual(await crm("held"), ["Nothing is held."]);
    assert.deepEqual(await crm("release"), ["Nothing is held."]);
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
    assert.deepEqual(arrived(), [...all("late"), "mail: You have a new message"].sort());
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

/** What `cause` makes arrive, sorted. */
function all(name: string): string[] {
  return [
    "mail: A campaign was sent",
    `mail: Campaign ${name}`,
    "mail: Choose a new password for Wayline CRM",
    `mail: Letter ${name}`,
    `mail: Thanks ${name}`,
    "mail: Weekly sales: 23 February 2026 – 1 March 2026",
    "mail: You have a new message",
    `push: Hello ${name}`,
    `webhook: ${name}`,
  ];
}

const withoutTime = (line: string) => line.replace(/, the first.*/, "");
