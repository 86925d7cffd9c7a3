/** Imports of leads: assigned to a team or waiting for the agency, and back again. */
import assert from "node:assert/strict";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { makeSales, readField } from "../sales/leads_world.ts";
import { importFile, listFaults, moveImport, send } from "./imports_world.ts";

const text =
  "lead_type,lead_source,interest,external_weight,b2c,lead_data.Model,account.name,contact.full_name," +
  "contact.email,contact.consent.email,created_at\n" +
  "test DRIVE,fair,Estate,40,,E 220,Ada Ltd,Ada Byron,ada@example.org,yes,2026-01-02 10:00:00\n" +
  "Test drive,fair,,,yes,,,Grace Hopper,,,\n" +
  "Other,fair,,,,,Firm,Alan Turing,,,\n" +
  "Test drive,,,400,,,,Kurt,,,\n" +
  "Test drive,web,,,,,Firm,,,,\n";

const leads = async (actor: Actor): Promise<Body[]> =>
  (await actor.call("GET", "/v1/leads?sort=created_at&per_page=100")).body.data;

Deno.test("leads come in assigned to a team, with events and notifications, and go again", async () => {
  await using app = await startApp();
  const { admin, dealer, type, member } = await makeSales(app);
  const form = { entity: "leads", team_id: String(dealer), dry_run: "true" };
  const before = await app.sql("select count(*) as n from outbox");
  const dry = await importFile(app, admin, text, form);
  assert.deepEqual(
    dry.counts,
    { rows: 5, created: 2, updated: 0, skipped: 0, failed: 3 },
    JSON.stringify(dry),
  );
  assert.equal(dry.preview[0].record.status, "assigned");
  assert.deepEqual([await leads(admin), await app.sql("select count(*) as n from outbox")], [[], before]);
  const faults = await listFaults(admin, dry.id);
  assert.deepEqual(faults, [
    "3 lead_type lead_type exists",
    "4 lead_source lead_source required",
    "4 external_weight external_weight max",
    "5  contact.last_name required",
  ]);
  const done = await moveImport(app, admin, dry.id, "start");
  assert.deepEqual([done.status, done.counts], ["done", dry.counts]);
  assert.deepEqual(await listFaults(admin, dry.id), faults);
  const [ada, grace] = await leads(member);
  assert.deepEqual(
    [ada!.lead_type_id, ada!.lead_source, ada!.interest, ada!.external_weight, ada!.b2c, ada!.created_at],
    [type, "fair", "Estate", 40, false, "2026-01-02 10:00:00"],
  );
  assert.deepEqual(ada!.lead_data, [{ key: "Model", value: "E 220", type: "string" }]);
  assert.equal(readField(ada!.account, "name"), "Ada Ltd");
  assert.equal(readField(ada!.contact, "last_name"), "Byron");
  assert.equal(ada!.contact.consent.email.consent_given, true);
  assert.deepEqual([grace!.b2c, grace!.team_id, grace!.status], [true, dealer, "assigned"]);
  const events = await app.sql(
    "select event_name as event, count(*) as n from outbox where event_name in " +
      "('lead_created', 'lead_assigned') group by event_name order by event_name",
  );
  assert.deepEqual(events.map(({ event, n }) => `${event} ${n}`), ["lead_assigned 2", "lead_created 2"]);
  await app.idle();
  const notices = await member.call("GET", "/v1/notifications");
  assert.equal(notices.body.data.filter((each: Body) => each.type === "lead_assigned").length, 2);

  const reverted = await moveImport(app, admin, done.id, "revert");
  assert.equal(reverted.status, "reverted", JSON.stringify(reverted));
  assert.deepEqual(reverted.reverted, { deleted: 2, restored: 0, kept: 0 });
  assert.deepEqual(await leads(admin), []);
});

