/** `GET /search` and `GET /leads?search=`, by a model: what the lists find, and single records. */
import assert from "node:assert/strict";
import { indexLeads } from "../../src/sales/leads/search_index.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { put } from "../sales/leads_states.ts";
import { makeSales, nameFields, type World } from "../sales/leads_world.ts";

const lists: Readonly<Record<string, string>> = {
  account: "/v1/accounts",
  contact: "/v1/contacts",
  case: "/v1/cases",
  lead: "/v1/leads",
  file: "/v1/files",
};

async function search(actor: Actor, q: string, more = ""): Promise<Record<string, Body>> {
  const { status, body, text } = await actor.call("GET", `/v1/search?q=${encodeURIComponent(q)}${more}`);
  assert.equal(status, 200, text);
  assert.equal(body.query, q);
  return Object.fromEntries(body.data.map((kind: Body) => [kind.type, kind]));
}

async function listIds(actor: Actor, type: string, q: string): Promise<string[]> {
  const { body } = await actor.call("GET", `${lists[type]}?per_page=100&search=${encodeURIComponent(q)}`);
  return body.data.map(({ id }: Body) => id);
}

/** Customers, cases, leads and files of two teams that do not see each other's. */
async function fillWorld(place: World) {
  const { company, admin, member, dealer } = place;
  const far = await company.team({ name: "Far", team_type: "dealer" });
  const stranger = await company.user({ teams: [far] });
  const create = async (actor: Actor, path: string, body: object): Promise<Body> => {
    const reply = await actor.call("POST", path, body);
    assert.equal(reply.status, 201, reply.text);
    return reply.body;
  };
  const field = await create(admin, "/v1/fields/contact", { label: "Hobby", type: "text" });
  const customers: Body[] = [];
  for (const [team_id, name] of [[dealer, "Löwe"], [far, "Löwe Süd"], [dealer, "Adler"]] as const) {
    const account = await create(admin, "/v1/accounts", {
      team_id,
      external_id: `X-${name.length}`,
      fixed_fields: nameFields({ name: `${name} GmbH`, city: "Kiel", website: "https://kiel.example.org" }),
    });
    const contact = await create(admin, `/v1/accounts/${account.id}/contacts`, {
      team_id,
      external_id: `anna.${name.length}@kiel`,
      fixed_fields: nameFields({
        first_name: "Anna",
        last_name: name,
        email: `anna${name.length}@example.org`,
        phone_number: `+49 431 55512${name.length}`,
      }),
      custom_fields: [{ name: field.name, value: "Segeln" }],
    });
    const path = place.path;
    const one = await create(admin, "/v1/cases", {
      contact_id: contact.id,
      relations_path_id: path,
      team_id,
    });
    customers.push({ account, contact, one });
  }
  const data = btoa("offer");
  await create(member, "/v1/files", { name: "Löwe offer.pdf", data });
  await create(stranger, "/v1/files", { name: "Löwe secret.pdf", data });
  const leads = [
    await place.lead({
      interest: "Löwe cabriolet",
      contact: {
        fixed_fields: nameFields({
          first_name: "Čeněk",
          last_name: "Löwe",
          email: "cenek@löwe.example",
          phone_number: "0431/777 888-1",
        }),
      },
    }),
    await place.lead({ team_id: far, account: { fixed_fields: nameFields({ name: "Löwe Nord" }) } }),
    await place.lead({
      account: null,
      contact: null,
      account_id: customers[2]!.account.id,
      contact_id: customers[2]!.contact.id,
    }),
    await place.lead({ interest: "Löwe gone" }),
  ];
  await admin.call("DELETE", `/v1/leads/${leads[3]!.id}`);
  return { stranger, customers, leads };
}

