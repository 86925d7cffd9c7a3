import assert from "node:assert/strict";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { leaseMs } from "../../src/insight/scheduled/claim.ts";
import { deliverReports } from "../../src/insight/scheduled/deliver.ts";
import { openFile } from "../../src/platform/database/file.ts";
import { runJobs } from "../../src/jobs.ts";
import { newPath } from "../sales/parts.ts";
import { type Actor, type Body, startApp, type TestCompany } from "../support/app.ts";
import { makeAccountBody, makeScene, path, readReports, scheduleReport } from "./scheduled_scene.ts";

const hour = 3_600_000;
const day = 24 * hour;

async function pdfText(bytes: Uint8Array): Promise<string> {
  const document = await getDocument({ data: new Uint8Array(bytes), useSystemFonts: false, verbosity: 0 })
    .promise;
  let text = "";
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent();
    text += items.map((item) => "str" in item ? item.str : "").join(" ");
  }
  await document.destroy();
  return text.replaceAll(/\s+/g, " ");
}

Deno.test("a scheduled report comes on Monday at 06:00 local time: figures, PDF, notification and mail", async () => {
  await using app = await startApp();
  const { admin, colleague, company, set } = await makeScene(app);
  const made = await scheduleReport(admin, set, [colleague.id, admin.id]);
  assert.equal(made.next_delivery, "2026-03-09");
  assert.deepEqual(made.recipients.map(({ id }: Body) => id), [admin.id, colleague.id].sort((a, b) => a - b));
  assert.deepEqual(made.filters, {
    relations_paths: [],
    lead_types: [],
    lead_sources: [],
    groups: [],
    teams: [],
  });

  app.clock.move(Date.UTC(2026, 2, 9, 4, 59) - app.clock.now());
  assert.equal(await deliverReports(app.deps, app.clock.now()), 0);
  app.clock.move(60_000);
  assert.equal(await deliverReports(app.deps, app.clock.now()), 1);
  assert.equal(await deliverReports(app.deps, app.clock.now()), 0);
  assert.equal((await admin.call("GET", `${path}/${made.id}`)).body.next_delivery, "2026-03-16");

  const { body: listed } = await colleague.call("GET", "/v1/notifications");
  const [notice] = listed.data;
  assert.equal(notice.type, "scheduled_report");
  assert.deepEqual(notice.data.scheduled_report, { id: made.id, name: "Weekly sales" });
  const report = await colleague.call("GET", `/v1/reports/deliveries/${notice.data.report.id}`);
  assert.equal(report.status, 200, report.text);
  const { data, file_id, ...rest } = report.body;
  assert.deepEqual(rest, {
    id: notice.data.report.id,
    scheduled_report: { id: made.id, name: "Weekly sales" },
    start_at: "2026-03-01 23:00:00",
    end_at: "2026-03-08 23:00:00",
    error: null,
    created_at: "2026-03-09 05:00:00",
  });
  assert.deepEqual(data.totals, [
    { indicator: "accounts.b2b.created", value: 2 },
    { indicator: "accounts.b2b.total", value: 2 },
    { indicator: "cases.success_rate", value: null },
  ]);
  assert.deepEqual(data.users, [
    { indicator: "accounts.b2b.created", value: 2, user_id: admin.id, user_name: "Ada Byron admin" },
    { indicator: "accounts.b2b.total", value: 2, user_id: admin.id, user_name: "Ada Byron admin" },
  ]);

  // The recipient, who has no right, may read the file; another user may not.
  const file = await colleague.call("GET", `/v1/files/${file_id}`);
  assert.equal(file.status, 200, file.text);
  assert.equal(file.body.name, "Weekly sales.pdf");
  const download = await fetch(`${app.url}/v1/files/download/${file.body.download_token}`);
  const text = await pdfText(new Uint8Array(await download.arrayBuffer()));
  for (
    const part of [
      "Weekly sales",
      "2 March 2026 – 8 March 2026",
      "Totals",
      "Accounts B2B created",
      "Ada Byron admin",
    ]
  ) {
    assert.ok(text.includes(part), `${part} in ${text}`);
  }
  const stranger = await company.user({ teams: [] });
  assert.equal((await stranger.call("GET", `/v1/files/${file_id}`)).status, 404);
  assert.equal((await stranger.call("GET", `/v1/reports/deliveries/${rest.id}`)).status, 404);
  assert.equal((await stranger.call("GET", `${path}/${made.id}`)).status, 404);

  const letters: { to: string; subject: string; text: string; names: string[]; bytes: Uint8Array }[] = [];
  app.mailer.send = async ({ to, subject, text, attachments = [] }) => {
    const bytes = await Promise.all(attachments.map(({ body }) => new Response(body).bytes()));
    letters.push({ to, subject, text, names: attachments.map(({ name }) => name), bytes: bytes[0]! });
    return "sent";
  };
  await runJobs(app.deps, app.clock.now());
  await app.idle();
  assert.equal(letters.length, 2);
  assert.equal(letters[0]!.subject, "Weekly sales: 2 March 2026 – 8 March 2026");
  assert.match(letters[0]!.text, /Accounts B2B created: 2\n/);
  assert.deepEqual(letters[0]!.names, ["Weekly sales.pdf"]);
  assert.match(await pdfText(letters[0]!.bytes), /Totals/);
});

