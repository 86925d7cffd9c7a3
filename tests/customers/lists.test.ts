import assert from "node:assert/strict";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { makeSales } from "../sales/leads_world.ts";
import { newPath } from "../sales/parts.ts";
import { listFaults, nameValues, newAccount, newField } from "./fields_world.ts";

const kinds = ["accounts", "contacts"] as const;

/** The external ids of a list, in its order, and its total. */
async function listExternalIds(by: Actor, kind: string, query: string): Promise<string[]> {
  const reply = await by.call("GET", `/v1/${kind}?${query}`);
  assert.equal(reply.status, 200, reply.text);
  assert.equal(reply.body.pagination.total, reply.body.data.length, query);
  return reply.body.data.map(({ external_id }: Body) => external_id);
}

/** Creates an account and its contact with the same external id, team, user and creation time. */
async function both(by: Actor, external_id: string, more: object = {}, contact: object = {}): Promise<Body> {
  const made = await by.call("POST", "/v1/accounts", {
    external_id,
    fixed_fields: nameValues({ name: external_id }),
    ...more,
  });
  assert.equal(made.status, 201, made.text);
  const { user_id, created_at } = more as Record<string, unknown>;
  const its = await by.call("POST", `/v1/accounts/${made.body.id}/contacts`, {
    external_id,
    user_id,
    created_at,
    fixed_fields: nameValues({ last_name: external_id }),
    ...contact,
  });
  assert.equal(its.status, 201, its.text);
  return { account: made.body, contact: its.body };
}

Deno.test("lists of accounts and contacts filter by users, teams, groups and time of creation, alone and combined", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const group = await company.group();
  const [north, south, west] = [
    await company.team({ group_id: group }),
    await company.team({ group_id: group }),
    await company.team(),
  ];
  const ada = await company.user({ teams: [north, west] });
  await both(admin, "north", { team_id: north, user_id: ada.id, created_at: "2026-01-01 10:00:00" });
  await both(admin, "south", { team_id: south, created_at: "2026-01-02 10:00:00" });
  await both(admin, "west", { team_id: west, user_id: ada.id, created_at: "2026-01-03 10:00:00" });
  await both(admin, "shared", { team_id: null, created_at: "2026-01-04 10:00:00" });
  const found: [string, string[]][] = [
    ["", ["north", "south", "west", "shared"]],
    [`users=${ada.id}`, ["north", "west"]],
    [`users=${ada.id},${admin.id}`, ["north", "south", "west", "shared"]],
    [`teams=${north}`, ["north"]],
    [`teams[]=${north}&teams[]=${west}`, ["north", "west"]],
    [`groups=${group}`, ["north", "south"]],
    [`groups=${group}&users=${ada.id}`, ["north"]],
    ["start_at=2026-01-02 10:00:00", ["south", "west", "shared"]],
    ["end_at=2026-01-02T11:00:00%2B01:00", ["north", "south"]],
    ["start_at=2026-01-02 10:00:00&end_at=2026-01-03 10:00:00", ["south", "west"]],
    [`start_at=2026-01-02 10:00:00&end_at=2026-01-03 10:00:00&teams=${west}`, ["west"]],
    ["users=999999", []],
    ["teams=999999", []],
    ["groups=999999", []],
  ];
  for (const kind of kinds) {
    for (const [query, expected] of found) {
      assert.deepEqual(
        await listExternalIds(admin, kind, `sort=created_at&${query}`),
        expected,
        `${kind} ${query}`,
      );
      // In the other order, rows of a range are found in another way.
      assert.deepEqual(await listExternalIds(admin, kind, query), expected.toReversed(), `${kind} ${query}`);
    }
    assert.deepEqual(await listExternalIds(ada, kind, `sort=created_at&groups=${group}`), ["north", "south"]);
    assert.deepEqual(await listExternalIds(ada, kind, `sort=created_at&users=${admin.id}`), [
      "south",
      "shared",
    ]);
    const wrong: [string, string, string][] = [
      ["start_at=2026-01-02 10:00:00&end_at=2026-01-02 10:00:00", "end_at", "after"],
      ["users=x", "users[0]", "type"],
      ["start_at=yesterday", "start_at", "format"],
    ];
    for (const [query, path, code] of wrong) {
      const refused = await admin.call("GET", `/v1/${kind}?${query}`);
      assert.deepEqual(listFaults(refused), [[`query.${path}`, code]], query);
    }
    assert.deepEqual(listFaults(await admin.call("GET", `/v1/${kind}?sort=vat`)), [["query.sort", "enum"]]);
  }
});

