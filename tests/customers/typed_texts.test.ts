/** Names, addresses and numbers as people type and paste them. */
import assert from "node:assert/strict";
import { type Actor, startApp } from "../support/app.ts";
import { nameValues, newField } from "./fields_world.ts";

async function newAccount(actor: Actor, fields: Record<string, unknown>) {
  return await actor.call("POST", "/v1/accounts", { b2c: false, fixed_fields: nameValues(fields) });
}

/** Returns the fixed fields of a new contact, or the codes of the errors. */
async function newContact(actor: Actor, fields: Record<string, unknown>) {
  const { body: account } = await newAccount(actor, { name: "Ada Ltd" });
  const path = `/v1/accounts/${account.id}/contacts`;
  const { status, body } = await actor.call("POST", path, {
    fixed_fields: nameValues({ last_name: "x", ...fields }),
  });
  return status === 201 ? collectValues(body) : body.errors.map(({ code }: { code: string }) => code);
}

function collectValues(body: { fixed_fields: { name: string; value: unknown }[] }): Record<string, unknown> {
  return Object.fromEntries(body.fixed_fields.map(({ name, value }) => [name, value]));
}

Deno.test("ends of a line are trimmed; control and bidirectional-control characters inside are refused", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { first_name, email } = await newContact(admin, {
    first_name: "\ufeff\u200b Ada\u00a0\u0085\n",
    email: " ada@example.com ",
  });
  assert.deepEqual([first_name, email], ["Ada", "ada@example.com"]);
  for (const last_name of ["a\nb", "a\u0007b", "a\u202eb"]) {
    assert.deepEqual(await newContact(admin, { last_name }), ["format"], JSON.stringify(last_name));
  }
});

Deno.test("an international domain stays as typed; a local part has 64 octets at most", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  assert.equal((await newContact(admin, { email: "x@köln.example" })).email, "x@köln.example");
  assert.equal((await newContact(admin, { email: `${"x".repeat(64)}@example.com` })).last_name, "x");
  assert.deepEqual(await newContact(admin, { email: `${"x".repeat(65)}@example.com` }), ["format"]);
  assert.deepEqual(await newContact(admin, { email: "x@kö ln.example" }), ["format"]);
});

Deno.test("country codes are taken in any case, and a website without a scheme", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { status, body } = await newAccount(admin, {
    name: "A",
    country: "nl",
    website: "www.example.org/a",
  });
  assert.equal(status, 201);
  const { country, website } = collectValues(body);
  assert.deepEqual([(country as { id: string }).id, website], ["NL", "https://www.example.org/a"]);
  for (const website of ["nonsense", "javascript:alert(1)", "ftp://example.org"]) {
    assert.equal((await newAccount(admin, { name: "A", website })).body.errors[0].code, "format", website);
  }
});

Deno.test("search finds a phone number in each way of writing; one without a digit is refused", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  assert.deepEqual(await newContact(admin, { phone_number: "call me" }), ["format"]);
  for (const phone_number of ["+31 6 1234 5678", "+31612345678"]) {
    assert.equal((await newContact(admin, { phone_number })).phone_number, phone_number);
  }
  const ways = [
    "+31612345678",
    "31612345678",
    "0031612345678",
    "612345678",
    "06 12345678",
    "+31 (6) 1234-5678",
  ];
  for (const way of ways) {
    const { body } = await admin.call("GET", `/v1/contacts?search=${encodeURIComponent(way)}`);
    assert.equal(body.data.length, 2, way);
  }
  const { body } = await admin.call("GET", `/v1/contacts?search=${encodeURIComponent("@#!")}`);
  assert.deepEqual(body.data, []);
});

Deno.test("composed and decomposed forms are equal in filters, and an international domain is its ASCII form", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await newField(admin, { label: "Remark" }, [], "contact");
  const account = await newAccount(admin, { name: "Ada Ltd" });
  const made = await admin.call("POST", `/v1/accounts/${account.body.id}/contacts`, {
    fixed_fields: nameValues({ last_name: "Zoe\u0308", email: "zoe@K\u00f6ln.example" }),
    custom_fields: [{ name: "remark", value: "Cafe\u0301" }],
    external_id: "Nr\u00e9",
  });
  assert.equal(made.status, 201, made.text);
  const countFound = async (field: string, value: string, operator = "eq") => {
    const filter = [{ field: `b2b_contact.${field}`, operator, value }];
    return (await admin.call("POST", "/v1/contacts/filter", { filter })).body.data.length;
  };
  for (const form of ["NFC", "NFD"] as const) {
    assert.equal(await countFound("fixed_fields.last_name", "ZOË".normalize(form)), 1, form);
    assert.equal(await countFound("fixed_fields.last_name", "oë".normalize(form), "ct"), 1, form);
    assert.equal(await countFound("custom_fields.remark", "café".normalize(form)), 1, form);
    const externalId = encodeURIComponent("Nré".normalize(form));
    const path = `/v1/accounts/${account.body.id}/contacts/by-external-id/${externalId}`;
    const again = await admin.call("PUT", path, {});
    assert.deepEqual([again.status, again.body.id], [200, made.body.id], form);
  }
  for (const email of ["zoe@köln.example", "Zoe@xn--kln-sna.example"]) {
    assert.equal(await countFound("fixed_fields.email", email), 1, email);
  }
});

