/** Filters and search compare phone numbers, however they are typed. */
import assert from "node:assert/strict";
import { makePhoneKey, makePhoneKeys, splitPhoneKeys } from "../../src/core/phone_numbers.ts";
import { type Actor, startApp } from "../support/app.ts";
import { nameValues } from "./fields_world.ts";

async function newContact(
  admin: Actor,
  phone_number: string | null,
  b2c = false,
): Promise<string> {
  const account = await admin.call("POST", "/v1/accounts", {
    b2c,
    fixed_fields: nameValues({ name: "Ada Ltd" }),
  });
  const { status, body, text } = await admin.call(
    "POST",
    `/v1/accounts/${account.body.id}/contacts`,
    {
      fixed_fields: nameValues({ last_name: String(phone_number), phone_number }),
    },
  );
  assert.equal(status, 201, text);
  return body.id;
}

async function findIds(
  admin: Actor,
  kind: string,
  operator: string,
  value: unknown,
): Promise<string[]> {
  const path = kind === "account" ? "accounts" : "contacts";
  const field = `${kind === "b2c" ? "b2c" : "b2b"}_contact.fixed_fields.phone_number`;
  const { status, body, text } = await admin.call(
    "POST",
    `/v1/${path}/filter?per_page=100`,
    {
      filter: [{ field, operator, value }],
    },
  );
  assert.equal(status, 200, text);
  return body.data.map((
    { id, fixed_fields }: {
      id: string;
      fixed_fields: { name: string; value: string }[];
    },
  ) => fixed_fields.find(({ name }) => name === "phone_number")?.value ?? id)
    .sort();
}

const dutch = [
  "+31 6 1234 5678",
  "+31 (0)6-12345678",
  "0031612345678",
  "06 12345678",
  "0612345678",
];
const others = ["+49 612345678", "+31 6 1234 5679", "06 1234 567", "030 1"];

Deno.test("a filter finds a number in each way of writing, and no other number", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  for (const number of [...dutch, ...others]) await newContact(admin, number);
  await newContact(admin, null);
  await newContact(admin, "+31612345678", true);
  for (
    const way of [
      ...dutch,
      "+31612345678",
      "31612345678",
      "\u0660\u0666\u0661\u0662\u0663\u0664\u0665\u0666\u0667\u0668",
    ]
  ) {
    // A number without the code of its country can be one of any country.
    const german = !way.startsWith("+") && !way.includes("31") ? ["+49 612345678"] : [];
    assert.deepEqual(
      await findIds(admin, "contact", "eq", way),
      [...dutch, ...german].sort(),
      way,
    );
    assert.deepEqual(
      await findIds(admin, "contact", "in", [way, "030 1"]),
      [...dutch, ...german, "030 1"].sort(),
    );
    assert.deepEqual(
      await findIds(admin, "b2c", "eq", way),
      ["+31612345678"],
      way,
    );
    assert.equal(
      (await findIds(admin, "account", "eq", way)).length,
      dutch.length + german.length,
    );
    const rest = others.filter((number) => !german.includes(number));
    const none = await findIds(admin, "contact", "neq", way);
    assert.deepEqual(
      none.filter((number) => /^[+\d]/.test(number) && number.includes(" ")),
      rest.sort(),
      way,
    );
    assert.equal(none.length, rest.length + 1, "and the one without a number");
    assert.deepEqual(await findIds(admin, "contact", "nin", [way]), none);
  }
  assert.deepEqual(await findIds(admin, "contact", "eq", "+49 612345678"), [
    "+49 612345678",
    "06 12345678",
    "0612345678",
  ]);
  assert.deepEqual(await findIds(admin, "contact", "sw", "06 1234"), [
    "06 1234 567",
    "06 12345678",
  ]);
  assert.deepEqual(await findIds(admin, "contact", "ct", "1234 567"), [
    "+31 6 1234 5678",
    "+31 6 1234 5679",
    "06 1234 567",
  ]);
});

