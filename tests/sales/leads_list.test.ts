import assert from "node:assert/strict";
import { LeadPage } from "../../src/sales/leads/list_schema.ts";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { makeSales, nameFields } from "./leads_world.ts";

Deno.test("each parameter filters the list, with the exact total", async () => {
  await using app = await startApp();
  const { admin, agent, member, dealer, type, lead, leadType, company } = await makeSales(app);
  const group = await company.group();
  const grouped = await company.team({ group_id: group, team_type: "dealer" });
  const other = await leadType();
  const a = await lead({ lead_source: "website", external_weight: 5 });
  app.clock.move(60_000);
  const b = await lead({ lead_source: "fair", lead_type_id: other, team_id: grouped });
  app.clock.move(60_000);
  const c = await lead({ lead_source: "phone", team_id: null, external_weight: 90 });
  await agent.call("PUT", `/v1/leads/${c.id}/assign`, { team_id: dealer, user_id: member.id });
  app.clock.move(60_000);
  await member.call("PUT", `/v1/leads/${a.id}/reject`, { rejection_reason: "Too far" });
  const list = async (query: string): Promise<string> => {
    const answer = await admin.call("GET", `/v1/leads?${query}`);
    assert.equal(answer.status, 200, answer.text);
    const { data, pagination } = LeadPage.parse(answer.body);
    assert.equal(pagination.total, data.length, query);
    return data.map(({ id }) => id === a.id ? "a" : id === b.id ? "b" : "c").join("");
  };
  const expected: Record<string, string> = {
    "": "cba",
    "status=rejected": "a",
    "status=assigned": "cb",
    "status=revoked": "",
    [`lead_types=${type}`]: "ca",
    [`lead_types=${type},${other}`]: "cba",
    "lead_sources=fair,phone": "cb",
    "lead_sources[]=fair&lead_sources[]=website": "ba",
    [`users=${member.id}`]: "c",
    [`teams=${grouped}`]: "b",
    [`groups=${group}`]: "b",
    [`status=assigned&teams=${dealer}`]: "c",
    "start_at=2026-03-02 09:01:00": "cb",
    "end_at=2026-03-02 09:01:00": "ba",
    "sort=created_at": "abc",
    "sort=-updated_at": "acb",
    "sort=external_weight": "bac",
    "sort=-external_weight": "cab",
  };
  for (const [query, ids] of Object.entries(expected)) assert.equal(await list(query), ids, query);
  for (const query of ["status=new", "sort=interest", "lead_types=1", "users=x"]) {
    assert.equal((await admin.call("GET", `/v1/leads?${query}`)).status, 422, query);
  }
  const order = "start_at=2026-03-02 09:01:00&end_at=2026-03-02 09:01:00";
  const [error] = (await admin.call("GET", `/v1/leads?${order}`)).body.errors;
  assert.deepEqual([error.path, error.code], ["query.end_at", "after"]);
});