Deno.test("a filter compares a value in the form in which it would be stored, and refuses none for its form", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (
    const [label, type, validation] of [["Line", "text"], ["Lines", "multi_line"], ["Link", "text", "url"]]
  ) {
    await newField(admin, { label, type, validation }, [], "contact");
  }
  const account = await newAccount(admin, { name: "A", country: "NL", website: "example.org/a" });
  const made = await admin.call("POST", `/v1/accounts/${account.body.id}/contacts`, {
    fixed_fields: nameValues({ last_name: "De Jong", email: "x@köln.example" }),
    custom_fields: nameValues({ line: " a b ", lines: " a b ", link: "example.org" }),
  });
  assert.equal(made.status, 201, made.text);
  const countFound = async (field: string, operator: string, value: unknown) => {
    const filter = [{ field: `b2b_${field}`, operator, value }];
    const { status, body, text } = await admin.call("POST", "/v1/contacts/filter", { filter });
    assert.equal(status, 200, text);
    return body.data.length;
  };
  const cases: [string, string, unknown, number][] = [
    ["contact.fixed_fields.last_name", "eq", "\ufeff de jong\u00a0\u0085", 1],
    ["contact.fixed_fields.last_name", "in", ["x", "De Jong\t"], 1],
    ["contact.fixed_fields.last_name", "neq", " de jong", 0],
    ["contact.fixed_fields.last_name", "nin", ["de jong "], 0],
    ["contact.fixed_fields.last_name", "sw", " de", 1],
    ["contact.fixed_fields.last_name", "sw", "de ", 1],
    ["contact.fixed_fields.last_name", "sw", "dej", 0],
    ["contact.fixed_fields.last_name", "ew", "jong ", 1],
    ["contact.fixed_fields.last_name", "ct", " j", 1],
    ["contact.fixed_fields.last_name", "nct", " de", 1],
    // A part of white space alone is none: such a condition matches no more than before.
    ["contact.fixed_fields.last_name", "sw", " ", 0],
    ["contact.fixed_fields.last_name", "ew", "\u200b", 0],
    ["contact.custom_fields.line", "eq", " A b", 1],
    ["contact.custom_fields.lines", "eq", " a B ", 1],
    ["contact.custom_fields.lines", "eq", "a b", 0],
    ["contact.custom_fields.lines", "sw", "a", 0],
    ["contact.custom_fields.link", "eq", "example.org", 1],
    ["account.fixed_fields.website", "eq", "example.org/a ", 1],
    ["account.fixed_fields.website", "sw", "Example.org", 1],
    ["account.fixed_fields.website", "in", ["example.org/a"], 1],
    ["account.fixed_fields.website", "ew", "example.org/a", 1],
    ["account.fixed_fields.country", "eq", "nl", 1],
    ["account.fixed_fields.country", "in", ["de", " nl"], 1],
    ["account.fixed_fields.country", "nin", ["nL"], 0],
    ["contact.fixed_fields.email", "eq", " X@Köln.example ", 1],
    ["contact.fixed_fields.email", "ew", "@köln.example", 1],
    ["contact.fixed_fields.email", "ew", "@ln.example", 0],
  ];
  for (const [field, operator, value, count] of cases) {
    assert.equal(
      await countFound(field, operator, value),
      count,
      `${field} ${operator} ${JSON.stringify(value)}`,
    );
  }
});

Deno.test("texts compare by full case folding, and domains with ß and ss are two", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await newField(admin, { label: "Remark" }, [], "contact");
  const { body: account } = await newAccount(admin, { name: "Ada Ltd" });
  for (
    const [last_name, email, value] of [
      ["Weiß", "a@straße.example", "ΟΔΟΣ"],
      ["WEISS", "b@strasse.example", "οδος"],
    ]
  ) {
    const made = await admin.call("POST", `/v1/accounts/${account.id}/contacts`, {
      fixed_fields: nameValues({ last_name, email }),
      custom_fields: [{ name: "remark", value }],
    });
    assert.equal(made.status, 201, made.text);
  }
  const countFound = async (field: string, value: string, operator = "eq") => {
    const filter = [{ field: `b2b_contact.${field}`, operator, value }];
    return (await admin.call("POST", "/v1/contacts/filter", { filter })).body.data.length;
  };
  for (const name of ["weiss", "Weiß", "WEIẞ", "weiſs"]) {
    assert.equal(await countFound("fixed_fields.last_name", name), 2, name);
    assert.equal(await countFound("fixed_fields.last_name", name.slice(1), "ct"), 2, name);
  }
  for (const remark of ["ΟΔΟΣ", "οδοσ", "οδος"]) {
    assert.equal(await countFound("custom_fields.remark", remark), 2, remark);
  }
  for (const email of ["A@STRASSE.example", "A@Straße.example"]) {
    assert.equal(await countFound("fixed_fields.email", email), email.includes("ß") ? 1 : 0, email);
  }
});

Deno.test("search finds words inside of texts without spaces, composed or not", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const names = [
    "北京奥林匹克公园有限公司",
    "株式会社ガーデン東京タワー",
    "บริษัทร้านกาแฟเชียงใหม่จำกัด",
    "Café Nörd",
  ];
  for (const name of names) assert.equal((await newAccount(admin, { name })).status, 201, name);
  for (
    const [asked, place] of [
      ["奥林匹克", 0],
      ["公园", 0],
      ["北京 公司", 0],
      ["ガーデン", 1],
      ["東京", 1],
      ["タワー", 1],
      ["กาแฟ", 2],
      ["เชียงใหม่", 2],
      ["nörd café", 3],
    ] as const
  ) {
    for (const form of ["NFC", "NFD"] as const) {
      const search = encodeURIComponent(asked.normalize(form));
      const { body } = await admin.call("GET", `/v1/accounts?search=${search}`);
      assert.deepEqual(body.data.map((one: Parameters<typeof collectValues>[0]) => collectValues(one).name), [
        names[place],
      ]);
    }
  }
});