Deno.test("a changed number is found by the new one; a text that is no number by itself", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const account = await admin.call("POST", "/v1/accounts", {
    b2c: false,
    fixed_fields: nameValues({ name: "A" }),
  });
  const path = `/v1/accounts/${account.body.id}/contacts`;
  const { body } = await admin.call("POST", path, {
    fixed_fields: nameValues({ last_name: "x", phone_number: "030 1" }),
  });
  for (const value of ["+36 20 123 4567", "Reception, desk 4", null]) {
    const { status } = await admin.call("PUT", `${path}/${body.id}`, {
      fixed_fields: nameValues({ phone_number: value }),
    });
    assert.equal(status, 200);
    assert.deepEqual(await findIds(admin, "contact", "eq", "030 1"), []);
    if (value !== null) {
      assert.deepEqual(
        await findIds(admin, "contact", "eq", value.toUpperCase()),
        [value],
      );
    }
  }
});

Deno.test("numbers of countries whose national form begins with more than a zero are equal to it", () => {
  for (
    const [abroad, home] of [
      ["+36 20 123 4567", "06 20 123 4567"],
      ["+7 912 345-67-89", "8 (912) 345-67-89"],
      ["+1 212 555 0123", "1 (212) 555-0123"],
      ["+39 06 1234 5678", "06 1234 5678"],
    ] as const
  ) {
    assert.ok(standFor(makePhoneKeys(abroad), makePhoneKey(home)), abroad);
    assert.ok(standFor(makePhoneKeys(home), makePhoneKey(abroad)), home);
  }
  assert.deepEqual(makePhoneKeys("+49 30 123456 ext. 12"), [
    "30123456+49x12",
    "+49 30 123456 ext. 12",
  ]);
  assert.equal(makePhoneKey("+49 30 123456 (home)"), "30123456+49");
  assert.deepEqual(makePhoneKeys("+49 30 123456X"), ["+49 30 123456x"]);
  assert.ok(!standFor(makePhoneKeys("+49 30 123456"), "30123456+49x12"));
});

/** Whether the keys of a number stand for this one. */
function standFor(keys: readonly string[], key: string): boolean {
  const { whole, begun } = splitPhoneKeys(keys);
  return whole.includes(key) || (!key.includes("x") && begun.some((beginning) => key.startsWith(beginning)));
}

Deno.test("a number without the code of its country is one key and not two hundred", async () => {
  assert.ok(makePhoneKeys("06 12345678").length < 6);
  await using app = await startApp();
  const { admin } = await app.company();
  const { admin: other } = await app.company("Other");
  const own = ["+31 612345678", "+49 612345678", "06-1234 5678", "+31 6 12345678 ext. 5", "+31 6 123456789"];
  for (const number of own) await newContact(admin, number);
  await newContact(other, "+31 612345678");
  const same = [own[0], own[1], own[2]].sort();
  for (const value of ["0612345678", "612345678", "0 612345678"]) {
    assert.deepEqual(await findIds(admin, "contact", "eq", value), same, value);
  }
  // As many as a filter may have; several conditions of one group are joined.
  const many = Array.from({ length: 499 }, (_, n) => `07 ${10_000_000 + n}`);
  assert.deepEqual(await findIds(admin, "contact", "in", [...many, "06 12345678"]), same);
  const left = await findIds(admin, "contact", "nin", [...many, "06 12345678"]);
  assert.equal(left.length, own.length - same.length);
  const field = "b2b_contact.fixed_fields.phone_number";
  const or = ["06 12345678", "+31 6 123456789"].map((value) => ({ field, operator: "eq", value }));
  const either = await admin.call("POST", "/v1/contacts/filter", { filter: [{ or }] });
  assert.equal(either.body.data.length, same.length + 1);
});

Deno.test("search finds a number that was typed without the code of its country", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  await newContact(admin, "06 12345678");
  for (
    const way of [
      "+31612345678",
      "0031 6 1234 5678",
      "06 12345678",
      "612345678",
    ]
  ) {
    const { body } = await admin.call(
      "GET",
      `/v1/contacts?search=${encodeURIComponent(way)}`,
    );
    assert.equal(body.data.length, 1, way);
  }
});