Deno.test("parameters of the list combine, for each caller, in each order and on each page", async () => {
  await using app = await startApp();
  const { admin, agent, member, dealer, agency, type, lead, leadType, company } = await makeSales(app);
  const group = await company.group();
  const near = await company.team({ group_id: group, team_type: "dealer" });
  const far = await company.team({ team_type: "dealer" });
  const other = await leadType();
  const made: Body[] = [];
  for (let n = 0; n < 18; n++) {
    const team_id = [dealer, near, far, null, dealer][n % 5]!;
    const { id } = await lead({
      team_id: n % 4 === 0 && team_id === dealer ? null : team_id,
      agency_team_id: n % 3 === 0 && team_id !== null && n % 4 > 0 ? null : agency,
      lead_type_id: n % 2 ? type : other,
      lead_source: ["Fair", "fair", "Web"][n % 3],
      external_weight: 1 + n % 4,
    });
    if (n % 4 === 0 && team_id === dealer) {
      await admin.call("PUT", `/v1/leads/${id}/assign`, { team_id: dealer, user_id: member.id });
    }
    made.push((await admin.call("GET", `/v1/leads/${id}`)).body);
    app.clock.move(60_000);
  }
  const late = "2026-03-02 09:10:00";
  const of: [string, (lead: Body) => boolean][] = [
    ["", () => true],
    [`lead_types=${other}`, (each) => each.lead_type_id === other],
    ["lead_sources=Fair", (each) => each.lead_source === "Fair"],
    ["lead_sources=Fair,Web,none", (each) => each.lead_source !== "fair"],
    [`users=${member.id}`, (each) => each.user_id === member.id],
    [`teams=${near},${dealer}`, (each) => [near, dealer].includes(each.team_id)],
    [`groups=${group}`, (each) => each.team_id === near],
    ["status=assigned", (each) => each.status === "assigned"],
    [`start_at=${late}`, (each) => each.created_at >= late],
    [
      `start_at=${late}&end_at=2026-03-02 09:20:00`,
      (each) => each.created_at >= late && each.created_at <= "2026-03-02 09:20:00",
    ],
  ];
  const sees: [Actor, (lead: Body) => boolean][] = [
    [admin, () => true],
    [member, (each) => each.team_id === dealer],
    [agent, (each) => each.agency_team_id === agency || each.agency_team_id === null],
  ];
  const sorts: [string, (lead: Body) => string | number][] = [
    ["created_at", (each) => each.created_at],
    ["external_weight", (each) => each.external_weight],
  ];
  for (const [actor, visible] of sees) {
    for (const [at, [one, holds]] of of.entries()) {
      for (const [two, too] of of.slice(at + 1)) {
        if (one.startsWith("start_at") && two.startsWith("start_at")) continue;
        if (one.startsWith("lead_sources") && two.startsWith("lead_sources")) continue;
        const [sort, key] = sorts[(one.length + two.length) % 2]!;
        const expected = made.filter((each) => visible(each) && holds(each) && too(each))
          .toSorted((a, b) => key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id < b.id ? -1 : 1);
        const query = `sort=${sort}&per_page=7&${one}&${two}`;
        const ids: string[] = [];
        let path: string | null = `/v1/leads?${query}`;
        while (path !== null) {
          const { body }: { body: Body } = await actor.call("GET", path);
          assert.equal(body.pagination.total, expected.length, query);
          ids.push(...body.data.map(({ id }: Body) => id));
          path = body.pagination.urls.next?.replace(app.url, "") ?? null;
        }
        assert.deepEqual(ids, expected.map(({ id }) => id), query);
      }
    }
  }
});

Deno.test("users see the leads of own teams and groups, and agency users those of their agency", async () => {
  await using app = await startApp();
  const { admin, agent, member, lead, company } = await makeSales(app);
  const group = await company.group();
  const near = await company.team({ group_id: group, team_type: "dealer" });
  const neighbour = await company.user({ teams: [await company.team({ group_id: group })] });
  const agencies = await company.team({ name: "Other agency" });
  const otherAgent = await company.user({ teams: [agencies], rights: ["agency"] });
  const leads = [
    await lead(),
    await lead({ team_id: near }),
    await lead({ team_id: null }),
    await lead({ team_id: near, agency_team_id: null }),
    await lead({ team_id: null, agency_team_id: agencies }),
  ];
  const readSeen = async (actor: Actor) => {
    const { body } = await actor.call("GET", "/v1/leads?sort=created_at");
    const one = await Promise.all(
      leads.map(async ({ id }) => (await actor.call("GET", `/v1/leads/${id}`)).status),
    );
    const listed = leads.map(({ id }) => body.data.some((each: Body) => each.id === id) ? 200 : 404);
    assert.deepEqual(listed, one, "the list and GET agree");
    assert.equal(body.pagination.total, body.data.length);
    return one.map((status) => status === 200 ? "x" : "-").join("");
  };
  assert.equal(await readSeen(admin), "xxxxx");
  assert.equal(await readSeen(member), "x----");
  assert.equal(await readSeen(neighbour), "-x-x-");
  assert.equal(await readSeen(agent), "xxxx-");
  assert.equal(await readSeen(otherAgent), "---xx");
  const stranger = (await app.company()).admin;
  assert.equal(await readSeen(stranger), "-----");
});

Deno.test("the links of the pages lead through each lead once, in each order", async () => {
  await using app = await startApp();
  const { admin, agent, lead } = await makeSales(app);
  const made: string[] = [];
  for (let n = 0; n < 7; n++) made.push((await lead({ external_weight: 1 + n % 3 })).id);
  for (const actor of [admin, agent]) {
    for (const sort of ["created_at", "-updated_at", "external_weight"]) {
      const seen: string[] = [];
      let path: string | null = `/v1/leads?sort=${sort}&per_page=3`;
      while (path !== null) {
        const { body }: { body: Body } = await actor.call("GET", path);
        assert.equal(body.pagination.total, made.length);
        seen.push(...body.data.map((each: Body) => each.id));
        path = body.pagination.urls.next?.replace(app.url, "") ?? null;
      }
      assert.deepEqual(seen.toSorted(), made.toSorted(), sort);
    }
  }
});

