/**
 * What acts later, by the program: queues, jobs, kinds of staged work and mails. For each this says whose right counts
 * at that moment, and which test takes it away in between; or why nobody's does.
 */
import assert from "node:assert/strict";
import { resolveGiven } from "../../src/contributions.ts";
import { deliverReports } from "../../src/insight/scheduled/deliver.ts";
import { features } from "../../src/features.ts";
import { runJobs } from "../../src/jobs.ts";
import { MailFailed } from "../../src/platform/mail/mail.ts";
import { stagedKinds } from "../../src/staged_kinds.ts";
import { makeScene, scheduleReport } from "../insight/scheduled_scene.ts";
import { nameFields } from "../sales/leads_world.ts";
import { readSources } from "../structure/imports.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";

/** Tests that take a right, a team or the user away in between: file and title. */
type Shown = readonly (readonly [file: string, title: string])[];
/** A text: why nobody's right counts. */
type Acts = Readonly<Record<string, string | Shown>>;

const here = "tests/proofs/acting_later.test.ts";
const carriesOn = "carries on a change that was decided, and committed in part, when it was called";
const tidies = "tidies up by time";
const computed = "computes the company's own rows from others; readers are judged when they read";

const jobs: Acts = {
  endInTime: tidies,
  reportHold: "shows operators what waits",
  removeUnusedConstants: tidies,
  removeExpired: tidies,
  removeObjects: tidies,
  forgetWords: tidies,
  beginErasures: "an erasure was decided when the company was deleted; operators bring it back",
  indexTexts: computed,
  escalateDue: "a timer of the lead type; nobody makes it",
  indexLeads: computed,
  hideExpired: "the lead's own date",
  announceOverdueTasks: [[
    "tests/delivery/notification_mails.test.ts",
    "a deleted user receives no waiting mail",
  ]],
  startCampaigns: [[
    "tests/messages/answerable.test.ts",
    "a campaign whose user may not send any more is a draft",
  ]],
  sendCampaigns: [[
    "tests/messages/answerable.test.ts",
    "a campaign is stopped while it is sent when its user",
  ]],
  makeLetters: [[
    "tests/messages/answerable.test.ts",
    "a campaign is stopped while it is sent when its user",
  ]],
  queueAutomated: [["tests/messages/answerable.test.ts", "an automated e-mail leaves out what the user"]],
  makeExports: [
    ["tests/insight/exports.test.ts", "an export has the figures of its call by the rights of its caller"],
    ["tests/insight/exports.test.ts", "exports and their files end after 30 days, and before with a deleted"],
  ],
  removeOldExports: tidies,
  beginFiles: [[
    "tests/integration/exports.test.ts",
    "rights and visibility are judged again when the file is written",
  ]],
  removeOldRecordExports: tidies,
  forgetImports: tidies,
  deliverReports: [
    ["tests/insight/scheduled_failures.test.ts", "a maker that loses the right is notified once"],
    ["tests/insight/scheduled_failures.test.ts", "a report of a deleted user says so"],
    [here, "a report shows what its maker sees at that moment"],
  ],
  playFacts: computed,
  rollUpFacts: computed,
  awardRanks: computed,
  sendDueMails: [[here, "mail that informs a user is not sent to who was deleted"]],
  fanOutNotifications: [[
    "tests/delivery/notification_mails.test.ts",
    "a deleted user receives no waiting mail",
  ]],
  sendDuePushes: [
    ["tests/delivery/pushes.test.ts", "messages waiting for a device that changes its user or is removed"],
    ["tests/delivery/notification_mails.test.ts", "a deleted user receives no waiting mail"],
  ],
  removeOldNotifications: tidies,
  dateBack: "repairs what a clock that was ahead has written",
  continueRecoveries: "deliveries are those of events whose record the subscription's user saw then",
  deliverDue: [
    ["tests/delivery/visibility.test.ts", "an event goes only to subscriptions of users who may GET"],
    [
      "tests/identity/user_successor.test.ts",
      "events that waited for the webhook of a deleted user are not sent",
    ],
  ],
  pauseFailing: tidies,
  removeOldDeliveries: tidies,
  forgetMerges: tidies,
};

