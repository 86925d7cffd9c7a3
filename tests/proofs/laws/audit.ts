/** Compares every list that the users of a company see with the mirror. */
import assert from "node:assert/strict";
import type { Body } from "../../support/app.ts";
import { type Kind, makeKey } from "./mirror.ts";
import { parse } from "./observe.ts";
import type { Person } from "./people.ts";
import { seesBody } from "./sight.ts";
import { type Known, locateRecord, type Walk } from "./walk.ts";

const lists: Readonly<Partial<Record<Kind, string>>> = {
  account: "/v1/accounts",
  contact: "/v1/contacts",
  case: "/v1/cases",
  lead: "/v1/leads",
  note: "/v1/notes",
  product: "/v1/products",
  task: "/v1/tasks",
  team: "/v1/teams",
};

/** Reads the lists of the admin and of one other user in turn, and each record alone. */
export async function audit(walk: Walk, { company, mirror }: Known, turn: number): Promise<void> {
  const admin = company.people[0]!;
  const other = company.people[turn % company.people.length]!;
  for (const person of new Set([admin, other])) {
    for (const [kind, path] of Object.entries(lists) as [Kind, string][]) {
      const per = 1 + turn % 20;
      const { items, total } = await listAll(person, path, Math.max(per, 7));
      const where = `GET ${path} by ${person.name}`;
      const ids = items.map(({ id }) => String(id));
      assert.equal(total, ids.length, `${where}: total and walk`);
      const expected = mirror.of(kind).filter(({ body }) => seesBody(person, kind, body, mirror));
      assert.deepEqual(ids.toSorted(), expected.map(({ id }) => String(id)).toSorted(), where);
      for (const item of items) mirror.hold(kind, item, where);
    }
  }
  for (const { kind, id, body } of mirror.records.values()) {
    const address = locateRecord(kind, body, company);
    if (address === null) continue;
    const read = await admin.actor.call("GET", address);
    assert.equal(read.status, 200, address);
    walk.checkTag(makeKey(kind, id), read);
    mirror.hold(kind, parse(read.text), `GET ${address}`);
  }
}

async function listAll(
  { actor }: Person,
  path: string,
  perPage: number,
): Promise<{ items: Body[]; total: number }> {
  const items: Body[] = [];
  let next = `${path}?per_page=${perPage}`;
  for (;;) {
    const reply = await actor.call("GET", next);
    assert.equal(reply.status, 200, reply.text);
    const { data, pagination } = parse(reply.text);
    items.push(...data);
    if (pagination.urls.next === null) return { items, total: pagination.total };
    const url = new URL(pagination.urls.next);
    next = url.pathname + url.search;
  }
}
