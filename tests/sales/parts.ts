/** Builders for the tests of the sales wing. */
import assert from "node:assert/strict";
import type { Actor, Body } from "../support/app.ts";

export interface Path {
  readonly id: string;
  /** Ids of activity types by name. */
  readonly types: Readonly<Record<string, string>>;
  readonly extraStep: string;
}

/** A path with milestones Contacted (10 %), Offer (60 %), Sold (closes), Lost (declines), Reopened (opens). */
export async function newPath(admin: Actor, more: object = {}): Promise<Path> {
  const { body, status } = await admin.call("POST", "/v1/relations-paths", {
    name: "New cars",
    is_sales_type: true,
    activity_types: {
      milestones: [
        { name: "Contacted", chance_of_success: 10 },
        { name: "Offer", type: "offer", chance_of_success: 60, extra_step: { name: "Signed" } },
        { name: "Reopened", set_status: "open" },
        { name: "Sold", set_status: "closed", chance_of_success: 100 },
        { name: "Lost", set_status: "declined" },
      ],
      supportive: [{ name: "Call" }],
    },
    ...more,
  });
  assert.equal(status, 201);
  const all = [...body.activity_types.milestones, ...body.activity_types.supportive];
  const types = Object.fromEntries(all.map(({ name, id }: { name: string; id: string }) => [name, id]));
  return { id: body.id, types, extraStep: body.activity_types.milestones[1].extra_step?.id };
}

/** Creates an account with a contact; returns both answers. */
export async function newContact(
  by: Actor,
  names: { account?: string; first?: string; last?: string } = {},
  more: object = {},
): Promise<{ account: Body; contact: Body }> {
  const { body: account } = await by.call("POST", "/v1/accounts", {
    fixed_fields: [{ name: "name", value: names.account ?? "Engines Ltd" }],
    ...more,
  });
  const { body: contact, status } = await by.call("POST", `/v1/accounts/${account.id}/contacts`, {
    fixed_fields: [
      { name: "first_name", value: names.first ?? "Grace" },
      { name: "last_name", value: names.last ?? "Hopper" },
    ],
  });
  assert.equal(status, 201);
  return { account, contact };
}

/** Creates a case with a new contact. */
export async function newCase(by: Actor, path: Path, more: object = {}): Promise<Body> {
  const { contact } = await newContact(by);
  const made = await by.call("POST", "/v1/cases", {
    contact_id: contact.id,
    relations_path_id: path.id,
    ...more,
  });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

/** The names and bodies of all events, in order. */
export async function readEvents(
  app: { sql(text: string): Promise<Record<string, unknown>[]> },
): Promise<{ name: string; body: Body }[]> {
  const rows = await app.sql("select event_name, body from outbox order by rowid");
  return rows.map((row) => ({ name: row.event_name as string, body: JSON.parse(row.body as string) }));
}