const staged: Acts = {
  reindex: computed,
  user_reassignment: carriesOn,
  team_reassignment: carriesOn,
  account_removal: carriesOn,
  file_detachment: carriesOn,
  field_values: carriesOn,
  case_removal: carriesOn,
  files_of_cases: carriesOn,
  folder_removal: carriesOn,
  group_files: carriesOn,
  campaign_recipients: [["tests/messages/answerable.test.ts", "a campaign whose user may not send any more"]],
  campaign_tasks: [[
    "tests/messages/campaign_calls.test.ts",
    "calls go to users who see the contact at that moment",
  ]],
  campaign_stop: carriesOn,
  import: [[
    "tests/integration/imports_reading.test.ts",
    "an import ends when its maker loses the right or goes",
  ]],
  import_keys: tidies,
  merge: carriesOn,
  merge_undo: carriesOn,
  order_deliveries: carriesOn,
  release_deliveries: carriesOn,
  company_erasure: carriesOn,
};

/** What waits for a later call of its own. */
const calls: Acts = {
  "kept answers": [["tests/http/idempotency.test.ts", "a replay needs valid access: 401 and 403 come first"]],
  "sessions": [["tests/console/sessions.test.ts", "a new password, a deleted user and a deleted company"]],
  "tokens": [["tests/http/ended_callers.test.ts", "a caller who is deleted or loses a right"]],
  "shared views": [[
    "tests/console/views.test.ts",
    "what a view names that is removed stops it; a removed owner",
  ]],
  "undo of a merge": [[here, "the undo of a merge asks for the right and for both records again"]],
};

Deno.test("every job and kind of staged work says whose right counts when it acts, or why nobody's does", () => {
  const known = features.flatMap(({ jobs }) =>
    jobs ? Object.values(resolveGiven(jobs)).flatMap((phase) => Object.keys(phase)) : []
  );
  assert.deepEqual(known.toSorted(), Object.keys(jobs).sort());
  assert.deepEqual(stagedKinds.map(({ kind }) => kind).sort(), Object.keys(staged).sort());
});

Deno.test("the tests that take a right away in between exist", () => {
  const missing = [jobs, staged, calls].flatMap((acts) => Object.values(acts))
    .flatMap((act) => typeof act === "string" ? [] : act)
    .filter(([file, title]) =>
      !Deno.readTextFileSync(new URL(`../../${file}`, import.meta.url)).includes(`"${title}`)
    );
  assert.deepEqual(missing, []);
});

