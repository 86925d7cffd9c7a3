/** What a filter accepts, as the service lists it. */
import assert from "node:assert/strict";
import { type Body, startApp } from "../support/app.ts";
import { newField } from "./fields_world.ts";

const values: Readonly<Record<string, unknown>> = {
  text: "a",
  number: 7,
  date: "2026-01-31",
  timestamp: "2026-01-31 10:00:00",
  boolean: true,
  id: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001",
};

/** A condition with the operator that the field must take. */
function condition({ field, type, options }: Body, operator: string): Body {
  const value = type === "choice" ? options[0].id : values[type];
  if (operator === "exists") return { field, operator, value: true };
  return { field, operator, value: ["in", "nin"].includes(operator) ? [value] : value };
}

Deno.test("a filter accepts every field that is listed, with each of its operators", async () => {
  await using app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  const member = await company.user({ teams: [team] });
  const fuel = { label: "Kind of fuel", type: "single_choice" };
  const { options } = await newField(admin, fuel, ["Diesel"], "contact");
  await newField(admin, { label: "Secret", team_id: team });
  for (const kind of ["contacts", "accounts"]) {
    const { body, status } = await admin.call("GET", `/v1/${kind}/filter/fields`);
    assert.equal(status, 200);
    assert.ok(body.data.length > 100, `${body.data.length} fields of ${kind}`);
    const names = body.data.map(({ field }: Body) => field);
    assert.equal(new Set(names).size, names.length);
    const all = body.data.flatMap((field: Body) =>
      field.operators.map((operator: string) => condition(field, operator))
    );
    // As few calls as the limit of conditions allows.
    for (let at = 0; at < all.length; at += 190) {
      const filter = [{ or: all.slice(at, at + 190) }];
      const reply = await admin.call("POST", `/v1/${kind}/filter?per_page=1`, { filter });
      assert.equal(reply.status, 200, reply.text);
    }
  }
  const { data } = (await member.call("GET", "/v1/contacts/filter/fields")).body;
  const findField = (field: string) => data.find((each: Body) => each.field === field);
  assert.deepEqual(findField("b2b_contact.custom_fields.kind_of_fuel"), {
    field: "b2b_contact.custom_fields.kind_of_fuel",
    label: "Kind of fuel",
    group: "b2b_contact",
    type: "choice",
    operators: ["eq", "neq", "exists", "in", "nin"],
    options: [{ id: options.Diesel, value: "Diesel" }],
    to_many: false,
    deprecated: false,
  });
  const { type, group, label, to_many } = findField("case.tasks.user_id");
  assert.deepEqual([type, group, label, to_many], ["number", "case.tasks", "User id", true]);
  assert.deepEqual([findField("case.tasks.id").type, findField("contact.created_at").type], [
    "id",
    "timestamp",
  ]);
  assert.equal(findField("contact.fixed_fields.email").deprecated, true);
  // A field of a team is listed to its members alone.
  const secret = "account.custom_fields.secret";
  assert.equal(findField(secret).label, "Secret");
  const outsider = await company.user({ teams: [await company.team()] });
  const { body: seen } = await outsider.call("GET", "/v1/contacts/filter/fields");
  assert.equal(seen.data.some(({ field }: Body) => field === secret), false);
});