Deno.test("lists of accounts filter by type and source of the lead that created them, in both spellings", async () => {
  await using app = await startApp();
  const sales = await makeSales(app);
  const { admin, member } = sales;
  const other = await sales.leadType();
  const ids: Record<string, string> = {};
  for (
    const [lead_source, lead_type_id] of [["fair", sales.type], ["website", sales.type], ["fair", other]]
  ) {
    const lead = await sales.lead({ lead_source, lead_type_id, team_id: sales.dealer });
    const reply = await member.call("PUT", `/v1/leads/${lead.id}/accept`, {});
    assert.equal(reply.status, 200, reply.text);
    ids[`${lead_source} ${lead_type_id === other ? "other" : "own"}`] = reply.body.account_id;
  }
  await admin.call("POST", "/v1/accounts", { fixed_fields: nameValues({ name: "By hand" }) });
  const findNames = async (query: string) => {
    const { body } = await admin.call("GET", `/v1/accounts?${query}`);
    return body.data.map(({ id }: Body) => Object.keys(ids).find((name) => ids[name] === id)).sort();
  };
  assert.deepEqual(await findNames(`created_with_lead_types=${other}`), ["fair other"]);
  assert.deepEqual(
    await findNames(`created_with_lead_types=${other},${sales.type}`),
    Object.keys(ids).sort(),
  );
  for (const name of ["created_with_lead_sources", "created_withlead_sources"]) {
    assert.deepEqual(await findNames(`${name}=fair`), ["fair other", "fair own"], name);
    assert.deepEqual(
      await findNames(`${name}=fair&created_with_lead_types=${sales.type}`),
      ["fair own"],
      name,
    );
  }
});

Deno.test("accounts are found by name, city, external id and website, contacts by names, e-mail and phone number, both by company-wide texts", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  for (const owner of ["account", "contact"]) {
    await newField(admin, { label: "Remark" }, [], owner);
    await newField(admin, { label: "Long", type: "multi_line" }, [], owner);
    await newField(admin, { label: "Secret", team_id: team }, [], owner);
  }
  const custom_fields = nameValues({ remark: "Walrus", long: "Penguin", secret: "Seal" });
  const { account } = await both(admin, "erp-77", {
    fixed_fields: nameValues({
      name: "Émile Zöllner",
      address: "Lindenallee",
      city: "Århus",
      website: "https://honey.example.org",
      vat: "GB999",
      zip_code: "8000",
    }),
    custom_fields,
  }, {
    external_id: "crm-88",
    fixed_fields: nameValues({
      first_name: "Grace",
      last_name: "O'Hopper",
      email: "amazing@navy.example.org",
      phone_number: "+49 40 123456",
      title: "Admiral",
      salutation: "Mrs",
    }),
    custom_fields,
  });
  const found: Record<typeof kinds[number], string[]> = {
    accounts: ["emile", "ZOLL", "zol emi", "arhus", "erp", "77", "honey", "walrus"],
    contacts: ["grace", "hopper", "o hop", "amazing", "navy", "123456", "40", "walrus"],
  };
  const not = {
    accounts: ["mile", "linden", "gb999", "8000", "penguin", "seal", "grace", "emile hopper"],
    contacts: ["race", "admiral", "mrs", "crm", "penguin", "seal", "emile", "grace arhus"],
  };
  for (const kind of kinds) {
    for (const [words, total] of [[found[kind], 1], [not[kind], 0]] as const) {
      for (const word of words) {
        const reply = await admin.call("GET", `/v1/${kind}?search=${encodeURIComponent(word)}`);
        assert.equal(reply.body.pagination.total, total, `${kind} ${word}`);
        if (kind !== "contacts") continue;
        const { body } = await admin.call("GET", `/v1/accounts/${account.id}/contacts?search=${word}`);
        assert.deepEqual([body.pagination.total, body.data.length], [total, total], word);
      }
    }
  }
  const after = {
    fixed_fields: nameValues({ city: "Oslo" }),
    external_id: null,
    custom_fields: nameValues({ remark: null }),
  };
  await admin.call("PUT", `/v1/accounts/${account.id}`, after);
  for (const word of ["arhus", "erp", "walrus"]) {
    assert.deepEqual(await listExternalIds(admin, "accounts", `search=${word}`), []);
  }
  assert.deepEqual(await listExternalIds(admin, "accounts", "search=oslo"), [null]);
});

