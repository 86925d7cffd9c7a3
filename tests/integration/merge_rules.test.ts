/** The rules of merging: what is refused, whose values stay, what an undo keeps, and who sees merges. */
import assert from "node:assert/strict";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { sql } from "../../src/db/statements.ts";
import { forgetMerges } from "../../src/integration/merges/expire.ts";
import { makeSales, nameFields, readField } from "../sales/leads_world.ts";
import { createCustomer, createRecord, readAnswer } from "./merges_world.ts";

async function refusal(by: Actor, path: string, body?: object): Promise<Body[]> {
  const reply = await by.call("POST", path, body);
  return [
    reply.status,
    ...(reply.body.errors ?? [{ code: reply.body.code }]).map(({ path, code }: Body) =>
      path ? `${path} ${code}` : code
    ),
  ];
}

Deno.test("merges follow the rules of fields, consents, rights and chains", async (t) => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, company, dealer, member } = place;
  const deleter = await company.user({ teams: [dealer], rights: ["customers.delete"] });
  const far = await company.team();
  const stranger = await company.user({ teams: [far], rights: ["customers.delete"] });
  const field = await createRecord(admin, "/v1/fields/account", {
    name: "size",
    label: "Size",
    type: "text",
  });
  assert.ok(field.id);
  const account = (name: string, more: object = {}) =>
    createRecord(admin, "/v1/accounts", { team_id: dealer, fixed_fields: nameFields({ name }), ...more });
  const contact = (of: Body, more: object = {}) =>
    createRecord(admin, `/v1/accounts/${of.id}/contacts`, {
      fixed_fields: nameFields({ last_name: "Byron" }),
      ...more,
    });
  const [a, b] = [await account("A"), await account("B")];
  const path = `/v1/accounts/${a.id}/merge`;

  await t.step("what cannot be merged is refused at its place", async () => {
    const consumer = await account("C", { b2c: true });
    const hidden = await account("H", { team_id: far });
    const person = await contact(a);
    const cases: [object, Body[]][] = [
      [{}, [422, "from_id required"]],
      [{ from_id: 7 }, [422, "from_id type"]],
      [{ from_id: a.id }, [422, "from_id excluded"]],
      [{ from_id: person.id }, [422, "from_id exists"]],
      [{ from_id: hidden.id }, [422, "from_id exists"]],
      [{ from_id: consumer.id }, [422, "from_id type"]],
      [{ from_id: b.id, take: { city: "both" } }, [422, "take.city enum"]],
      [{ from_id: b.id, take: { nothing: "this", "custom.none": "other" } }, [
        422,
        "take.nothing unknown_field",
        "take.custom.none unknown_field",
      ]],
      [{ from_id: b.id, take: "other" }, [422, "take type"]],
    ];
    for (const [body, expected] of cases) {
      assert.deepEqual(await refusal(deleter, path, body), expected, JSON.stringify(body));
      const dry = await refusal(deleter, path, { ...body, dry_run: true });
      assert.deepEqual(dry, expected);
    }
    assert.equal((await refusal(member, path, { from_id: b.id }))[0], 403);
    assert.equal((await refusal(stranger, path, { from_id: hidden.id }))[0], 404);
    assert.deepEqual(
      await refusal(deleter, `/v1/contacts/${person.id}/merge`, {
        from_id: person.id,
        take: { team_id: "this" },
      }),
      [422, "from_id excluded", "take.team_id unknown_field"],
    );
  });

  await t.step(
    "a field keeps its value, takes the other's where it is empty, or is taken as asked",
    async () => {
      const one = await account("One", {
        external_id: "one",
        fixed_fields: nameFields({ name: "One", city: "Oslo", vat: "" }),
        custom_fields: nameFields({ size: "S" }),
      });
      const two = await account("Two", {
        team_id: null,
        external_id: "two",
        fixed_fields: nameFields({ name: "Two", city: "Turin", vat: "IT1", website: "two.example" }),
        custom_fields: nameFields({ size: "L" }),
      });
      const take = { external_id: "other", "custom.size": "other", website: "this", team_id: "other" };
      const merged = await createRecord(
        deleter,
        `/v1/accounts/${one.id}/merge`,
        { from_id: two.id, take },
        200,
      );
      const { record } = merged;
      assert.deepEqual(["name", "city", "vat", "website"].map((name) => readField(record, name)), [
        "One",
        "Oslo",
        "IT1",
        null,
      ]);
      assert.deepEqual([record.external_id, record.team_id, record.custom_fields[0].value], [
        "two",
        null,
        "L",
      ]);
      assert.deepEqual((await readAnswer(admin, "/v1/accounts?search=IT1")).data, []);
      // What somebody changes since stays, and is listed.
      const changed = await admin.call("PUT", `/v1/accounts/${one.id}`, {
        fixed_fields: nameFields({ vat: "NO1" }),
      });
      assert.equal(changed.status, 200, changed.text);
      const undone = await createRecord(deleter, `/v1/merges/${merged.merge_id}/undo`, {}, 200);
      assert.deepEqual(undone.kept, [{
        entity_type: "account",
        entity_id: one.id,
        field: "vat",
        reason: "changed",
      }]);
      const back = await readAnswer(admin, `/v1/accounts/${two.id}`);
      assert.deepEqual({ ...back, updated_at: null }, { ...two, updated_at: null });
      const own = await readAnswer(admin, `/v1/accounts/${one.id}`);
      assert.deepEqual([own.external_id, own.team_id, readField(own, "vat"), own.custom_fields[0].value], [
        "one",
        dealer,
        "NO1",
        "S",
      ]);
    },
  );

  await t.step("consent is false before true before null, and refusals stay", async () => {
    const consents = (...values: (boolean | null)[]) =>
      Object.fromEntries(
        ["call", "email", "letter", "sms"].map((channel, n) => [channel, { consent_given: values[n] }]),
      );
    const home = await account("Home");
    const email = (address: string) => nameFields({ last_name: "Byron", email: address });
    const one = await contact(home, {
      fixed_fields: email("one@home.example"),
      consent: consents(true, null, false, null),
    });
    const two = await contact(home, {
      fixed_fields: email("two@home.example"),
      consent: consents(false, true, true, null),
    });
    const merged = await createRecord(deleter, `/v1/contacts/${one.id}/merge`, { from_id: two.id }, 200);
    const listGiven = (record: Body) =>
      Object.values(record.consent).map((each) => (each as Body).consent_given);
    assert.deepEqual(listGiven(merged.record), [false, true, false, null]);
    await createRecord(deleter, `/v1/merges/${merged.merge_id}/undo`, {}, 200);
    assert.deepEqual(listGiven(await readAnswer(admin, `/v1/contacts/${one.id}`)), [true, null, false, null]);
    assert.deepEqual(listGiven(await readAnswer(admin, `/v1/contacts/${two.id}`)), [false, true, true, null]);
    const refusing = await contact(home, {
      fixed_fields: email("no@home.example"),
      consent: consents(null, false, null, null),
    });
    const both = await createRecord(deleter, `/v1/contacts/${one.id}/merge`, { from_id: refusing.id }, 200);
    assert.deepEqual(listGiven(both.record), [true, false, false, null]);
    const kept = await app.sql(
      "select reason, channel from refusals where company_id = ? and channel = 'email'",
      company.id,
    );
    assert.equal(kept.length, 1);
  });

  await t.step("messages of campaigns move, and come back as they were", async () => {
    const home = await account("Campaigns");
    const [one, two] = [await contact(home), await contact(home)];
    const sending = await admin.call("PUT", "/v1/campaigns/settings", { domain_slug: "merging" });
    assert.equal(sending.status, 200, sending.text);
    const campaign = await createRecord(admin, "/v1/campaigns", {
      type: "email",
      name: "Spring",
      approved: false,
      message: { subject: "Offers", content: "<p>Dear {{contact.first_name}},</p>", sender: "Ada" },
      filter: [{ field: "contact.status", operator: "eq", value: "customer" }],
    });
    const other = await createRecord(admin, `/v1/campaigns/${campaign.id}/copy`, {});
    const sends: [string, string, string][] = [
      [campaign.id, one.id, "one@a.example"],
      [campaign.id, two.id, "two@a.example"],
      [other.id, two.id, "two@a.example"],
    ];
    await app.deps.db.write(
      sends.map(([of, to, email]) =>
        sql`insert into campaign_messages (company_id, campaign_id, contact_id, email, email_key, status, subject,
        "values", created_at, updated_at) values (${company.id}, ${of}, ${to}, ${email}, ${email}, 'sent', 'Hello',
        '{}', '2026-03-02 09:00:00', '2026-03-02 09:00:00')`
      ),
    );
    const messages = () =>
      app.sql(
        `select campaign_id, contact_id, email, email_key, status, subject, "values" from campaign_messages
        where company_id = ? order by id`,
        company.id,
      );
    const before = await messages();
    const merged = await createRecord(deleter, `/v1/contacts/${one.id}/merge`, { from_id: two.id }, 200);
    assert.equal(merged.moved.campaign_messages, 1);
    assert.deepEqual((await messages()).map(({ contact_id, email }) => [contact_id, email]), [
      [one.id, "one@a.example"],
      [two.id, null],
      [one.id, "two@a.example"],
    ]);
    const undone = await createRecord(deleter, `/v1/merges/${merged.merge_id}/undo`, {}, 200);
    assert.deepEqual(undone, { restored: merged.moved, kept: [] });
    assert.deepEqual(await messages(), before);
  });

  await t.step("the undo leaves what was changed, moved or deleted since, and says so", async () => {
    const [one, two] = [await createCustomer(place, "Alpha"), await createCustomer(place, "Beta")];
    const merged = await createRecord(
      deleter,
      `/v1/accounts/${one.account.id}/merge`,
      { from_id: two.account.id },
      200,
    );
    const elsewhere = await account("Elsewhere");
    const [gone, moved] = two.contacts;
    const away = `/v1/accounts/${one.account.id}/contacts`;
    assert.equal((await admin.call("PUT", `${away}/${moved.id}`, { account_id: elsewhere.id })).status, 200);
    assert.equal((await admin.call("DELETE", `${away}/${gone.id}`)).status, 204);
    const { kept } = await createRecord(deleter, `/v1/merges/${merged.merge_id}/undo`, {}, 200);
    const said = kept.map(({ entity_type, entity_id, field, reason }: Body) =>
      `${entity_type} ${entity_id} ${field} ${reason}`
    );
    assert.ok(said.includes(`contact ${gone.id} null deleted`));
    assert.ok(said.includes(`contact ${moved.id} account_id moved`));
    assert.ok(said.includes(`case ${two.cases[0].id} null deleted`));
    assert.equal((await readAnswer(admin, `/v1/contacts/${moved.id}`)).account.id, elsewhere.id);
    assert.equal((await readAnswer(admin, `/v1/cases/${two.cases[1].id}`)).account.id, two.account.id);
  });

  await t.step("a chain is undone backwards, and its ids lead to what there is now", async () => {
    const [x, y, z] = [await account("X"), await account("Y"), await account("Z")];
    const first = await createRecord(deleter, `/v1/accounts/${y.id}/merge`, { from_id: x.id }, 200);
    const second = await createRecord(deleter, `/v1/accounts/${z.id}/merge`, { from_id: y.id }, 200);
    for (const { id } of [x, y]) {
      assert.equal((await deleter.call("GET", `/v1/accounts/${id}`)).body.merged_into, z.id);
      assert.equal((await stranger.call("GET", `/v1/accounts/${id}`)).body.merged_into, undefined);
    }
    const covered = await deleter.call("POST", `/v1/merges/${first.merge_id}/undo`);
    assert.deepEqual([covered.status, covered.body.code, covered.body.merge_id], [
      409,
      "merge_covered",
      second.merge_id,
    ]);
    await createRecord(deleter, `/v1/merges/${second.merge_id}/undo`, {}, 200);
    assert.equal((await deleter.call("GET", `/v1/accounts/${x.id}`)).body.merged_into, y.id);
    await createRecord(deleter, `/v1/merges/${first.merge_id}/undo`, {}, 200);
    for (const { id } of [x, y, z]) await readAnswer(deleter, `/v1/accounts/${id}`);
  });

  await t.step("merges are seen by those who see the record, and undone for 30 days", async () => {
    const [x, y] = [await account("X"), await account("Y")];
    const { merge_id: id } = await createRecord(
      deleter,
      `/v1/accounts/${y.id}/merge`,
      { from_id: x.id },
      200,
    );
    const { data } = await readAnswer(member, `/v1/merges?entity_type=account&entity_id=${y.id}`);
    assert.deepEqual(data, [{
      id,
      entity_type: "account",
      entity_id: y.id,
      from_id: x.id,
      moved: data[0].moved,
      user: { id: deleter.id, name: data[0].user.name },
      created_at: data[0].created_at,
      undone_at: null,
    }]);
    assert.equal((await readAnswer(admin, "/v1/merges")).data[0].id, id);
    assert.deepEqual(
      (await readAnswer(stranger, "/v1/merges")).data.filter((each: Body) => each.id === id),
      [],
    );
    assert.equal((await stranger.call("GET", `/v1/merges/${id}`)).status, 404);
    assert.equal((await stranger.call("POST", `/v1/merges/${id}/undo`)).status, 404);
    assert.equal((await member.call("POST", `/v1/merges/${id}/undo`)).status, 403);
    const foreign = (await app.company()).admin;
    assert.equal((await foreign.call("GET", `/v1/merges/${id}`)).status, 404);
    assert.deepEqual((await admin.call("GET", "/v1/merges?entity_type=case")).body.errors[0].code, "enum");
    const long = { sql: "update merges set created_at = '2026-01-30 10:00:00' where id = ?", args: [id] };
    await app.deps.db.write([long]);
    const expired = await admin.call("POST", `/v1/merges/${id}/undo`);
    assert.deepEqual([expired.status, expired.body.code], [410, "merge_expired"]);
    // What the undo needed is forgotten; that there was a merge is not.
    assert.equal(await forgetMerges(app.deps, app.clock.now()), 1);
    assert.deepEqual(await app.sql("select kept from merges where id = ?", id), [{ kept: null }]);
    assert.equal((await admin.call("POST", `/v1/merges/${id}/undo`)).status, 410);
    assert.equal((await readAnswer(admin, `/v1/merges/${id}`)).undone_at, null);
    // With its record it goes altogether.
    assert.equal((await admin.call("DELETE", `/v1/accounts/${y.id}`)).status, 204);
    assert.equal((await admin.call("POST", `/v1/merges/${id}/undo`)).status, 404);
    assert.equal((await admin.call("GET", `/v1/accounts/${x.id}`)).body.merged_into, undefined);
  });
});

