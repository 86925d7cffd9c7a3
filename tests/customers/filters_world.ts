/** What the tests of filters share: records by their names, and which of them a filter selects. */
import assert from "node:assert/strict";
import type { Actor, Body, Reply } from "../support/app.ts";
import { nameValues } from "./fields_world.ts";

export type Condition = [field: string, operator: string, value: unknown];
export type Written = Condition | { and: Written[] } | { or: Written[] };

/** Expands a filter in short form, in which a list is a condition. */
export function expandFilter(nodes: readonly Written[]): Body[] {
  return nodes.map((node) => {
    if (Array.isArray(node)) return { field: node[0], operator: node[1], value: node[2] };
    return "and" in node ? { and: expandFilter(node.and) } : { or: expandFilter(node.or) };
  });
}

export function askFilter(actor: Actor, kind: "accounts" | "contacts", filter: unknown): Promise<Reply> {
  return actor.call("POST", `/v1/${kind}/filter?per_page=100`, { filter });
}

/** Returns the names of the records that the filter selects, in alphabetical order. Checks the total. */
export async function selectNames(
  actor: Actor,
  kind: "accounts" | "contacts",
  ...nodes: Written[]
): Promise<string> {
  const reply = await askFilter(actor, kind, expandFilter(nodes));
  assert.equal(reply.status, 200, reply.text);
  const names = reply.body.data.map((record: Body) => getName(record));
  assert.equal(reply.body.pagination.total, names.length, reply.text);
  return names.sort().join(" ");
}

/** Path and code of each fault. */
export async function listRefused(actor: Actor, filter: unknown, kind: "accounts" | "contacts" = "contacts") {
  const reply = await askFilter(actor, kind, filter);
  assert.equal(reply.status, 422, reply.text);
  return reply.body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);
}

export async function createAccount(actor: Actor, name: string | null, more: object = {}): Promise<Body> {
  const { fixed = {}, ...rest } = more as { fixed?: object };
  return await make(actor, "/v1/accounts", {
    fixed_fields: nameValues({ ...(name === null ? {} : { name }), ...fixed }),
    ...rest,
  });
}

export async function createContact(
  actor: Actor,
  of: string,
  name: string,
  more: object = {},
): Promise<Body> {
  const { fixed = {}, ...rest } = more as { fixed?: object };
  return await make(actor, `/v1/accounts/${of}/contacts`, {
    fixed_fields: nameValues({ last_name: name, ...fixed }),
    ...rest,
  });
}

export async function make(actor: Actor, path: string, body: unknown): Promise<Body> {
  const made = await actor.call("POST", path, body);
  assert.equal(made.status, 201, made.text);
  return made.body;
}

function getName(record: Body): string {
  const name = "account" in record ? "last_name" : "name";
  return record.fixed_fields.find((field: Body) => field.name === name).value ?? "?";
}