Deno.test("lists sort by last activity, newest first, or by creation, change or name in both directions", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const path = await newPath(admin);
  const made: Record<string, Body> = {};
  for (
    const [id, created_at] of [["bo", "2026-01-02 10:00:00"], ["äx", "2026-01-01 10:00:00"], [
      "Cy",
      "2026-01-03 10:00:00",
    ]]
  ) {
    made[id!] = await both(admin, id!, { created_at });
    app.clock.move(1000);
  }
  const { contact } = made["äx"];
  const { body: its } = await admin.call("POST", "/v1/cases", {
    contact_id: contact.id,
    relations_path_id: path.id,
    // No activity may be older than its case.
    created_at: "2025-01-01 00:00:00",
  });
  const act = async (created_at: string) => {
    const body = { activity_type_ids: [path.types.Call], created_at };
    assert.equal((await admin.call("POST", `/v1/cases/${its.id}/activities`, body)).status, 201);
  };
  for (const kind of kinds) {
    assert.deepEqual(await listExternalIds(admin, kind, ""), ["Cy", "bo", "äx"], kind);
  }
  await act("2026-02-01 10:00:00");
  // An older activity is not the last one.
  await act("2025-01-01 10:00:00");
  app.clock.move(60_000);
  const makeChange = (name: string) => ({ fixed_fields: [{ name, value: "1" }] });
  await admin.call("PUT", `/v1/accounts/${made.bo.account.id}`, makeChange("city"));
  await admin.call(
    "PUT",
    `/v1/accounts/${made.bo.account.id}/contacts/${made.bo.contact.id}`,
    makeChange("phone_number"),
  );
  for (const kind of kinds) {
    const name = kind === "accounts" ? "name" : "last_name";
    const orders: [string, string[]][] = [
      ["", ["äx", "Cy", "bo"]],
      ["sort=last_activity_at", ["bo", "Cy", "äx"]],
      ["sort=created_at", ["äx", "bo", "Cy"]],
      ["sort=-created_at", ["Cy", "bo", "äx"]],
      ["sort=-updated_at", kind === "accounts" ? ["bo", "Cy", "äx"] : ["bo", "äx", "Cy"]],
      [`sort=${name}`, ["äx", "bo", "Cy"]],
      [`sort=-${name}`, ["Cy", "bo", "äx"]],
    ];
    for (const [query, expected] of orders) {
      assert.deepEqual(await listExternalIds(admin, kind, query), expected, `${kind} ${query}`);
    }
  }
  const empty = await admin.call("GET", "/v1/accounts?page=2");
  assert.deepEqual([empty.status, empty.body.data, empty.body.pagination.total], [200, [], 3]);
});

Deno.test("a search requires all of its words, however many there are", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  // As many words as a search can have: the first letters of a script that has no case.
  const letters = Array.from({ length: 128 }, (_, index) => String.fromCodePoint(0x4e00 + index));
  const name = letters.slice(0, 127).join(" ");
  await newAccount(admin, {}, { fixed_fields: nameValues({ name }) });
  const countFound = async (words: readonly string[]) =>
    (await admin.call("GET", `/v1/accounts?search=${encodeURIComponent(words.join(" "))}`)).body.pagination
      .total;
  assert.equal(await countFound(letters.slice(0, 127)), 1);
  assert.equal(await countFound(letters), 0);
  assert.equal(await countFound([...letters.slice(0, 10), letters[127]!]), 0);
});