Deno.test("a merge and its undo send an event of each record that changes", async () => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, company } = place;
  const [alpha, beta] = [await createCustomer(place, "Alpha"), await createCustomer(place, "Beta")];
  const last = async () => Number((await app.sql("select max(rowid) as n from outbox"))[0]!.n);
  const events = async (since: number) =>
    (await app.sql(
      "select event_name, entity_id, sequence, body from outbox where company_id = ? and rowid > ? order by rowid",
      company.id,
      since,
    )).map(({ event_name, entity_id, sequence, body }) => ({
      name: event_name,
      id: entity_id,
      sequence: Number(sequence),
      data: JSON.parse(body as string),
    }));
  const since = await last();
  const { merge_id } = await createRecord(admin, `/v1/accounts/${alpha.account.id}/merge`, {
    from_id: beta.account.id,
  }, 200);
  const merged = await events(since);
  const named = Object.entries(Object.groupBy(merged, ({ name }) => String(name)))
    .map(([name, all]) => `${all!.length} ${name}`).toSorted();
  assert.deepEqual(named, [
    "1 account_deleted",
    "1 account_updated",
    "2 case_updated",
    "2 contact_updated",
    "2 lead_updated",
    "2 note_updated",
  ]);
  const gone = merged.find(({ name }) => name === "account_deleted")!;
  assert.deepEqual([gone.id, gone.data.merged_into], [beta.account.id, alpha.account.id]);
  const asAnswered = async (made: Awaited<ReturnType<typeof events>>) => {
    for (const { name, id, data } of made) {
      if (name === "account_deleted") continue;
      const kind = String(name).slice(0, String(name).lastIndexOf("_"));
      assert.deepEqual(data, await readAnswer(admin, `/v1/${kind}s/${id}`), `${name} ${id}`);
    }
  };
  await asAnswered(merged);
  const between = await last();
  await createRecord(admin, `/v1/merges/${merge_id}/undo`, {}, 200);
  const undone = await events(between);
  await asAnswered(undone);
  const back = undone.find(({ name }) => name === "account_created")!;
  assert.deepEqual([back.id, back.sequence], [beta.account.id, gone.sequence + 1]);
  assert.equal(undone.length, merged.length);
});

Deno.test("an undo brings a record back to its own team, whichever the company has besides", async () => {
  await using app = await startApp();
  const { admin, company, dealer } = await makeSales(app);
  const teams = [await company.team(), dealer, await company.team()];
  for (const from of teams) {
    for (const into of teams) {
      const [one, other] = await Promise.all(
        [into, from].map((team_id) =>
          createRecord(admin, "/v1/accounts", {
            team_id,
            fixed_fields: nameFields({ name: `Of ${team_id}` }),
          })
        ),
      );
      await createRecord(admin, `/v1/accounts/${other!.id}/contacts`, {
        fixed_fields: nameFields({ last_name: "Byron" }),
      });
      const merged = await createRecord(admin, `/v1/accounts/${one!.id}/merge`, { from_id: other!.id }, 200);
      const undone = await createRecord(admin, `/v1/merges/${merged.merge_id}/undo`, {}, 200);
      assert.deepEqual(undone.kept, []);
      assert.equal((await readAnswer(admin, `/v1/accounts/${other!.id}`)).team_id, from);
      assert.equal((await readAnswer(admin, `/v1/accounts/${one!.id}`)).team_id, into);
    }
  }
});