Deno.test("the queues of later work are those of the jobs", () => {
  const queues = readSources(new URL("../../", import.meta.url))
    .filter(({ path, text }) => path.startsWith("src/") && /new Loop\(/.test(text)).map(({ path }) => path);
  assert.deepEqual(queues.toSorted(), [
    "src/delivery/mails/send.ts",
    "src/delivery/notifications/send.ts",
    "src/delivery/webhooks/sender.ts",
    "src/insight/exports/make.ts",
    "src/insight/scheduled/deliver.ts",
    "src/integration/exports/make.ts",
    "src/messages/campaigns/make_letters.ts",
    "src/messages/campaigns/send.ts",
  ]);
});

const hour = 3_600_000;
const day = 24 * hour;

async function done(reply: Promise<{ status: number; text: string; body: Body }>): Promise<Body> {
  const { status, text, body } = await reply;
  assert.ok(status < 300, text);
  return body;
}

/** Lets the mail server fail until the returned function is called. */
function serverDown({ mailer }: TestApp): () => void {
  const send = mailer.send.bind(mailer);
  mailer.send = () => Promise.reject(new MailFailed("The mail server is down.", "server"));
  return () => void (mailer.send = send);
}

Deno.test("mail that informs a user is not sent to who was deleted while the mail server was down", async () => {
  await using app = await startApp();
  const { company, admin, colleague, set } = await makeScene(app);
  const staying = await company.user();
  const up = serverDown(app);
  const report = await scheduleReport(admin, set, [colleague.id, staying.id]);
  await done(admin.call("POST", `/v1/reports/scheduled/${report.id}/send`));
  await done(admin.call("POST", "/v1/notifications", {
    message: "Secret",
    notify: { users: [colleague.id, staying.id] },
  }));
  await app.idle();
  await runJobs(app.deps, app.clock.now());
  const [{ n }] = await app.sql("select count(*) as n from mails where status = 'pending'") as [Body];
  assert.equal(n, 4);
  const [{ email }] = await app.sql("select email from users where id = ?", staying.id) as [Body];
  await done(admin.call("DELETE", `/v1/companies/${company.id}/users/${colleague.id}`));
  up();
  app.clock.move(hour);
  await runJobs(app.deps, app.clock.now());
  assert.deepEqual(app.mailer.sent.map(({ to }) => to), [email, email]);
  assert.deepEqual(await app.sql("select 1 from mails"), []);
});

Deno.test("a report shows what its maker sees at that moment", async () => {
  await using app = await startApp();
  const { company, admin, set, team } = await makeScene(app);
  const other = await company.team();
  const maker = await company.user({ type: "admin", teams: [team] });
  await done(admin.call("PUT", `/v1/reports/indicator-sets/${set}`, { scope: "company" }));
  const report = await scheduleReport(maker, set, [admin.id], { delivery_frequency: "day" });
  const createRole = (rights: string[]) => done(admin.call("POST", "/v1/roles", { name: "Reports", rights }));
  const { id: role } = await createRole(["reports.view", "reports.schedule"]);
  const createAccounts = async () => {
    app.clock.move(day);
    await done(
      admin.call("POST", "/v1/accounts", { team_id: other, fixed_fields: nameFields({ name: "Next" }) }),
    );
    app.clock.move(day);
    await deliverReports(app.deps, app.clock.now());
    const [last] = await app.sql("select data from report_deliveries order by id desc limit 1") as [Body];
    return JSON.parse(last.data);
  };
  const before = JSON.stringify(await createAccounts());
  assert.match(before, /"accounts\.b2b\.created","value":1/);
  await done(
    admin.call("PUT", `/v1/companies/${company.id}/users/${maker.id}`, {
      user_type: { id: 3 },
      role_ids: [role],
    }),
  );
  const after = JSON.stringify(await createAccounts());
  assert.match(after, /"accounts\.b2b\.created","value":0/);
  assert.equal((await maker.call("GET", `/v1/reports/scheduled/${report.id}`)).status, 200);
});

Deno.test("the undo of a merge asks for the right and for both records again", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [near, far] = [await company.team(), await company.team()];
  const who = await company.user({
    type: "team_admin",
    teams: [near, far],
    rights: ["customers.update", "customers.delete", "customers.merge"] as never,
  });
  const account = (team_id: number) =>
    done(admin.call("POST", "/v1/accounts", { team_id, fixed_fields: nameFields({ name: "Works" }) }));
  const [into, from] = [await account(near), await account(far)];
  await done(who.call("POST", `/v1/accounts/${into.id}/merge`, { from_id: from.id }));
  const [merge] = (await done(who.call("GET", "/v1/merges"))).data;
  const undo = (by: Actor) => by.call("POST", `/v1/merges/${merge.id}/undo`);
  const change = (body: Body) => done(admin.call("PUT", `/v1/companies/${company.id}/users/${who.id}`, body));
  await change({ team_ids: [far] });
  assert.equal((await undo(who)).status, 404);
  await change({ team_ids: [near, far], role_ids: [] });
  assert.equal((await undo(who)).status, 403);
  await done(undo(admin));
});
