/** Acceptance for each combination of records that the lead and the acceptance name. */
import assert from "node:assert/strict";
import { type Body, startApp } from "../support/app.ts";
import { put } from "./leads_states.ts";
import { makeSales, nameFields, readField, type World } from "./leads_world.ts";
import { readEvents } from "./parts.ts";

/** An account with a contact. */
interface Party {
  readonly kind: "own" | "shared" | "others" | "consumer";
  readonly account: string;
  readonly contact: string;
}

/** The named records. */
type Naming = "nothing" | "account" | "contact" | "both";

async function newParty(sales: World, kind: Party["kind"], foreign: number): Promise<Party> {
  const { admin, dealer } = sales;
  const account = await admin.call("POST", "/v1/accounts", {
    b2c: kind === "consumer",
    team_id: { own: dealer, consumer: dealer, shared: null, others: foreign }[kind],
    fixed_fields: nameFields({ name: kind, city: "London", vat: "1" }),
  });
  assert.equal(account.status, 201, account.text);
  const contact = await admin.call("POST", `/v1/accounts/${account.body.id}/contacts`, {
    fixed_fields: nameFields({ first_name: "Ada", last_name: kind, phone_number: "1" }),
    consent: { email: { consent_given: true }, sms: { consent_given: true } },
  });
  assert.equal(contact.status, 201, contact.text);
  return { kind, account: account.body.id, contact: contact.body.id };
}

const accountNamed = (party: Party, what: Naming) =>
  what === "account" || what === "both" ? { account_id: party.account } : {};
const contactNamed = (party: Party, what: Naming) =>
  what === "contact" || what === "both" ? { contact_id: party.contact } : {};

const fields = (record: Body, ...names: string[]) =>
  names.map((name) => readField(record as never, name) ?? null);

/** Removes the account, because contacts show its name. */
const withoutAccount = (text: string) => text.replace(/"account":\{[^}]*\},/, "");

const combinations: [Party["kind"], Naming, Party["kind"], Naming][] = [];
for (const kind of ["own", "shared", "others", "consumer"] as const) {
  for (const what of ["account", "contact", "both"] as const) {
    combinations.push([kind, what, "own", "nothing"]);
  }
}
for (const chosen of ["own", "shared", "consumer"] as const) {
  for (const what of ["account", "contact", "both"] as const) {
    combinations.push(["own", "nothing", chosen, what]);
    combinations.push(["own", "both", chosen, what]);
    if (what !== "account") combinations.push(["others", "account", chosen, what]);
    if (what === "account") combinations.push(["own", "contact", chosen, what]);
  }
}
combinations.push(["own", "nothing", "own", "nothing"]);

for (const [kind, naming, chosen, choosing] of combinations) {
  const what = (of: string, how: Naming) => how === "nothing" ? how : `${how} of ${of}`;
  Deno.test(`a lead that names ${what(kind, naming)}, accepted into ${what(chosen, choosing)}, is merged there alone`, async () => {
    await using app = await startApp();
    const sales = await makeSales(app);
    const { admin, dealer } = sales;
    const foreign = await sales.company.team();
    const lead = await newParty(sales, kind, foreign);
    const choice = await newParty(sales, chosen, foreign);
    const made = await sales.lead({
      b2c: kind === "consumer",
      account: {
        fixed_fields: nameFields({
          city: "Paris",
          vat: null,
          ...(naming === "nothing" ? { name: "New" } : {}),
        }),
      },
      contact: {
        fixed_fields: nameFields({
          title: "Dr",
          phone_number: null,
          ...(naming === "nothing" ? { email: "a@b.at" } : {}),
        }),
        consent: { email: { consent_given: false }, call: { consent_given: true } },
      },
      ...(naming === "account"
        ? { contact: { fixed_fields: nameFields({ title: "Dr", phone_number: null, email: "a@b.at" }) } }
        : {}),
      ...accountNamed(lead, naming),
      ...contactNamed(lead, naming),
    });
    const before = new Map<string, string>();
    const makePaths = (
      party: Party,
    ) => [`/v1/accounts/${party.account}`, `/v1/accounts/${party.account}/contacts/${party.contact}`];
    for (const path of [...makePaths(lead), ...makePaths(choice)]) {
      before.set(path, (await admin.call("GET", path)).text);
    }
    const known = (await readEvents(app)).length;
    app.clock.move(60_000);
    const reply = await put(sales, "member", made.id, "/accept", {
      ...accountNamed(choice, choosing),
      ...contactNamed(choice, choosing),
    });
    assert.equal(reply.status, 200, reply.text);
    const { account_id, contact_id } = reply.body;

    const into = choosing !== "nothing" ? choice : naming !== "nothing" && kind !== "others" ? lead : null;
    const person = into === null
      ? null
      : into === choice
      ? choosing !== "account" || chosen === "consumer" ? choice.contact : null
      : naming !== "account" || kind === "consumer"
      ? lead.contact
      : null;
    if (into) assert.equal(account_id, into.account);
    else assert.ok(![lead.account, choice.account].includes(account_id));
    if (person) assert.equal(contact_id, person);
    else assert.ok(![lead.contact, choice.contact].includes(contact_id));

    const path = `/v1/accounts/${account_id}`;
    const account = await admin.call("GET", path);
    const contact = await admin.call("GET", `${path}/contacts/${contact_id}`);
    // An empty value clears the field of a record that the lead names, or of its copy.
    const namedIt = into === lead ? naming !== "contact" : into === null;
    const isNew = into === null && naming === "nothing";
    assert.deepEqual(fields(account.body, "name", "city", "vat"), [
      naming === "nothing" ? "New" : (into ?? lead).kind,
      "Paris",
      namedIt || isNew ? null : "1",
    ]);
    assert.equal(account.body.team_id, into ? (into.kind === "shared" ? null : dealer) : dealer);
    const copied = person === null && naming !== "nothing" && naming !== "account";
    const own = person === lead.contact && naming !== "account";
    assert.deepEqual(fields(contact.body, "last_name", "title", "phone_number"), [
      person ? (person === lead.contact ? kind : chosen) : copied ? kind : null,
      "Dr",
      person && !own ? "1" : null,
    ]);
    const consents = naming === "account" ? {} : { email: false, call: true };
    const had = person ? { email: true, sms: true } : {};
    const { consent } = contact.body;
    const given = Object.fromEntries(Object.keys(consent).map((each) => [each, consent[each].consent_given]));
    assert.deepEqual(given, { call: null, email: null, letter: null, sms: null, ...had, ...consents });

    for (const [other, text] of before) {
      if (other === path || other === `${path}/contacts/${contact_id}`) continue;
      const now = (await admin.call("GET", other)).text;
      assert.equal(withoutAccount(now), withoutAccount(text), "no other record changes");
    }
    const events = (await readEvents(app)).slice(known);
    assert.deepEqual(events.map(({ name }) => name), [
      "lead_accepted",
      into ? "account_updated" : "account_created",
      person ? "contact_updated" : "contact_created",
      "case_created",
    ]);
    const its_case = await admin.call("GET", `/v1/cases/${reply.body.case_id}`);
    assert.deepEqual(events.slice(1).map(({ body }) => body), [account.body, contact.body, its_case.body]);
    assert.deepEqual([its_case.body.account.id, its_case.body.contact.id], [account_id, contact_id]);
    assert.equal((await admin.call("GET", `/v1/leads/${made.id}`)).text, reply.text);
  });
}
