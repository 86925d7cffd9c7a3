/** Each call moves exactly the indicators that are named beside it, and no other. */
import assert from "node:assert/strict";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { unsubscribeUrl } from "../../src/messages/unsubscribe/links.ts";
import { consumer, everybody, sendingCompany, work } from "../messages/campaign_world.ts";
import { world } from "../sales/leads_world.ts";
import { tick } from "../sales/leads_states.ts";
import { newContact } from "../sales/parts.ts";
import { scene } from "../sales/tasks_world.ts";

type Values = Record<string, number | null>;

const since = "start_at=2026-01-01 00:00:00";

/** The catalogue's names, with the kind of each. */
async function catalogue(by: Actor): Promise<ReadonlyMap<string, string>> {
  const { status, body, text } = await by.call("GET", "/v1/reports/indicators");
  assert.equal(status, 200, text);
  return new Map(body.data.map(({ name, kind }: Body) => [name, kind]));
}

/** A journey of calls: `moves` makes one and compares all indicators before and after it. */
async function journey(admin: Actor) {
  const kinds = await catalogue(admin);
  const all = async (): Promise<Values> => {
    const names = [...kinds.keys()].join(",");
    const { status, body, text } = await admin.call(
      "GET",
      `/v1/reports/metrics?indicators=${names}&group_by=&${since}`,
    );
    assert.equal(status, 200, text);
    return Object.fromEntries(
      body.data.map(({ indicator, value }: Body) => [indicator, value]),
    );
  };
  const added = (name: string, now: number | null, then: number | null) =>
    ["mean", "rate"].includes(kinds.get(name)!) ? now : Number(now) - Number(then);
  let last = await all();
  return {
    /** Counts, sums and levels are expected as what is added; means and rates as their new value. */
    async moves(
      call: string,
      expected: Values,
      run: () => Promise<{ status: number; text: string; body: Body }>,
    ) {
      const { status, text, body } = await run();
      assert.ok(status < 300, `${call}: ${text}`);
      const now = await all();
      const changed = [...kinds.keys()].filter((name) => now[name] !== last[name]);
      assert.deepEqual(
        Object.fromEntries(
          changed.map((name) => [name, added(name, now[name]!, last[name]!)]),
        ),
        expected,
        call,
      );
      last = now;
      return body;
    },
  };
}

Deno.test("calls about customers, notes and users move their own indicators and no other", async () => {
  await using app = await startApp();
  const { company, member } = await scene(app);
  const { admin } = company;
  const { moves } = await journey(admin);
  for (const b2c of [false, true]) {
    const side = b2c ? "b2c" : "b2b";
    const account = await moves(
      "POST account",
      {
        [`accounts.${side}.created`]: 1,
        [`accounts.${side}.total`]: 1,
        ...(b2c ? {} : { "users.active": 1 }),
      },
      () =>
        member.call("POST", "/v1/accounts", {
          b2c,
          fixed_fields: [{ name: "name", value: "Engines" }],
        }),
    );
    const contact = await moves("POST contact", {
      [`contacts.${side}.created`]: 1,
      [`contacts.${side}.total`]: 1,
      "accounts_contacts.without_address": 1,
      "accounts_contacts.without_email": 1,
      "accounts_contacts.without_phone_number": 1,
    }, () =>
      member.call("POST", `/v1/accounts/${account.id}/contacts`, {
        fixed_fields: [{ name: "first_name", value: "Ada" }, {
          name: "last_name",
          value: "Byron",
        }],
      }));
    const at = `/v1/accounts/${account.id}/contacts/${contact.id}`;
    for (const channel of ["email", "call", "letter", "sms"]) {
      await moves(
        `PUT contact with consent to ${channel}`,
        { [`contacts.consent.${channel}`]: 1 },
        () =>
          member.call("PUT", at, {
            consent: { [channel]: { consent_given: true } },
          }),
      );
    }
    await moves(
      "PUT contact with consent withdrawn",
      { "contacts.consent.sms": -1 },
      () => member.call("PUT", at, { consent: { sms: { consent_given: false } } }),
    );
    await moves(
      "PUT contact with an address for e-mail",
      { "accounts_contacts.without_email": -1 },
      () =>
        member.call("PUT", at, {
          fixed_fields: [{ name: "email", value: "ada@example.org" }],
        }),
    );
    await moves(
      "PUT account with an address",
      { "accounts_contacts.without_address": -1 },
      () =>
        member.call("PUT", `/v1/accounts/${account.id}`, {
          fixed_fields: [{ name: "address", value: "Street 1" }],
        }),
    );
    await moves(
      "PUT account with another city",
      {},
      () =>
        member.call("PUT", `/v1/accounts/${account.id}`, {
          fixed_fields: [{ name: "city", value: "Turin" }],
        }),
    );
    await moves(
      "POST note",
      { "notes.created": 1 },
      () =>
        member.call("POST", "/v1/notes", {
          note: "Hello",
          account_id: account.id,
          contact_id: contact.id,
        }),
    );
    await moves("DELETE account with its contact", {
      [`accounts.${side}.deleted`]: 1,
      [`accounts.${side}.deleted.total`]: 1,
      [`accounts.${side}.total`]: -1,
      [`contacts.${side}.deleted`]: 1,
      [`contacts.${side}.deleted.total`]: 1,
      [`contacts.${side}.total`]: -1,
      "accounts_contacts.without_phone_number": -1,
      "contacts.consent.email": -1,
      "contacts.consent.call": -1,
      "contacts.consent.letter": -1,
    }, () => admin.call("DELETE", `/v1/accounts/${account.id}`));
  }
  await moves(
    "POST team",
    {},
    () => admin.call("POST", "/v1/teams", { name: "Another" }),
  );
  await moves(
    "DELETE user",
    { "users.total": -1 },
    () => admin.call("DELETE", `/v1/companies/${company.id}/users/${member.id}`),
  );
});

