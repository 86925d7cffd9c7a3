/** What the tests of custom fields share. */
import assert from "node:assert/strict";
import type { Actor, Body } from "../support/app.ts";

export const nameValues = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

/** Creates a field of accounts with options. Returns its id, and the ids of the options by their values. */
export async function newField(
  admin: Actor,
  body: object,
  options: readonly string[] = [],
  owner = "account",
): Promise<{ id: string; name: string; options: Record<string, string> }> {
  const made = await admin.call("POST", `/v1/fields/${owner}`, { type: "text", ...body });
  assert.equal(made.status, 201, made.text);
  const { id, name } = made.body;
  const ids: Record<string, string> = {};
  for (const value of options) {
    const option = await admin.call("POST", `/v1/fields/${owner}/${id}/options`, { value });
    assert.equal(option.status, 201, option.text);
    ids[value] = option.body.id;
  }
  return { id, name, options: ids };
}

/** Creates an account with these custom values by name. */
export async function newAccount(actor: Actor, custom: object = {}, more: object = {}): Promise<Body> {
  const made = await actor.call("POST", "/v1/accounts", {
    fixed_fields: nameValues({ name: "Ada Ltd" }),
    custom_fields: nameValues({ ...custom }),
    ...more,
  });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

/** Returns the custom values of a record by name, and choices by their texts. */
export function readCustom(record: Body): Record<string, unknown> {
  return Object.fromEntries(
    record.custom_fields.map(({ name, value }: { name: string; value: Body }) => [
      name,
      Array.isArray(value) ? value.map((option) => option.value) : value?.value ?? value,
    ]),
  );
}

export function listFaults(reply: { body: Body }): [string, string][] {
  return reply.body.errors.map(({ path, code }: { path: string; code: string }) => [path, code]);
}
