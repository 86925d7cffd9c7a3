import assert from "node:assert/strict";
import { sendDueMails } from "../../src/delivery/mails/send.ts";
import { deliverReports } from "../../src/insight/scheduled/deliver.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { makeScene, path, readReports, scheduleReport } from "./scheduled_scene.ts";

const day = 86_400_000;

/** The messages of the notifications of a type that a user has. */
async function notices(by: Actor, type: string): Promise<string[]> {
  const { body } = await by.call("GET", "/v1/notifications");
  return body.data.filter((notice: Body) => notice.type === type).map(({ message }: Body) => message);
}

const readDelivery = async (app: TestApp, by: Actor) => {
  const [report] = await readReports(app);
  return (await by.call("GET", `/v1/reports/deliveries/${report.id}`)).body;
};

Deno.test("without room for files a report comes at once without its PDF, and its maker is notified of the reason", async () => {
  await using app = await startApp({ FILE_QUOTA: "10" });
  const { admin, colleague, set } = await makeScene(app);
  const made = await scheduleReport(admin, set, [colleague.id], { delivery_frequency: "day" });
  app.clock.move(day);
  assert.equal(await deliverReports(app.deps, app.clock.now()), 1);
  const report = await readDelivery(app, colleague);
  const message = "The files of the company may take no more, so the report came without its PDF.";
  assert.deepEqual([report.file_id, report.error], [null, { code: "file_quota", message }]);
  assert.equal(report.data.totals.length, 3);
  assert.deepEqual(await notices(admin, "scheduled_report_failed"), [`Weekly sales: ${message}`]);
  assert.deepEqual(await notices(colleague, "scheduled_report_failed"), []);
  assert.equal((await notices(colleague, "scheduled_report")).length, 1);
  const { body } = await admin.call("GET", `${path}/${made.id}`);
  assert.deepEqual([body.next_delivery, body.error], ["2026-03-04", null]);
  await sendDueMails(app.deps, app.clock.now());
  await app.idle();
  const subjects = app.mailer.sent.map(({ subject }) => subject).toSorted();
  assert.deepEqual(subjects, [
    "A scheduled report did not come as planned",
    "Weekly sales: 2 March 2026",
  ]);
  // The e-mail explains why no file is attached.
  const mail = app.mailer.sent.find(({ subject }) => subject.startsWith("Weekly sales"))!;
  for (const body of [mail.text, mail.html ?? ""]) {
    assert.ok(body.includes(message), body);
    assert.ok(!body.includes("Its PDF has"), body);
  }
  // No delivery is left to claim, and no object of the PDF remains.
  app.clock.move(3_600_000);
  assert.equal(await deliverReports(app.deps, app.clock.now()), 0);
  assert.deepEqual(await app.sql("select count(*) as n from objects where removed_from is null"), [{ n: 0 }]);
});

Deno.test("a PDF that cannot be made three times is left out, with the reason", async () => {
  await using app = await startApp();
  const { admin, set } = await makeScene(app);
  await scheduleReport(admin, set, [admin.id], { delivery_frequency: "day" });
  const print = () => Promise.reject(new Error("the printer is away"));
  const deps = { ...app.deps, printer: { ...app.deps.printer, print } };
  app.clock.move(day);
  for (const kept of [0, 0, 1]) {
    assert.equal(await deliverReports(deps, app.clock.now()), 1);
    assert.equal((await readReports(app)).length, kept);
    app.clock.move(600_000);
  }
  const report = await readDelivery(app, admin);
  const message = "The PDF could not be made, so the report came without it.";
  assert.deepEqual([report.file_id, report.error], [null, { code: "internal", message }]);
  assert.deepEqual(await notices(admin, "scheduled_report_failed"), [`Weekly sales: ${message}`]);
});