Deno.test("calls about cases, activities, tasks and products move their own indicators and no other", async () => {
  await using app = await startApp();
  const { company, member, team, path } = await scene(app);
  const { admin } = company;
  const { contact } = await newContact(member);
  const product = await admin.call("POST", "/v1/products", {
    fixed_fields: [{ name: "name", value: "Car" }, {
      name: "list_price",
      value: 100,
    }],
  });
  const { moves } = await journey(admin);
  const made = await moves(
    "POST case",
    { "cases.created": 1, "cases.open": 1 },
    () =>
      member.call("POST", "/v1/cases", {
        contact_id: contact.id,
        relations_path_id: path.id,
      }),
  );
  const activity = (names: string[], more = {}) => () =>
    member.call("POST", `/v1/cases/${made.id}/activities`, {
      activity_type_ids: names.map((name) => path.types[name]),
      ...more,
    });
  const one = { "activities.created": 1 };
  const milestone = { ...one, "activities.milestones": 1 };
  for (
    const [channel, name] of [
      ["phone", "phone_calls"],
      ["meeting", "meetings"],
      ["chat", "chats"],
      ["email", "emails"],
      ["letter", "letters"],
    ]
  ) {
    await moves(
      `POST activity by ${channel}`,
      { ...one, [`activities.${name}`]: 1 },
      activity(["Call"], {
        communication_channel: channel,
      }),
    );
  }
  const line = { id: product.body.id, quantity: 3, discount: 50 };
  await moves(
    "POST offer",
    { ...milestone, "cases.open.value": 250, "cases.open.weighted_value": 150 },
    activity(["Offer"], { product_details: [{ products: [line] }] }),
  );
  await moves(
    "POST activity of a lower milestone",
    milestone,
    activity(["Contacted"]),
  );
  const { task } = await moves(
    "POST activity with a task",
    { ...one, "tasks.created": 1 },
    activity(["Call"], {
      task: {
        type: "call",
        start_at: "2026-03-03 09:00:00",
        end_at: "2026-03-03 10:00:00",
      },
    }),
  );
  const change = (body: object) => () => member.call("PUT", `/v1/tasks/${task.id}`, body);
  await moves("PUT task completed in time", {
    "tasks.completed": 1,
    "tasks.completed_in_time": 1,
  }, change({ completed: true }));
  await moves("PUT task open again", {}, change({ completed: false }));
  await moves(
    "PUT task completed a second time",
    {},
    change({ completed: true }),
  );
  const sold = {
    "cases.closed": 1,
    "cases.closed.value": 250,
    "products.sold": 3,
    "products.revenue": 250,
  };
  app.clock.move(86_400_000);
  await moves("POST closing", {
    ...milestone,
    ...sold,
    "cases.open": -1,
    "cases.open.value": -250,
    "cases.open.weighted_value": -150,
    "cases.time_to_close": 86_400,
    "cases.success_rate": 100,
  }, activity(["Sold"]));
  await moves("POST reopening", {
    ...milestone,
    "cases.reopened": 1,
    "cases.open": 1,
    "cases.open.value": 250,
    "cases.open.weighted_value": 250,
  }, activity(["Reopened"]));
  const late = await moves(
    "POST activity with a task to be late",
    { ...one, "tasks.created": 1 },
    activity(["Call"], {
      task: {
        type: "call",
        start_at: "2026-03-04 09:00:00",
        end_at: "2026-03-04 10:00:00",
      },
    }),
  );
  app.clock.move(2 * 86_400_000);
  await moves(
    "the end of a task",
    { "tasks.overdue": 1 },
    () => admin.call("GET", "/v1/me"),
  );
  await moves(
    "PUT task completed late",
    { "tasks.completed": 1, "tasks.overdue": -1 },
    () => member.call("PUT", `/v1/tasks/${late.task.id}`, { completed: true }),
  );
  await moves(
    "PUT decline",
    {
      "cases.declined": 1,
      "cases.success_rate": 50,
      "cases.open": -1,
      "cases.open.value": -250,
      "cases.open.weighted_value": -250,
    },
    () =>
      member.call("PUT", `/v1/cases/${made.id}/decline`, {
        reason: "Too dear",
      }),
  );
  await moves(
    "POST note on a case",
    { "notes.created": 1 },
    () => member.call("POST", "/v1/notes", { note: "Hello", case_id: made.id }),
  );
  const note = await moves(
    "POST note that names its author",
    { "notes.created": 1, "notes.mentions": 1 },
    () => member.call("POST", "/v1/notes", { note: "Hm", case_id: made.id, notify: { users: [member.id] } }),
  );
  await moves(
    "PUT note that names a colleague later",
    {},
    () => member.call("PUT", `/v1/notes/${note.id}`, { notify: { users: [company.admin.id] } }),
  );
  await moves("POST note that names a user and a team", {
    "notes.created": 1,
    "notes.mentions": 1,
  }, () =>
    member.call("POST", "/v1/notes", {
      note: "Look",
      case_id: made.id,
      notify: { users: [member.id], teams: [team] },
    }));
});