Deno.test("a change of a lead keeps absent members and sends an event", async () => {
  await using app = await startApp();
  const { admin, member, agency, dealer, lead, leadType } = await makeSales(app);
  const made = await lead({ interest: "Estate", external_weight: 3, lead_user: "import" });
  const type = await leadType({ escalation_accept: 5 });
  app.clock.move(60_000);
  const changed = await member.call("PUT", `/v1/leads/${made.id}`, {
    lead_type_id: type,
    external_weight: null,
    lead_user: null,
    team_id: agency,
    account: { fixed_fields: nameFields({ city: "Paris" }) },
    contact: { consent: { letter: { consent_given: false } } },
  });
  assert.equal(changed.status, 200, changed.text);
  const { body } = changed;
  assert.equal(body.team_id, dealer, "only assigning changes the team");
  assert.equal(body.lead_type.id, type);
  assert.equal(body.escalates_at, made.escalates_at, "the countdown runs on");
  assert.deepEqual([body.interest, body.external_weight, body.lead_user], ["Estate", null, null]);
  const fields = Object.fromEntries(
    body.account.fixed_fields.map((field: Body) => [field.name, field.value]),
  );
  assert.deepEqual([fields.name, fields.city], ["Ada Ltd", "Paris"]);
  assert.equal(body.contact.consent.letter.consent_given, false);
  assert.equal((await admin.call("GET", `/v1/leads/${made.id}`)).text, changed.text);
  const [event] = await app.sql("select event_name, body from outbox order by rowid desc limit 1");
  assert.deepEqual([event!.event_name, event!.body], ["lead_updated", changed.text]);
});

Deno.test("a change that would leave the lead without required data is rejected, and so is a stale one", async () => {
  await using app = await startApp();
  const { admin, lead, leadType } = await makeSales(app);
  const disabled = await leadType({ disabled: true });
  const made = await lead({ team_id: null });
  const before = await admin.call("GET", `/v1/leads/${made.id}`);
  const refused: [object, string][] = [
    [{ account: null }, "account required"],
    [{ contact: null }, "contact required"],
    [
      { contact: { fixed_fields: nameFields({ first_name: null, last_name: null, email: null }) } },
      "contact.fixed_fields required",
    ],
    [{ agency_team_id: null }, "agency_team_id required"],
    [{ lead_source: null }, "lead_source required"],
    [{ lead_type_id: disabled }, "lead_type_id exists"],
    [{ contact: { fixed_fields: nameFields({ email: "no" }) } }, "contact.fixed_fields[0].value format"],
    [{ expires_at: "2026-03-01 00:00:00" }, "expires_at after"],
  ];
  for (const [body, expected] of refused) {
    const answer = await admin.call("PUT", `/v1/leads/${made.id}`, body);
    assert.equal(answer.status, 422, JSON.stringify(body));
    assert.equal(`${answer.body.errors[0].path} ${answer.body.errors[0].code}`, expected);
  }
  const stale = await admin.call("PUT", `/v1/leads/${made.id}`, { interest: "Van" }, {
    "If-Match": '"other"',
  });
  assert.equal(stale.status, 412);
  assert.equal((await admin.call("GET", `/v1/leads/${made.id}`)).text, before.text);
  const fresh = { "If-Match": before.headers.get("etag")! };
  assert.equal((await admin.call("PUT", `/v1/leads/${made.id}`, { interest: "Van" }, fresh)).status, 200);
});

Deno.test("the event of an activity that closes the case has the new status of the contact", async () => {
  await using app = await startApp();
  const { admin, member, lead } = await makeSales(app);
  const account = await admin.call("POST", "/v1/accounts", { fixed_fields: nameFields({ name: "Ada Ltd" }) });
  const contact = await admin.call("POST", `/v1/accounts/${account.body.id}/contacts`, {
    fixed_fields: nameFields({ last_name: "Byron" }),
  });
  const { id } = await lead({
    account_id: account.body.id,
    account: null,
    contact_id: contact.body.id,
    contact: null,
  });
  const { case_id } = (await member.call("PUT", `/v1/leads/${id}/accept`, {})).body;
  const { milestones } = (await member.call("GET", `/v1/cases/${case_id}`)).body;
  app.clock.move(60_000);
  const closed = await member.call("POST", `/v1/cases/${case_id}/activities`, {
    activity_type_ids: [milestones[1].id],
  });
  assert.equal(closed.status, 201, closed.text);
  const [event] = await app.sql("select body from outbox where event_name = 'lead_updated'");
  const got = await admin.call("GET", `/v1/leads/${id}`);
  assert.equal(got.body.original_contact.status, "customer");
  assert.equal(event!.body, got.text);
});