Deno.test("after an outage only the last period comes; two processes deliver it once", async () => {
  await using app = await startApp();
  const { admin, set } = await makeScene(app);
  const made = await scheduleReport(admin, set, [admin.id], { delivery_frequency: "day" });
  assert.equal(made.next_delivery, "2026-03-03");
  app.clock.move(20 * day);
  const others = [openFile(app.file, {}), openFile(app.file, {})];
  try {
    await Promise.all(
      [app.deps.db, ...others].map((db) => deliverReports({ ...app.deps, db }, app.clock.now())),
    );
  } finally {
    for (const db of others) await db.close();
  }
  const [only, ...more] = await readReports(app);
  assert.deepEqual(more, []);
  assert.deepEqual([only.start_at, only.end_at], ["2026-03-20 23:00:00", "2026-03-21 23:00:00"]);
  assert.equal((await admin.call("GET", `${path}/${made.id}`)).body.next_delivery, "2026-03-23");
});

Deno.test("after a clock that was ahead reports come by their calendar again, each period once", async () => {
  await using app = await startApp();
  const { admin, set } = await makeScene(app);
  const at = async (now: number) => {
    app.clock.set(now);
    assert.deepEqual(await runJobs(app.deps, now), []);
  };
  const start = app.clock.now();
  const made: Body[] = [];
  for (const delivery_frequency of ["day", "month"]) {
    made.push(await scheduleReport(admin, set, [admin.id], { delivery_frequency }));
  }
  const next = async () => {
    const answers = await Promise.all(made.map(({ id }) => admin.call("GET", `${path}/${id}`)));
    return answers.map(({ body }) => body.next_delivery);
  };
  const planned = made.map(({ next_delivery }) => next_delivery);
  assert.deepEqual(planned, ["2026-03-03", "2026-04-01"]);
  const ahead = Date.UTC(2029, 0, 15, 7);
  await at(ahead);
  assert.deepEqual(await next(), ["2029-01-16", "2029-02-01"]);
  await at(start + hour);
  // Both were made in the present period, which delivers nothing.
  assert.deepEqual(await next(), planned);
  assert.equal((await readReports(app)).length, 2);
  await at(start + day);
  // A clock that starts in 1970, before the reports were created, delivers nothing either.
  for (const now of [ahead, 0, start + day + hour, start + 2 * day]) await at(now);
  const daily = (await readReports(app)).filter(({ scheduled_report_id, created_at }: Body) =>
    scheduled_report_id === made[0].id && created_at < "2029"
  );
  assert.deepEqual(daily.map(({ end_at }: Body) => end_at), ["2026-03-02 23:00:00", "2026-03-03 23:00:00"]);
  assert.deepEqual(await next(), ["2026-03-05", "2026-04-01"]);
});

Deno.test("a delivery whose lease ran out is taken over, and its first process delivers nothing more", async () => {
  await using app = await startApp();
  const { admin, set } = await makeScene(app);
  await scheduleReport(admin, set, [admin.id], { delivery_frequency: "month" });
  const now = app.clock.now();
  // Asked for, so neither its date nor its key shows that it was delivered.
  await app.deps.db.write([{ sql: "update scheduled_reports set wanted_at = ?", args: [now] }]);
  const print = async (...given: Parameters<typeof app.deps.printer.print>) => {
    assert.equal(await deliverReports(app.deps, now + leaseMs), 1);
    return await app.deps.printer.print(...given);
  };
  const slow = { ...app.deps, printer: { ...app.deps.printer, print } };
  assert.equal(await deliverReports(slow, now), 1);
  assert.equal((await readReports(app)).length, 1);
  assert.equal(await deliverReports(app.deps, now + 2 * leaseMs), 0);
});