Deno.test("a PDF of too many pages ends while it is laid out, and the report comes at once without it", async () => {
  await using app = await startApp();
  const { admin, set } = await makeScene(app);
  await scheduleReport(admin, set, [admin.id], { delivery_frequency: "day" });
  const limits: number[] = [];
  const print: typeof app.deps.printer.print = (document) => {
    limits.push(document.mostPages);
    const page = { text: "x", pageBreak: "after" } as const;
    return app.deps.printer.print({ ...document, content: Array.from({ length: 200 }, () => page) });
  };
  const deps = { ...app.deps, printer: { ...app.deps.printer, print } };
  app.clock.move(day);
  assert.equal(await deliverReports(deps, app.clock.now()), 1);
  assert.deepEqual(limits, [100]);
  const report = await readDelivery(app, admin);
  assert.deepEqual([report.file_id, report.error.code], [null, "internal"]);
});

Deno.test("a period that cannot be delivered is left out with a reason; the next one comes and clears it", async () => {
  await using app = await startApp();
  const { admin, set } = await makeScene(app);
  const made = await scheduleReport(admin, set, [admin.id], { delivery_frequency: "week" });
  // Storing the report fails.
  await app.deps.db.write([{
    sql: "create trigger refused before insert on report_deliveries begin select raise(abort, 'full'); end",
    args: [],
  }]);
  app.clock.move(7 * day);
  for (let attempt = 1; attempt <= 8; attempt++) {
    assert.equal(await deliverReports(app.deps, app.clock.now()), 1, `attempt ${attempt}`);
    app.clock.move(3 * 3_600_000);
  }
  await app.deps.db.write([{ sql: "drop trigger refused", args: [] }]);
  const readShown = async () => {
    const { body } = await admin.call("GET", `${path}/${made.id}`);
    return [body.next_delivery, body.error?.code ?? null];
  };
  assert.deepEqual(await readShown(), ["2026-03-16", "internal"]);
  assert.deepEqual(await notices(admin, "scheduled_report_failed"), [
    "Weekly sales: The last report could not be made and was left out. The next one comes by the calendar.",
  ]);
  app.clock.move(7 * day);
  assert.equal(await deliverReports(app.deps, app.clock.now()), 1);
  assert.deepEqual(await readShown(), ["2026-03-23", null]);
  assert.equal((await readReports(app)).length, 1);
});

Deno.test("a report with more figures than an answer may have is left out at once, with the reason", async () => {
  await using app = await startApp();
  const { company, admin } = await makeScene(app);
  await app.deps.db.write([{
    sql:
      `with recursive numbers (value) as (select 1 union all select value + 1 from numbers where value < 50000)
      insert into users (company_id, first_name, last_name, email, email_key, timezone, locale, user_type, created_at, updated_at)
      select ${company.id}, 'Ada', 'Byron', value || '@example.org', value || '@example.org', 'UTC', 'en-GB', 3,
        '2026-03-02 08:00:00', '2026-03-02 08:00:00' from numbers`,
    args: [],
  }]);
  const set = await admin.call("POST", "/v1/reports/indicator-sets", {
    name: "All",
    indicators: ["users.total"],
  });
  const made = await scheduleReport(admin, set.body.id, [admin.id]);
  app.clock.move(7 * day);
  assert.equal(await deliverReports(app.deps, app.clock.now()), 1);
  const { body } = await admin.call("GET", `${path}/${made.id}`);
  const message =
    "The last report was left out: it had more than 50000 figures. Choose fewer indicators or teams. The next one " +
    "comes by the calendar.";
  assert.deepEqual([body.next_delivery, body.error], ["2026-03-16", { code: "too_large", message }]);
  assert.deepEqual(await notices(admin, "scheduled_report_failed"), [`Weekly sales: ${message}`]);
  assert.equal((await readReports(app)).length, 0);
});

Deno.test("a period whose process ended during each of eight attempts is left out", async () => {
  await using app = await startApp();
  const { admin, set } = await makeScene(app);
  const made = await scheduleReport(admin, set, [admin.id], { delivery_frequency: "week" });
  app.clock.move(7 * day);
  // A process that ends leaves what its claim wrote.
  await app.deps.db.write([{ sql: "update scheduled_reports set attempts = 8", args: [] }]);
  assert.equal(await deliverReports(app.deps, app.clock.now()), 1);
  const { body } = await admin.call("GET", `${path}/${made.id}`);
  assert.deepEqual([body.next_delivery, body.error.code], ["2026-03-16", "internal"]);
  assert.equal((await readReports(app)).length, 0);
});

