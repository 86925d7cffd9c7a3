/** What the tests of deleting customers share. */
import assert from "node:assert/strict";
import type { Actor, Body } from "../support/app.ts";

/** The path of an account, or of a contact of it. */
export const of = (account: Body, contact?: Body) =>
  `/v1/accounts/${account.id}${contact ? `/contacts/${contact.id}` : ""}`;

/** What the delete-impact of the path tells. */
export async function impact(by: Actor, path: string): Promise<Body> {
  const reply = await by.call("GET", `${path}/delete-impact`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

/** Deletes what is at the path. */
export async function gone(by: Actor, path: string): Promise<void> {
  const reply = await by.call("DELETE", path);
  assert.equal(reply.status, 204, reply.text);
  assert.equal((await by.call("GET", path)).status, 404);
}

/** As `2 case`. */
export const amounts = (body: Body) => body.deletes.map(({ type, amount }: Body) => `${amount} ${type}`);
