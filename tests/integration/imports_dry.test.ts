/** A dry run says what the run will do, also where rows meet what rows long before them have made. */
import assert from "node:assert/strict";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { importFile, listFaults, moveImport } from "./imports_world.ts";

/** More rows than a step has. */
const apart = 60;
/** Rows that have nothing to do with the others. */
const strangers = (columns: number) =>
  Array.from({ length: apart }, (_, n) => [`Stranger ${n}`, ...Array(columns - 1).fill("")].join(","));

/** Imports a file as a dry run and then runs it; expects the same of both. Returns the import and its faults. */
async function checkedAndRun(
  app: TestApp,
  actor: Actor,
  lines: readonly string[],
  form: Record<string, string>,
) {
  const dry = await importFile(app, actor, lines.join("\n"), { ...form, dry_run: "true" });
  assert.equal(dry.status, "checked", JSON.stringify(dry));
  const expected = await listFaults(actor, dry.id);
  const done = await moveImport(app, actor, dry.id, "start");
  assert.equal(done.status, "done", JSON.stringify(done));
  const faults = await listFaults(actor, done.id);
  assert.deepEqual([dry.counts, expected], [done.counts, faults]);
  return { done, faults };
}

const full = (row: number) => `${row}   b2c_single_contact`;

Deno.test("a dry run knows which consumers' accounts rows long before have made", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { faults } = await checkedAndRun(app, admin, [
    "last_name,b2c,account.name,account.external_id",
    "One,true,Firm,",
    "Two,true,,E2",
    "Three,,Other Ltd,E3",
    ...strangers(4),
    "Four,false,FIRM,",
    "Five,,,E2",
    "Six,,Other ltd,",
    "Seven,false,one,",
  ], { entity: "contacts" });
  assert.deepEqual(faults, [full(64), full(65)]);
});

Deno.test("a dry run knows which consumers' accounts have got or lost their contact", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await importFile(app, admin, "external_id,name,b2c\nA1,Ada,true\nA2,Bo,true\nB,Firm,\n", {
    entity: "accounts",
  });
  await importFile(app, admin, "external_id,last_name,account.external_id\nC2,Bo,A2\n");
  const { faults, done } = await checkedAndRun(app, admin, [
    "last_name,external_id,account.external_id",
    "First,C1,A1",
    "Bo,C2,B",
    ...strangers(3),
    "Second,C3,A1",
    "Third,C4,A2",
    "Fourth,C5,A2",
  ], { entity: "contacts", match: "external_id" });
  assert.deepEqual(faults, [full(63), full(65)]);
  assert.equal(done.counts.updated, 1);
});

Deno.test("of accounts with one name, rows of a step and of later ones get the oldest", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const rows = [
    "last_name,b2c,account.name,account.external_id,created_at",
    "One,,Firm,young,2024-05-01",
    "Two,,Firm,old,2020-05-01",
    "Three,,Firm,,2025-01-01",
  ];
  await checkedAndRun(app, admin, [...rows, ...strangers(5), "Four,,Firm,,"], { entity: "contacts" });
  for (const name of ["Three", "Four"]) {
    const { body } = await admin.call("GET", `/v1/contacts?search=${name}`);
    const [found]: Body[] = body.data;
    const account = await admin.call("GET", `/v1/accounts/${found!.account.id}`);
    assert.equal(account.body.external_id, "old", name);
  }
});

Deno.test("of accounts with one name and one time, rows get the one that a row of an earlier step made", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await checkedAndRun(app, admin, [
    "last_name,b2c,account.name",
    "One,,Firm",
    ...strangers(3),
    "Two,true,Firm",
    "Three,,Firm",
  ], { entity: "contacts" });
});

for (const [on_match, code] of [["skip", ""], ["fail", " external_id external_id unique"]] as const) {
  Deno.test(`a row with faults that matches is not taken for a new one where matches ${on_match}`, async () => {
    await using app = await startApp();
    const { admin } = await app.company();
    const accounts = await checkedAndRun(app, admin, [
      "name,external_id,created_at",
      "One,A1,",
      ...strangers(3),
      ",A1,never",
    ], { entity: "accounts", match: "external_id", on_match });
    const contacts = await checkedAndRun(app, admin, [
      "last_name,external_id,created_at",
      "One,C1,",
      ...strangers(3),
      ",C1,never",
    ], { entity: "contacts", match: "external_id", on_match });
    const faults = ["62 created_at created_at format", ...code === "" ? [] : [`62${code}`]];
    assert.deepEqual([accounts.faults, contacts.faults], [faults, faults]);
  });
}