Deno.test("a maker that loses the right is notified once that the report has ended, and the report says why", async () => {
  await using app = await startApp();
  const { company, admin, team } = await makeScene(app);
  const maker = await company.user({ teams: [team], rights: ["reports.view", "reports.schedule"] });
  const own = await maker.call("POST", "/v1/reports/indicator-sets", {
    name: "Own",
    indicators: ["users.total"],
  });
  const made = await scheduleReport(maker, own.body.id, [admin.id], { delivery_frequency: "day" });
  const readShown = async () => {
    const { body } = await admin.call("GET", `${path}/${made.id}`);
    return [body.next_delivery, body.error];
  };
  assert.deepEqual(await readShown(), ["2026-03-03", null]);
  await app.deps.db.write([{
    sql: "delete from role_rights where right_name = 'reports.schedule'",
    args: [],
  }]);
  const message = "The scheduled report has ended, because its maker lost the right reports.schedule.";
  // The error shows before the planned day too.
  assert.deepEqual(await readShown(), [null, { code: "right_missing", message }]);
  for (let run = 1; run <= 3; run++) {
    app.clock.move(day);
    await deliverReports(app.deps, app.clock.now());
  }
  assert.deepEqual(await readShown(), [null, { code: "right_missing", message }]);
  assert.deepEqual(await notices(maker, "scheduled_report_failed"), [`Weekly sales: ${message}`]);
  const refused = await admin.call("POST", `${path}/${made.id}/send`);
  assert.deepEqual([refused.status, refused.body.detail], [409, message]);
  assert.deepEqual(await readReports(app), []);
});

Deno.test("a set that is made private ends a colleague's report, which gives none of its figures, with the reason", async () => {
  await using app = await startApp();
  const { company, admin, team, set } = await makeScene(app);
  const maker = await company.user({ teams: [team], rights: ["reports.view", "reports.schedule"] });
  const share = (scope: object) => admin.call("PUT", `/v1/reports/indicator-sets/${set}`, scope);
  assert.equal((await share({ team_id: team })).status, 200);
  const made = await scheduleReport(maker, set, [maker.id], { delivery_frequency: "day" });
  const ofAdmin = await scheduleReport(admin, set, [admin.id], { delivery_frequency: "day" });
  const next = async () => {
    app.clock.move(day);
    await deliverReports(app.deps, app.clock.now());
    return (await readReports(app)).map(({ scheduled_report_id }) => scheduled_report_id);
  };
  assert.deepEqual((await next()).toSorted(), [made.id, ofAdmin.id].toSorted());
  assert.equal((await share({ scope: "user" })).status, 200);
  // The report of the set's own maker goes on.
  assert.deepEqual((await next()).slice(2), [ofAdmin.id]);
  const message = "The scheduled report has ended, because its maker no longer sees the indicator set. " +
    "Choose another one.";
  const { body } = await maker.call("GET", `${path}/${made.id}`);
  assert.deepEqual([body.next_delivery, body.error], [null, { code: "indicator_set_hidden", message }]);
  assert.deepEqual(await notices(maker, "scheduled_report_failed"), [`Weekly sales: ${message}`]);
  assert.equal((await maker.call("POST", `${path}/${made.id}/send`)).body.code, "delivery_ended");
  const own = await maker.call("POST", "/v1/reports/indicator-sets", {
    name: "Own",
    indicators: ["users.total"],
  });
  const mended = await maker.call("PUT", `${path}/${made.id}`, { indicator_set_id: own.body.id });
  assert.deepEqual([mended.body.next_delivery, mended.body.error], ["2026-03-05", null]);
  assert.deepEqual((await next()).slice(3).toSorted(), [made.id, ofAdmin.id].toSorted());
});

