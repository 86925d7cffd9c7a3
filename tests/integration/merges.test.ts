/** Merging two accounts or contacts into one, and its undo. */
import assert from "node:assert/strict";
import { factKinds } from "../../src/core/fact_kinds.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { makeSales, readField } from "../sales/leads_world.ts";
import { createCustomer, createRecord, readAnswer, readEverything } from "./merges_world.ts";

/** What figures add up, calls aside. */
function sums(app: TestApp) {
  return app.sql(
    `select kind, user_id, team_id, dim_id, flags, sum(weight) as n from facts where kind <> ? group by 1, 2, 3, 4, 5
    having n <> 0 order by 1, 2, 3, 4, 5`,
    factKinds.call,
  );
}

Deno.test("an account takes all of another one, and the undo gives it back", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin } = place;
  const [alpha, beta] = [await createCustomer(place, "Alpha"), await createCustomer(place, "Beta")];
  await app.idle();
  const before = await readEverything(admin);
  const figures = await sums(app);
  const path = `/v1/accounts/${alpha.account.id}/merge`;

  const dry = await createRecord(admin, path, { from_id: beta.account.id, dry_run: true }, 200);
  assert.equal(dry.merge_id, null);
  assert.deepEqual(await readEverything(admin), before, "a dry run changes nothing");

  const merged = await createRecord(admin, path, { from_id: beta.account.id, take: { city: "other" } }, 200);
  assert.deepEqual(merged.moved, dry.moved);
  assert.deepEqual(merged.moved, {
    contacts: 2,
    cases: 2,
    leads: 2,
    notes: 2,
    files: 1,
    tasks: 2,
    correspondences: 0,
    campaign_messages: 0,
  });
  assert.deepEqual(merged.record, await readAnswer(admin, `/v1/accounts/${alpha.account.id}`));
  assert.equal(readField(merged.record, "city"), "City of Beta");
  assert.equal(readField(merged.record, "name"), "Alpha");
  assert.equal(merged.record.external_id, "account Alpha");
  const gone = await admin.call("GET", `/v1/accounts/${beta.account.id}`);
  assert.deepEqual([gone.status, gone.body.merged_into], [404, alpha.account.id]);
  for (const { id } of [...beta.cases]) {
    assert.equal((await readAnswer(admin, `/v1/cases/${id}`)).account.id, alpha.account.id);
  }
  assert.equal((await readAnswer(admin, `/v1/accounts/${alpha.account.id}/contacts`)).pagination.total, 4);
  assert.equal((await readAnswer(admin, `/v1/accounts/${alpha.account.id}/files`)).data.length, 2);
  assert.ok(!JSON.stringify(await readEverything(admin)).includes(beta.account.id));

  const listed = await readAnswer(admin, "/v1/merges");
  assert.deepEqual(listed.data, [await readAnswer(admin, `/v1/merges/${merged.merge_id}`)]);
  const undone = await createRecord(admin, `/v1/merges/${merged.merge_id}/undo`, {}, 200);
  assert.deepEqual(undone, { restored: merged.moved, kept: [] });
  assert.deepEqual(await readEverything(admin), before);
  assert.deepEqual(await sums(app), figures);
  const again = await admin.call("POST", `/v1/merges/${merged.merge_id}/undo`);
  assert.deepEqual([again.status, again.body.code], [409, "merge_undone"]);
});

Deno.test("a contact takes all of another one, and the undo gives it back", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin } = place;
  const [alpha, beta] = [await createCustomer(place, "Alpha"), await createCustomer(place, "Beta")];
  await app.idle();
  const before = await readEverything(admin);
  const figures = await sums(app);
  const [of, other] = [alpha.contacts[0], beta.contacts[0]];
  const merged = await createRecord(admin, `/v1/contacts/${of.id}/merge`, {
    from_id: other.id,
    take: { email: "other", title: "this" },
  }, 200);
  assert.equal(readField(merged.record, "email"), "p0@beta.example");
  assert.deepEqual(merged.record, await readAnswer(admin, `/v1/contacts/${of.id}`));
  const gone = await admin.call("GET", `/v1/accounts/${beta.account.id}/contacts/${other.id}`);
  assert.deepEqual([gone.status, gone.body.merged_into], [404, of.id]);
  assert.ok(!JSON.stringify(await readEverything(admin)).includes(other.id));
  const undone = await createRecord(admin, `/v1/merges/${merged.merge_id}/undo`, {}, 200);
  assert.deepEqual(undone, { restored: merged.moved, kept: [] });
  assert.deepEqual(await readEverything(admin), before);
  assert.deepEqual(await sums(app), figures);
});

Deno.test("consumers merge with their contacts, by either of them", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin } = place;
  const consumer = { b2c: true, people: 1 };
  const [alpha, beta] = [
    await createCustomer(place, "Alpha", consumer),
    await createCustomer(place, "Beta", consumer),
  ];
  await app.idle();
  const before = await readEverything(admin);
  const figures = await sums(app);
  for (
    const [path, from_id] of [
      [`/v1/accounts/${alpha.account.id}/merge`, beta.account.id],
      [`/v1/contacts/${alpha.contacts[0].id}/merge`, beta.contacts[0].id],
    ]
  ) {
    const merged = await createRecord(admin, path, { from_id }, 200);
    const after = JSON.stringify(await readEverything(admin));
    assert.ok(!after.includes(beta.account.id) && !after.includes(beta.contacts[0].id));
    for (
      const [list, one, into] of [["accounts", beta.account, alpha.account], [
        "contacts",
        beta.contacts[0],
        alpha.contacts[0],
      ]]
    ) {
      const gone = await admin.call("GET", `/v1/${list}/${one.id}`);
      assert.deepEqual([gone.status, gone.body.merged_into], [404, into.id]);
    }
    assert.deepEqual((await createRecord(admin, `/v1/merges/${merged.merge_id}/undo`, {}, 200)).kept, []);
    assert.deepEqual(await readEverything(admin), before);
    assert.deepEqual(await sums(app), figures);
  }
});