Deno.test("without a team the agency assigns imported leads; a revert leaves those that changed or have files", async () => {
  await using app = await startApp();
  const { admin, agency, agent, dealer } = await makeSales(app);
  const row = (n: number) => `Test drive,fair,Firm ${n},Person ${n}`;
  const rows = ["lead_type,lead_source,account.name,contact.last_name", row(1), row(2), row(3), row(4)].join(
    "\n",
  );
  const done = await importFile(app, admin, rows, { entity: "leads", agency_team_id: String(agency) });
  assert.equal(done.counts.created, 4, JSON.stringify(done));
  assert.deepEqual([done.team_id, done.agency_team_id], [null, agency]);
  const [one, two, three] = await leads(admin);
  assert.equal(one!.status, "assignable");
  const assigned = await agent.call("PUT", `/v1/leads/${one!.id}/assign`, { team_id: dealer });
  assert.ok(assigned.status < 300, assigned.text);
  const changed = await admin.call("PUT", `/v1/leads/${two!.id}`, { interest: "Van" });
  assert.equal(changed.status, 200, changed.text);
  const note = await admin.call("POST", "/v1/files", { name: "note.txt", data: "Zmlyc3Q=" });
  const attached = await admin.call("POST", `/v1/leads/${three!.id}/files`, { file_ids: [note.body.id] });
  assert.equal(attached.status, 204, attached.text);
  const reverted = await moveImport(app, admin, done.id, "revert");
  assert.deepEqual(reverted.reverted, { deleted: 1, restored: 0, kept: 3 });
  const { body } = await admin.call("GET", `/v1/imports/${done.id}/kept?per_page=100`);
  assert.deepEqual(
    Object.fromEntries(body.data.map((each: Body) => [each.id, `${each.entity} ${each.reason}`])),
    { [one!.id]: "leads changed", [two!.id]: "leads changed", [three!.id]: "leads in_use" },
  );
  assert.deepEqual((await leads(admin)).map(({ id }) => id).sort(), [one!.id, two!.id, three!.id].sort());
});

Deno.test("imports of leads name a team or an agency team, and no user or match", async () => {
  await using app = await startApp();
  const { admin, dealer, agency } = await makeSales(app);
  const team = { team_id: String(dealer) };
  const other = await (await app.company("Other")).team({ name: "Other" });
  const cases: [Record<string, string>, string][] = [
    [{}, "agency_team_id required"],
    [{ ...team, match: "external_id" }, "match excluded"],
    [{ ...team, user_id: String(admin.id) }, "user_id excluded"],
    [{ team_id: String(other) }, "team_id exists"],
    [{ agency_team_id: String(other) }, "agency_team_id exists"],
  ];
  for (const [more, fault] of cases) {
    const refused = await send(admin, text, { entity: "leads", ...more });
    assert.equal(refused.status, 422, refused.text);
    const [{ path, code }] = refused.body.errors;
    assert.equal(`${path} ${code}`, fault);
  }
  const refused = await send(admin, text, { entity: "accounts", agency_team_id: String(agency) });
  assert.equal(refused.body.errors?.[0].path, "agency_team_id", refused.text);
});

Deno.test("a row of leads lifts no refusal, and a deleted agency team ends the import", async () => {
  await using app = await startApp();
  const { admin, company, dealer } = await makeSales(app);
  const refusing = await importFile(app, admin, "last_name,email,consent.email\nA,a@example.org,no\n");
  assert.equal(refusing.counts.created, 1, JSON.stringify(refusing));
  const { data: [contact] } = (await admin.call("GET", "/v1/contacts")).body;
  assert.equal((await admin.call("DELETE", `/v1/accounts/${contact.account.id}`)).status, 204);
  const rows = "lead_type,lead_source,b2c,contact.last_name,contact.email,contact.consent.email\n" +
    "Test drive,fair,yes,A,a@example.org,yes\n";
  const form = { entity: "leads", team_id: String(dealer) };
  const strict = await importFile(app, admin, rows, form);
  assert.deepEqual(await listFaults(admin, strict.id), [
    "1 contact.consent.email contact.consent.email refused",
  ]);
  const lenient = await importFile(app, admin, rows, { ...form, refusals: "skip" });
  assert.equal(lenient.counts.created, 1);
  assert.equal((await leads(admin))[0]!.contact.consent.email.consent_given, null);

  const agency = String(await company.team({ name: "Going" }));
  const dry = await importFile(app, admin, rows, {
    entity: "leads",
    agency_team_id: agency,
    dry_run: "true",
  });
  const gone = await admin.call("DELETE", `/v1/teams/${agency}?force=true`);
  assert.ok(gone.status < 300, gone.text);
  const failed = await moveImport(app, admin, dry.id, "start");
  assert.deepEqual([failed.status, failed.failure?.code], ["failed", "team_deleted"]);
});