Deno.test("a report that waits for a retry keeps its date under a clock that is behind", async () => {
  await using app = await startApp();
  const { admin, set } = await makeScene(app);
  const made = await scheduleReport(admin, set, [admin.id], { delivery_frequency: "day" });
  const next = async () => (await admin.call("GET", `${path}/${made.id}`)).body.next_delivery;
  app.clock.move(day);
  const now = app.clock.now();
  await app.deps.db.script(
    "create trigger refused before insert on report_deliveries begin select raise(abort, 'full'); end",
  );
  assert.equal(await deliverReports(app.deps, now), 1);
  await app.deps.db.script("drop trigger refused");
  app.clock.set(0);
  await deliverReports(app.deps, 0);
  app.clock.set(now);
  assert.equal(await next(), "2026-03-03");
  app.clock.move(hour);
  assert.equal(await deliverReports(app.deps, app.clock.now()), 1);
  assert.equal(await next(), "2026-03-04");
  assert.deepEqual((await readReports(app)).map(({ end_at }) => end_at), ["2026-03-02 23:00:00"]);
});

Deno.test("a delivery that was begun and never ended is taken over after its lease, once", async () => {
  await using app = await startApp();
  const { admin, set } = await makeScene(app);
  await scheduleReport(admin, set, [admin.id], { delivery_frequency: "day" });
  app.clock.move(day);
  const now = app.clock.now();
  // The state that a process leaves when it dies after its claim.
  await app.deps.db.write([{
    sql: "update scheduled_reports set due_at = ?, attempts = 1",
    args: [now + leaseMs],
  }]);
  assert.equal(await deliverReports(app.deps, now), 0);
  assert.equal(await deliverReports(app.deps, now + leaseMs), 1);
  assert.equal((await readReports(app)).length, 1);
});

Deno.test("a delivery can be asked for: about the period that ended last, beside the calendar", async () => {
  await using app = await startApp();
  const { admin, colleague, set } = await makeScene(app);
  const made = await scheduleReport(admin, set, [colleague.id], { delivery_frequency: "month" });
  const sent = await admin.call("POST", `${path}/${made.id}/send`);
  assert.equal(sent.status, 202, sent.text);
  await app.idle();
  const [report] = await readReports(app);
  assert.deepEqual([report.start_at, report.end_at], ["2026-01-31 23:00:00", "2026-02-28 23:00:00"]);
  assert.equal((await admin.call("GET", `${path}/${made.id}`)).body.next_delivery, "2026-04-01");
  assert.equal((await colleague.call("POST", `${path}/${made.id}/send`)).status, 403);
  // Recipients see it, without a right.
  const { body } = await colleague.call("GET", path);
  assert.deepEqual(body.data.map(({ id, recipients_count }: Body) => [id, recipients_count]), [[made.id, 1]]);
});

Deno.test("what happens while a delivery is made does not hold it up", async () => {
  await using app = await startApp();
  const { admin, set } = await makeScene(app);
  const made = await scheduleReport(admin, set, [admin.id], { delivery_frequency: "day" });
  app.clock.move(day);
  const printing = (act: () => Promise<{ status: number; text: string }>) => ({
    ...app.deps,
    printer: {
      ...app.deps.printer,
      print: async (...given: Parameters<typeof app.deps.printer.print>) => {
        const { status, text } = await act();
        assert.ok([200, 202].includes(status), text);
        return await app.deps.printer.print(...given);
      },
    },
  });

  // A delivery is requested meanwhile: the planned delivery comes first, then the requested one.
  const send = () => admin.call("POST", `${path}/${made.id}/send`);
  await deliverReports(printing(send), app.clock.now());
  await app.idle();
  assert.equal((await readReports(app)).filter(({ once }) => once !== null).length, 1);
  await deliverReports(app.deps, app.clock.now());
  assert.deepEqual((await readReports(app)).map(({ once }) => once === null), [false, true]);

  // The report is changed meanwhile: the next run delivers it with the change.
  app.clock.move(day);
  const rename = () => admin.call("PUT", `${path}/${made.id}`, { name: "Renamed" });
  await deliverReports(printing(rename), app.clock.now());
  assert.equal((await readReports(app)).length, 2);
  app.clock.move(60_000);
  await deliverReports(app.deps, app.clock.now());
  assert.deepEqual((await readReports(app)).map(({ name }) => name), [
    "Weekly sales",
    "Weekly sales",
    "Renamed",
  ]);

  // Simultaneous calls start one delivery, and at most one more after it.
  const answers = await Promise.all(Array.from({ length: 6 }, send));
  assert.deepEqual(answers.map(({ status }) => status), Array(6).fill(202));
  await app.idle();
  const { length } = await readReports(app);
  assert.ok(length === 4 || length === 5, `${length} reports`);
});