Deno.test("the search finds what the lists of the caller find, and leads by what they bring", async (t) => {
  await using app = await startApp();
  const place = await makeSales(app);
  const { admin, member, agent } = place;
  const { stranger, customers, leads } = await fillWorld(place);
  const other = (await app.company()).admin;
  const [lion, , eagle] = customers as [Body, Body, Body];

  await t.step("for each caller and search, with totals", async () => {
    const totals = new Set<number>();
    for (const actor of [admin, member, agent, stranger, other]) {
      for (const q of ["löwe", "LOWE gmb", "anna", "431", "kiel", "segeln", "pdf", "a", "zebra", "!?"]) {
        const all = await search(actor, q, "&limit=25");
        for (const type of Object.keys(lists)) {
          const ids = await listIds(actor, type, q);
          const hits: string[] = (all[type]?.items ?? []).map(({ id }: Body) => id);
          assert.deepEqual(hits.toSorted(), ids.toSorted(), `${actor.id} ${type} ${q}`);
          assert.equal(all[type]?.total ?? 0, ids.length);
          totals.add(ids.length);
        }
      }
    }
    assert.ok(totals.size > 3, "the callers find different records");
  });

  await t.step("each with its title, status and the field that was found", async () => {
    const findShown = async (q: string, type: string, id: string) => {
      const { id: _, ...item } = (await search(admin, q))[type]!.items.find((item: Body) => item.id === id);
      return item;
    };
    const [account, contact, one] = [lion.account.id, lion.contact.id, lion.one.id];
    const number = String(lion.one.case_number);
    assert.deepEqual(await findShown("lowe", "account", account), {
      title: "Löwe GmbH",
      subtitle: "Kiel",
      status: null,
      matched: "name",
    });
    const person = { title: "Anna Löwe", subtitle: "Löwe GmbH", status: "opportunity" };
    for (
      const [q, matched] of [
        ["löwe", "last_name"],
        ["anna4@example.org", "email"],
        ["0431 555124", "phone_number"],
        ["segeln", "custom.hobby"],
      ] as const
    ) assert.deepEqual(await findShown(q, "contact", contact), { ...person, matched });
    assert.deepEqual(await findShown(number, "case", one), {
      title: "Anna Löwe",
      subtitle: number,
      status: "open",
      matched: "case_number",
    });
    const lead = { title: "Čeněk Löwe", subtitle: "Löwe cabriolet", status: "assigned" };
    for (
      const [q, matched] of [
        ["cenek", "contact.first_name"],
        ["cenek@löwe.example", "contact.email"],
        ["04317778881", "contact.phone_number"],
        ["+49 431 7778881", "contact.phone_number"],
        ["cabrio", "interest"],
      ] as const
    ) assert.deepEqual(await findShown(q, "lead", leads[0]!.id), { ...lead, matched }, q);
    assert.equal((await findShown("adler gmbh", "lead", leads[2]!.id)).matched, "account.name");
    assert.equal((await findShown("adler", "lead", leads[2]!.id)).matched, "contact.last_name");
  });

  await t.step("an exact external id and case number come first, also beyond the words", async () => {
    const { contact, account } = await search(admin, "anna.4@kiel", "&limit=1");
    assert.equal(account, undefined);
    assert.equal(contact!.items[0].id, lion.contact.id);
    assert.equal(contact!.items[0].matched, "external_id");
    assert.equal(contact!.total, (await listIds(admin, "contact", "anna.4@kiel")).length + 1);
    assert.deepEqual(await search(member, "anna.8@kiel"), {}, "the contact of another team");
    for (let n = 0; n < 9; n++) await admin.call("POST", "/v1/cases", makeCaseBody(place, eagle));
    const number = String(lion.one.case_number);
    const { case: cases } = await search(admin, number, "&limit=2");
    assert.deepEqual(cases!.items.map(({ id }: Body) => id)[0], lion.one.id);
    assert.equal(cases!.total, (await listIds(admin, "case", number)).length);
    assert.ok(cases!.total > 1);
    assert.equal(
      (await search(stranger, number)).case?.items.some(({ id }: Body) => id === lion.one.id),
      undefined,
    );
  });

  await t.step("leads follow their customers, and what they bring", async () => {
    const ids = (q: string) => listIds(admin, "lead", q);
    const rename = async ({ id, account }: Body, last_name: string) => {
      const path = `/v1/accounts/${account.id}/contacts/${id}`;
      assert.equal((await admin.call("PUT", path, { fixed_fields: nameFields({ last_name }) })).status, 200);
    };
    await rename(eagle.contact, "Falke");
    assert.deepEqual([await ids("falke"), await ids("adler gmbh")], [[leads[2]!.id], [leads[2]!.id]]);
    assert.deepEqual(await ids("anna adler"), [leads[2]!.id], "by the name of the account");
    assert.equal((await admin.call("PUT", `/v1/leads/${leads[0]!.id}`, { interest: "Estate" })).status, 200);
    assert.deepEqual([await ids("cabriolet"), await ids("estate")], [[], [leads[0]!.id]]);
    await put(place, "member", leads[0]!.id, "/accept");
    const lead = (await admin.call("GET", `/v1/leads/${leads[0]!.id}`)).body;
    await rename({ id: lead.contact_id, account: { id: lead.account_id } }, "Wolf");
    assert.deepEqual([await ids("wolf"), await ids("cenek löwe")], [[lead.id], [lead.id]]);
    const { lead: hit } = await search(admin, "wolf");
    assert.deepEqual(hit!.items[0].title, "Čeněk Wolf");
  });

  await t.step("with other filters, statuses and pages", async () => {
    const query = "search=l%C3%B6we&status=assigned,accepted&sort=escalates_at&per_page=1";
    const { body } = await admin.call("GET", `/v1/leads?${query}`);
    const { all, assigned, accepted } = body.statuses;
    assert.deepEqual({ all, assigned, accepted }, { all: 2, assigned: 1, accepted: 1 });
    assert.equal(body.pagination.total, 2);
    const next = await admin.call("GET", body.pagination.urls.next.replace(app.url, ""));
    assert.equal(next.body.data.length, 1);
    assert.notEqual(next.body.data[0].id, body.data[0].id);
  });

  await t.step("the agency's lists too, and by source", async () => {
    const made = [];
    for (const lead_source of ["fair", "Fair"]) made.push(await place.lead({ team_id: null, lead_source }));
    const ids = async (query: string) => {
      const { status, body, text } = await agent.call("GET", `/v1/leads/assignable?sort=created_at&${query}`);
      assert.equal(status, 200, text);
      assert.equal(body.pagination.total, body.data.length);
      return body.data.map(({ id }: Body) => id);
    };
    const both = made.map(({ id }) => id);
    assert.deepEqual([await ids("search=ada%20byr"), await ids("search=zebra")], [both, []]);
    assert.deepEqual(await ids("lead_sources=Fair&search=byron"), [both[1]]);
  });

  await t.step("the kind of an exact case number or external id comes first", async () => {
    const number = String(lion.one.case_number);
    const path = `/v1/accounts/${eagle.account.id}/contacts/${eagle.contact.id}`;
    const renamed = await admin.call("PUT", path, {
      fixed_fields: nameFields({ last_name: `Falke ${number}` }),
    });
    assert.equal(renamed.status, 200, renamed.text);
    const hits = await search(admin, number);
    assert.ok(hits.contact!.items.some(({ id }: Body) => id === eagle.contact.id));
    assert.equal(Object.keys(hits)[0], "case");
    assert.deepEqual(Object.keys(await search(admin, "falke")), ["contact", "case", "lead"]);
  });

  await t.step("only the kinds that are asked for, and nothing malformed", async () => {
    assert.deepEqual(Object.keys(await search(admin, "löwe", "&types=lead,account")), ["account", "lead"]);
    for (
      const query of [
        "",
        "q=",
        "q=%20",
        `q=${"a".repeat(201)}`,
        "q=a&types=user",
        "q=a&types=",
        "q=a&limit=26",
      ]
    ) {
      assert.equal((await admin.call("GET", `/v1/search?${query}`)).status, 422, query);
    }
  });

  await t.step("leads of an earlier version get their words by a job", async () => {
    await forget(app);
    assert.deepEqual(await listIds(admin, "lead", "nord"), []);
    assert.equal(await indexLeads(app.deps), 6, "also the deleted lead");
    assert.equal(await indexLeads(app.deps), 0);
    assert.deepEqual(await listIds(admin, "lead", "nord"), [leads[1]!.id]);
    assert.deepEqual(await listIds(admin, "lead", "wolf"), [leads[0]!.id]);
  });
});

function makeCaseBody({ path, dealer }: World, { contact }: Body) {
  return { contact_id: contact.id, relations_path_id: path, team_id: dealer };
}

async function forget(app: TestApp): Promise<void> {
  await app.deps.db.write([{ sql: "update leads set words = null", args: [] }]);
}