Deno.test("a row lifts no refusal of an address that a row just before has left", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await importFile(app, admin, "external_id,last_name,email,consent.email\nC1,One,one@example.org,no\n");
  const rows = [
    "external_id,last_name,email,consent.email",
    "C1,One,other@example.org,",
    "C2,Two,ONE@example.org,yes",
  ];
  const { faults } = await checkedAndRun(app, admin, rows, { entity: "contacts", match: "external_id" });
  assert.deepEqual(faults, ["2 consent.email consent.email refused"]);
  const later = await importFile(
    app,
    admin,
    rows.slice(0, 1).concat("C3,Three,one@example.org,yes").join("\n"),
  );
  assert.deepEqual(await listFaults(admin, later.id), ["1 consent.email consent.email refused"]);
});

Deno.test("a dry run follows the contacts that rows of earlier steps change", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await importFile(
    app,
    admin,
    "external_id,last_name,email\nC0,Zero,zero@example.org\nC1,One,one@example.org\n",
  );
  const { faults, done } = await checkedAndRun(app, admin, [
    "external_id,email,first_name,last_name",
    "N1,zero@example.org,,",
    "N2,new@example.org,New,",
    ",one@example.org,#N/A,",
    ...Array.from({ length: apart }, (_, n) => `,,,Stranger ${n}`),
    "C0,other@example.org,,Freed",
    "N1,another@example.org,,Taken",
    "N1,one@example.org,,",
    "N3,NEW@example.org,#N/A,",
    "N2,last@example.org,,Free by now",
    "N4,zero@example.org,,#N/A",
    "N1,zero@example.org,,",
  ], { entity: "contacts", match: "email" });
  assert.deepEqual(
    [faults, done.counts],
    [["65 external_id external_id unique", "66 external_id external_id unique"], {
      rows: 70,
      created: 63,
      updated: 5,
      skipped: 0,
      failed: 2,
    }],
  );
});

Deno.test("a dry run knows which addresses contacts have got from rows long before", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await importFile(
    app,
    admin,
    [
      "external_id,last_name,email,consent.email",
      "C1,One,one@example.org,",
      "C2,Two,two@example.org,no",
      "C2,Two,moved@example.org,",
    ].join("\n"),
    { entity: "contacts", match: "external_id" },
  );
  const { faults } = await checkedAndRun(app, admin, [
    "external_id,last_name,email,consent.email",
    "C1,One,two@example.org,",
    ...strangers(4).map((line, n) => `S${n},${line.slice(0, -1)}`),
    "C1,One,,yes",
  ], { entity: "contacts", match: "external_id" });
  assert.deepEqual(faults, ["62 consent.email consent.email refused"]);
});

Deno.test("a dry run foresees that a number which another contact refuses is refused by who gets it", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await importFile(
    app,
    admin,
    [
      "external_id,last_name,phone_number,consent.call",
      "C1,One,+31 6 11111111,no",
      "C2,Two,+31 6 22222222,",
      "C3,Three,+31 6 44444444,no",
    ].join("\n"),
  );
  const { faults } = await checkedAndRun(app, admin, [
    "external_id,last_name,phone_number,consent.call",
    "C2,Two,+31 6 11111111,",
    "N1,New,+31 6 33333333,no",
    "N2,Other,+31 6 33333333,",
    "N3,Agrees,+31 6 33333333,yes",
    "C3,Three,+31 (6) 44444444,",
    "N4,Alone,+31 6 44444444,yes",
    ...strangers(3).map((line, n) => `S${n},${line}`),
    "C2,Two,,yes",
    "N5,Late,+31 6 33333333,yes",
    "N6,Later,+31 6 55555555,no",
    ...strangers(3).map((line, n) => `T${n},${line}`),
    "N7,Joins,+31 6 55555555,",
    "N8,Agrees,+31 6 55555555,yes",
  ], { entity: "contacts", match: "external_id" });
  const writeRefused = (row: number) => `${row} consent.call consent.call refused`;
  assert.deepEqual(faults, [4, 67, 68, 131].map(writeRefused));
});