Deno.test("the file of a report with a long name has a name of whole characters", async () => {
  await using app = await startApp();
  const { admin, set } = await makeScene(app);
  const made = await scheduleReport(admin, set, [admin.id], { name: `${"n".repeat(199)}🚲 and more` });
  assert.equal((await admin.call("POST", `${path}/${made.id}/send`)).status, 202);
  await app.idle();
  const [{ file_id }] = await readReports(app) as [Body];
  const { body } = await admin.call("GET", `/v1/files/${file_id}`);
  assert.equal(body.name, `${"n".repeat(199)}.pdf`);
});

Deno.test("a maker that is deleted or loses the right ends the report; deleted recipients drop out", async () => {
  await using app = await startApp();
  const { company, admin, colleague, team, set } = await makeScene(app);
  const maker = await company.user({ teams: [team], rights: ["reports.view", "reports.schedule"] });
  const own = await maker.call("POST", "/v1/reports/indicator-sets", {
    name: "Own",
    indicators: ["users.total"],
  });
  const first = await scheduleReport(maker, own.body.id, [maker.id, colleague.id, admin.id], {
    delivery_frequency: "day",
  });
  const ofAdmin = await scheduleReport(admin, set, [maker.id, admin.id], { delivery_frequency: "day" });
  await deleteUser(company, colleague);
  assert.deepEqual((await admin.call("GET", `${path}/${first.id}`)).body.recipients_count, 2);
  await app.deps.db.write([{
    sql: "delete from role_rights where right_name = 'reports.schedule'",
    args: [],
  }]);
  // `next_delivery` is null before the planned day too.
  const ended = await admin.call("GET", `${path}/${first.id}`);
  const { body: listed } = await admin.call("GET", `${path}?sort=created_at`);
  assert.deepEqual([ended.body, ...listed.data].map(({ next_delivery }: Body) => next_delivery), [
    null,
    null,
    "2026-03-03",
  ]);
  assert.equal((await admin.call("POST", `${path}/${first.id}/send`)).status, 409);
  app.clock.move(day);
  await deliverReports(app.deps, app.clock.now());
  assert.equal((await admin.call("GET", `${path}/${first.id}`)).body.next_delivery, null);
  const refused = await admin.call("POST", `${path}/${first.id}/send`);
  assert.deepEqual([refused.status, refused.body.code], [409, "delivery_ended"]);
  assert.deepEqual((await readReports(app)).map(({ scheduled_report_id }) => scheduled_report_id), [
    ofAdmin.id,
  ]);
  await deleteUser(company, maker);
  const { body } = await admin.call("GET", `${path}/${ofAdmin.id}`);
  assert.deepEqual(body.recipients.map(({ id }: Body) => id), [admin.id]);
  assert.equal(body.next_delivery, "2026-03-04");
});

async function deleteUser({ id, admin }: TestCompany, user: Actor): Promise<void> {
  const gone = await admin.call("DELETE", `/v1/companies/${id}/users/${user.id}`);
  assert.ok([202, 204].includes(gone.status), gone.text);
}