Deno.test("a set that is made private while its report is made gives no figures either", async () => {
  await using app = await startApp();
  const { company, admin, team, set } = await makeScene(app);
  const maker = await company.user({ teams: [team], rights: ["reports.view", "reports.schedule"] });
  await admin.call("PUT", `/v1/reports/indicator-sets/${set}`, { team_id: team });
  await scheduleReport(maker, set, [maker.id], { delivery_frequency: "day" });
  const print = async (...given: Parameters<typeof app.deps.printer.print>) => {
    await admin.call("PUT", `/v1/reports/indicator-sets/${set}`, { scope: "user" });
    return await app.deps.printer.print(...given);
  };
  app.clock.move(day);
  const deps = { ...app.deps, printer: { ...app.deps.printer, print } };
  for (let run = 1; run <= 2; run++) await deliverReports(deps, app.clock.now());
  assert.deepEqual(await readReports(app), []);
  assert.equal((await notices(maker, "scheduled_report_failed")).length, 1);
});

Deno.test("a deleted group ends the reports that filter by it, and their makers are notified", async () => {
  await using app = await startApp();
  const { company, admin, colleague, set } = await makeScene(app);
  const group = await company.group();
  const made = await scheduleReport(admin, set, [colleague.id], {
    delivery_frequency: "day",
    filters: { group_ids: [group] },
  });
  assert.equal((await admin.call("DELETE", `/v1/groups/${group}`)).status, 204);
  const { body } = await admin.call("GET", `${path}/${made.id}`);
  assert.deepEqual([body.next_delivery, body.error.code], [
    null,
    "group_deleted",
  ]);
  assert.match(
    (await notices(admin, "custom"))[0]!,
    /a group of its filters was deleted/,
  );
  // Its own answer, or another name, does not start it again without the filter.
  for (const change of [body, { name: "Renamed" }]) {
    const same = await admin.call("PUT", `${path}/${made.id}`, change);
    assert.deepEqual([same.status, same.body.next_delivery, same.body.filters.groups], [
      200,
      null,
      [{ id: group, name: null }],
    ]);
  }
  app.clock.move(day);
  await deliverReports(app.deps, app.clock.now());
  assert.deepEqual(await readReports(app), []);
});

Deno.test("a report keeps counting a deleted team, also after its own answer is sent back", async () => {
  await using app = await startApp();
  const { company, admin, set } = await makeScene(app);
  const team = await company.team();
  const made = await scheduleReport(admin, set, [admin.id], { filters: { team_ids: [team] } });
  assert.equal((await admin.call("DELETE", `/v1/teams/${team}`)).status, 204);
  const shown = (await admin.call("GET", `${path}/${made.id}`)).body;
  assert.deepEqual(shown.filters.teams, [{ id: team, name: null }]);
  assert.deepEqual((await admin.call("PUT", `${path}/${made.id}`, shown)).body, shown);
  assert.deepEqual(await app.sql("select filters from scheduled_reports"), [{
    filters: `{"team_ids":[${team}]}`,
  }]);
  const other = await admin.call("POST", path, { ...shown, recipient_user_ids: [admin.id] });
  assert.equal(other.status, 422, "A new report cannot name it.");
});

Deno.test("a report of a deleted user says so, and its recipients and the admins are notified", async () => {
  await using app = await startApp();
  const { company, admin, colleague, team, set } = await makeScene(app);
  const maker = await company.user({ teams: [team], rights: ["reports.view", "reports.schedule"] });
  assert.equal((await admin.call("PUT", `/v1/reports/indicator-sets/${set}`, { team_id: team })).status, 200);
  const made = await scheduleReport(maker, set, [colleague.id], { delivery_frequency: "day" });
  const heir = await company.user({ teams: [team] });
  const removal = `/v1/companies/${company.id}/users/${maker.id}?assign_to=${heir.id}`;
  assert.equal((await admin.call("DELETE", removal)).status, 204);
  await app.idle();
  const { body } = await admin.call("GET", `${path}/${made.id}`);
  assert.deepEqual([body.next_delivery, body.error.code], [null, "maker_deleted"]);
  for (const by of [admin, colleague]) {
    assert.match((await notices(by, "custom"))[0]!, /^Weekly sales: .*its maker was deleted/);
  }
  assert.deepEqual(await notices(heir, "custom"), []);
});