Deno.test("calls and timers of leads move their own indicators and no other", async () => {
  await using app = await startApp();
  const place = await world(app);
  const { admin, member, agent, dealer } = place;
  const { moves } = await journey(admin);
  const lead = await moves("POST lead", {
    "leads.created": 1,
    "leads.assigned": 1,
    "leads.open": 1,
    "leads.acceptance_rate": 0,
  }, () => admin.call("POST", "/v1/leads", place.body()));
  const at = `/v1/leads/${lead.id}`;
  const timer = async () => {
    await tick(place);
    return await admin.call("GET", at);
  };
  app.clock.move(3 * 3_600_000);
  await moves(
    "the countdown of an assigned lead",
    { "leads.escalated": 1 },
    timer,
  );
  await moves(
    "PUT call",
    { "leads.called": 1, "users.active": 1 },
    () => agent.call("PUT", `${at}/call`),
  );
  app.clock.move(3 * 3_600_000);
  await moves("the countdown of a called lead", { "leads.revoked": 1 }, timer);
  await moves(
    "PUT assign",
    { "leads.assigned": 1 },
    () => agent.call("PUT", `${at}/assign/${dealer}`),
  );
  app.clock.move(60_000);
  await moves("PUT accept", {
    "leads.accepted": 1,
    "leads.open": -1,
    "leads.time_to_accept": 60,
    "leads.acceptance_rate": 50,
    "accounts.b2b.created": 1,
    "accounts.b2b.total": 1,
    "contacts.b2b.created": 1,
    "contacts.b2b.total": 1,
    "accounts_contacts.without_address": 1,
    "accounts_contacts.without_phone_number": 1,
    "cases.created": 1,
    "cases.open": 1,
    "users.active": 1,
  }, () => member.call("PUT", `${at}/accept`, {}));
  const [milestone] = (await admin.call("GET", "/v1/relations-paths")).body.data[0].activity_types
    .milestones;
  app.clock.move(90_000);
  await moves("POST the first activity", {
    "activities.created": 1,
    "activities.milestones": 1,
    "leads.time_to_first_activity": 90,
  }, async () => {
    const { body: { case_id } } = await admin.call("GET", at);
    return await member.call("POST", `/v1/cases/${case_id}/activities`, {
      activity_type_ids: [milestone.id],
    });
  });
  const next = { "leads.created": 1, "leads.assigned": 1, "leads.open": 1 };
  const second = await moves("POST a second lead", {
    ...next,
    "leads.acceptance_rate": 33.33,
  }, () => admin.call("POST", "/v1/leads", place.body()));
  await moves(
    "PUT reject",
    { "leads.rejected": 1 },
    () =>
      member.call("PUT", `/v1/leads/${second.id}/reject`, {
        rejection_reason: "Too far",
      }),
  );
  await moves(
    "DELETE lead",
    { "leads.deleted": 1, "leads.open": -1 },
    () => admin.call("DELETE", `/v1/leads/${second.id}`),
  );
});

Deno.test("a campaign and an unsubscribe link move their own indicators and no other", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  const contact = await consumer(admin, { first_name: "Ada", email: "ada@example.org" }, {
    consent: { email: { consent_given: true } },
  });
  const { moves } = await journey(admin);
  const campaign = await moves(
    "POST campaign",
    { "campaigns.sent": 1, "campaigns.messages": 1 },
    async () => {
      const reply = await admin.call("POST", "/v1/campaigns", everybody);
      await work(app);
      return reply;
    },
  );
  const about = { companyId: admin.companyId, contactId: contact.id, aboutId: campaign.id };
  const url = unsubscribeUrl(app.deps.secretsKey, app.url, about);
  await moves(
    "POST unsubscribe link",
    { "campaigns.unsubscribed": 1, "contacts.consent.email": -1 },
    async () => {
      const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
      const { status, text } = await fetch(url, { method: "POST", body }).then(async (reply) => ({
        status: reply.status,
        text: await reply.text(),
      }));
      return { status, text, body: null };
    },
  );
});
