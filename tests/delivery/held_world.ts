/** A company that has caused one thing of each kind that leaves the service, and the peers at which they arrive. */
import assert from "node:assert/strict";
import { crm } from "../../src/cli/crm.ts";
import { runJobs } from "../../src/jobs.ts";
import { makeSmtpMailer } from "../../src/platform/mail/smtp.ts";
import { makeScene, scheduleReport } from "../insight/scheduled_scene.ts";
import { act, createCase, makeCommunication, makeDefinition, makeRoad } from "../messages/automated_world.ts";
import { createCampaign, everybody, postRecord, put } from "../messages/campaign_world.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { startFcm } from "../support/fcm.ts";
import { startTarget } from "../support/listener.ts";
import { startSmtp } from "../support/smtp.ts";

const hour = 3_600_000;

type HeldWorld = Awaited<ReturnType<typeof makeWorld>>;

export async function withPeers(test: (world: HeldWorld) => Promise<void>): Promise<void> {
  await using smtp = await startSmtp();
  await using fcm = await startFcm();
  await using app = await startApp({ ...fcm.env, MAIL_RATE: "0" });
  fcm.now = () => app.clock.now();
  const mailer = makeSmtpMailer({ url: smtp.url, from: "crm@example.com", pool: true });
  app.mailer.send = mailer.send;
  const target = startTarget();
  try {
    await test(await makeWorld(app, { smtp, fcm, target }));
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

async function makeWorld(app: TestApp, { smtp, fcm, target }: Peers) {
  const { company, admin, set } = await makeScene(app);
  const client = await app.trustedClient();
  await put(admin, "/v1/campaigns/settings", { domain_slug: "cars" });
  const reader = await company.user();
  assert.equal((await reader.call("POST", "/v1/notifications/devices/d:1", { type: "iOS" })).status, 204);
  const thanks = makeDefinition({
    communications: [makeCommunication({ subject: "Thanks {{contact.first_name}}" })],
  });
  const { id } = await postRecord(admin, "/v1/automated-communications", thanks);
  const road = await makeRoad(admin, [id]);
  await postRecord(admin, "/v1/webhooks", { target_url: target.url, webhook_event: "case_created" });
  const report = await scheduleReport(admin, set, [admin.id]);
  const [found] = await app.sql("select email from users where id = ?", reader.id);
  const address = String(found!.email);

  /** Causes one thing of each kind, which says `name` where it can. */
  async function cause(name: string): Promise<void> {
    const email = `${name}@example.org`;
    const { id: caseId } = await createCase(admin, road, { values: { first_name: name, email } });
    assert.equal((await app.call(client, "POST", "/v1/reset-password", { email: address })).status, 204);
    await postRecord(reader, "/v1/notifications", {
      message: `Hello ${name}`,
      notify: { users: [reader.id] },
    });
    await act(admin, road, caseId, ["Drive"], {
      correspondence: { email: { subject: `Letter ${name}`, content: "<p>x</p>", send: true } },
    });
    const filter = [{ field: "contact.first_name", operator: "eq", value: name }];
    await createCampaign(admin, {
      ...everybody,
      filter,
      message: { ...everybody.message, subject: `Campaign ${name}` },
    });
    await postRecord(admin, `/v1/reports/scheduled/${report.id}/send`, {});
  }

  return {
    app,
    company,
    admin,
    smtp,
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
        ...target.received.map(({ text }) => `webhook: ${/early|kept|late/.exec(text)?.[0]}`),
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

/** What `cause` makes arrive, sorted. */
export function listArrivals(name: string): string[] {
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