Deno.test("figures are those that the maker may see at that moment", async () => {
  await using app = await startApp();
  const { company, team, set, admin } = await makeScene(app);
  const maker = await company.user({
    teams: [team],
    rights: ["reports.view", "reports.schedule", "customers.create"],
  });
  await admin.call("PUT", `/v1/reports/indicator-sets/${set}`, { scope: "company" });
  await maker.call("POST", "/v1/accounts", makeAccountBody("Own"));
  const other = await company.team();
  const elsewhere = await company.user({ teams: [other], rights: ["customers.create"] });
  assert.equal((await elsewhere.call("POST", "/v1/accounts", makeAccountBody("Hidden"))).status, 201);
  await scheduleReport(maker, set, [maker.id], { delivery_frequency: "day" });
  app.clock.move(day);
  await deliverReports(app.deps, app.clock.now());
  const [report] = await readReports(app);
  const seen = (await maker.call(
    "GET",
    "/v1/reports/metrics?indicators=accounts.b2b.total&group_by=company",
  )).body.data[0].value;
  assert.ok(seen < 4);
  assert.equal(JSON.parse(report.data).totals[1].value, seen);
});

Deno.test("a changed time zone moves the delivery to its new 06:00", async () => {
  await using app = await startApp();
  const { company, admin, set } = await makeScene(app);
  await scheduleReport(admin, set, [admin.id], { delivery_frequency: "day" });
  const changed = await admin.call("PUT", `/v1/companies/${company.id}`, {
    timezone: { name: "America/New_York" },
  });
  assert.equal(changed.status, 200, changed.text);
  app.clock.move(Date.UTC(2026, 2, 3, 5) - app.clock.now());
  await deliverReports(app.deps, app.clock.now());
  assert.deepEqual(await readReports(app), []);
  app.clock.move(6 * hour);
  await deliverReports(app.deps, app.clock.now());
  assert.equal((await readReports(app)).length, 1);
});

Deno.test("a day that comes twice by a clock put back is delivered once, the week that ends with it too", async () => {
  await using app = await startApp();
  const { company, admin, set } = await makeScene(app);
  const zone = async (name: string) => {
    const changed = await admin.call("PUT", `/v1/companies/${company.id}`, { timezone: { name } });
    assert.equal(changed.status, 200, changed.text);
  };
  const setFrequency = async ({ id }: Body, delivery_frequency: string) => {
    const changed = await admin.call("PUT", `${path}/${id}`, { delivery_frequency });
    assert.equal(changed.body.next_delivery, "2026-03-09", changed.text);
  };
  await zone("Pacific/Auckland");
  const weekly = await scheduleReport(admin, set, [admin.id], { delivery_frequency: "day" });
  const daily = await scheduleReport(admin, set, [admin.id], { delivery_frequency: "day" });
  // Monday, 06:00 in Auckland, is Sunday, 10:00 in Los Angeles.
  app.clock.move(Date.UTC(2026, 2, 8, 17) - app.clock.now());
  assert.equal(await deliverReports(app.deps, app.clock.now()), 2);
  await zone("America/Los_Angeles");
  await setFrequency(weekly, "week");
  await setFrequency(daily, "week");
  await setFrequency(daily, "day");
  app.clock.move(Date.UTC(2026, 2, 9, 13) - app.clock.now());
  await deliverReports(app.deps, app.clock.now());
  const delivered = (await readReports(app)).map((row) => row.scheduled_report_id);
  assert.equal(delivered.filter((id) => id === weekly.id).length, 2);
  assert.equal(delivered.filter((id) => id === daily.id).length, 1);
  assert.equal((await admin.call("GET", `${path}/${daily.id}`)).body.next_delivery, "2026-03-10");
  assert.equal((await admin.call("GET", `${path}/${weekly.id}`)).body.next_delivery, "2026-03-16");
});

Deno.test("a report names only what there is, and filters by what its maker may", async () => {
  await using app = await startApp();
  const { company, admin, colleague, team, set } = await makeScene(app);
  const body = {
    name: "R",
    indicator_set_id: set,
    delivery_frequency: "week",
    recipient_user_ids: [colleague.id, 987654],
    filters: { team_ids: [team, 123456], lead_type_ids: ["01939c5e-7d3a-7c3f-8a55-0a4be5a1a001"] },
  };
  const refused = await admin.call("POST", path, body);
  assert.equal(refused.status, 422);
  assert.deepEqual(refused.body.errors.map(({ path, code }: Body) => [path, code]), [
    ["recipient_user_ids[1]", "exists"],
    ["filters.lead_type_ids[0]", "exists"],
    ["filters.team_ids[1]", "exists"],
  ]);
  const user = await company.user({ teams: [team], rights: ["reports.view", "reports.schedule"] });
  const own = await user.call("POST", "/v1/reports/indicator-sets", {
    name: "Own",
    indicators: ["users.total"],
  });
  const given = { ...body, indicator_set_id: own.body.id, recipient_user_ids: [user.id] };
  assert.equal((await user.call("POST", path, given)).status, 403);
  const group = await company.group();
  assert.equal((await user.call("POST", path, { ...given, filters: { group_ids: [group] } })).status, 403);
  // A user cannot use another user's private set.
  const strange = await user.call("POST", path, { ...given, filters: null, indicator_set_id: set });
  assert.deepEqual(strange.body.errors.map(({ path }: Body) => path), ["indicator_set_id"]);
  const none = await user.call("POST", path, { ...given, filters: null, recipient_user_ids: [] });
  assert.deepEqual(none.body.errors.map(({ path, code }: Body) => [path, code]), [[
    "recipient_user_ids",
    "required",
  ]]);

  const made = await scheduleReport(user, own.body.id, [user.id], { filters: { lead_sources: ["web"] } });
  const blocked = await user.call("DELETE", `/v1/reports/indicator-sets/${own.body.id}`);
  assert.deepEqual([blocked.status, blocked.body.code], [409, "delete_blocked"]);
  const changed = await user.call("PUT", `${path}/${made.id}`, { name: "New", delivery_frequency: "year" });
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual(
    [changed.body.name, changed.body.next_delivery, changed.body.filters.lead_sources],
    ["New", "2027-01-01", ["web"]],
  );
  // An admin may send back the report's own set without seeing its name, but may not choose one of the
  // admin's private sets.
  const kept = await admin.call("PUT", `${path}/${made.id}`, { ...given, filters: null });
  assert.deepEqual(
    [kept.status, kept.body.indicator_set],
    [200, { id: own.body.id, name: null }],
    kept.text,
  );
  const other = await admin.call("PUT", `${path}/${made.id}`, { indicator_set_id: set });
  assert.deepEqual(other.body.errors?.map(({ path, code }: Body) => [path, code]), [
    ["indicator_set_id", "exists"],
  ]);
  assert.equal((await colleague.call("DELETE", `${path}/${made.id}`)).status, 403);
  assert.equal((await user.call("DELETE", `${path}/${made.id}`)).status, 204);
  assert.equal((await user.call("DELETE", `/v1/reports/indicator-sets/${own.body.id}`)).status, 204);
});

Deno.test("a filter by a path or lead type that its maker does not see is refused as if there were none", async () => {
  await using app = await startApp();
  const { company, admin, team } = await makeScene(app);
  const group = await company.group();
  const createOwned = async (owner: object) => (await newPath(admin, owner)).id;
  const [shared, theirs, ofGroup] = [
    await createOwned({}),
    await createOwned({ team_id: team }),
    await createOwned({ group_id: group }),
  ];
  const type = await admin.call("POST", "/v1/lead-types", {
    name: "Fleet",
    team_id: team,
    relations_path_ids: [shared],
  });
  assert.equal(type.status, 201, type.text);
  const user = await company.user({
    teams: [await company.team()],
    rights: ["reports.view", "reports.schedule"],
  });
  const own = await user.call("POST", "/v1/reports/indicator-sets", {
    name: "Own",
    indicators: ["users.total"],
  });
  const filters = { relation_path_ids: [shared, theirs, ofGroup], lead_type_ids: [type.body.id] };
  const given = {
    name: "R",
    indicator_set_id: own.body.id,
    delivery_frequency: "week",
    recipient_user_ids: [user.id],
  };
  const made = await scheduleReport(user, own.body.id, [user.id], {
    filters: { relation_path_ids: [shared] },
  });
  for (const [method, to] of [["POST", path], ["PUT", `${path}/${made.id}`]] as const) {
    const refused = await user.call(method, to, { ...given, filters });
    assert.equal(refused.status, 422, refused.text);
    assert.deepEqual(refused.body.errors.map(({ path, code }: Body) => [path, code]), [
      ["filters.relation_path_ids[1]", "exists"],
      ["filters.relation_path_ids[2]", "exists"],
      ["filters.lead_type_ids[0]", "exists"],
    ]);
  }
  const set = await admin.call("POST", "/v1/reports/indicator-sets", {
    name: "All",
    indicators: ["users.total"],
  });
  const { filters: all } = await scheduleReport(admin, set.body.id, [user.id], { filters });
  assert.deepEqual([all.relations_paths.length, all.lead_types.length], [3, 1]);
});
