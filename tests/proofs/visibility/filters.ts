/** Compares custom fields of teams and groups, and saved filters with them, for each user. */
import assert from "node:assert/strict";
import type { Actor, Body } from "../../support/app.ts";
import { ask, compare, type Question } from "./asking.ts";
import { formatDay, type Made, post, takeKnown } from "./company.ts";
import { type Known, type KnownField, type Plan, seesField, seesRecord, type Viewer } from "./model.ts";

/** A saved filter and the records that it selects. */
export interface KnownFilter extends Known {
  readonly kind: "account" | "contact";
  /** The first day that it selects. */
  readonly from: string;
  readonly field: KnownField | null;
}

export async function makeFields(made: Made, fields: Plan["fields"]): Promise<void> {
  for (const [n, { owner, of }] of fields.entries()) {
    const team = owner === "team" ? made.teams[of % made.teams.length]! : null;
    const group = owner === "group" ? made.groups[of % made.groups.length]! : null;
    const body = { label: `Field ${n}`, type: "text", team_id: team, group_id: group };
    const { id, name } = await post(made.company.admin, "/v1/fields/contact", body);
    made.fields.push({ id, name, team, group, word: `quince${n}` });
  }
}

/** Returns the fields in which a contact has values. `values` has one bit for each field. */
export function fieldsAmong(made: Made, values: number): KnownField[] {
  return made.fields.filter((_, n) => (values & (1 << n)) !== 0);
}

/**
 * Creates saved filters. A filter belongs to the active team of its creator; the admin's filters belong to no
 * team.
 */
export async function makeFilters(made: Made, filters: Plan["filters"]): Promise<void> {
  for (const { kind, by, day: n, field: at } of filters) {
    const maker = by === null ? null : made.viewers[by]!;
    const named = at === null || kind === "account" ? null : made.fields[at % made.fields.length]!;
    const field = named && (maker === null || seesField(maker, named, made.groupOf)) ? named : null;
    const actor = by === null ? made.company.admin : made.actors[by]!;
    const body = await post(actor, `/v1/${kind}s/filters`, {
      name: "Mine",
      filter: makeNodes(kind, formatDay(n), field),
    });
    const team = maker?.teams[0] ?? null;
    const record = takeKnown({ ...body, user: { id: actor.id } }, team, [], {});
    made.filters.push({ ...record, kind, from: formatDay(n), field });
  }
}

function makeNodes(kind: string, from: string, field: KnownField | null): object[] {
  const nodes: object[] = [{ field: `${kind}.created_at`, operator: "gte", value: from }];
  if (field) nodes.push({ ...makeValue(field), field: `b2b_contact.custom_fields.${field.name}` });
  return nodes;
}

const makeValue = ({ word }: KnownField) => ({ operator: "sw", value: word.slice(0, -1).toUpperCase() });

/** Checks that definitions, values and searches show the fields that the viewer sees, and no others. */
export async function lookAtFields(made: Made, viewer: Viewer, actor: Actor): Promise<void> {
  const visible = made.contacts.filter((contact) => seesRecord(viewer, contact, made.groupOf));
  const { body: defined } = await actor.call("GET", "/v1/fields/contact");
  const seen = made.fields.filter((field) => seesField(viewer, field, made.groupOf));
  const ids = (fields: readonly { id: string }[]) => fields.map(({ id }) => id).toSorted();
  assert.deepEqual(ids(defined.data), ids(seen));
  const { body: listed } = await actor.call("GET", "/v1/contacts?per_page=100");
  for (const { id, custom_fields } of listed.data) {
    const of = made.contacts.find((contact) => contact.id === id)!;
    const values = custom_fields.filter(({ value }: Body) => value !== null);
    assert.deepEqual(ids(custom_fields), ids(seen), `the fields of ${id}`);
    const expected = seen.filter((field) => of.fields.includes(field));
    assert.deepEqual(ids(values), ids(expected), `the values of ${id}`);
  }
  for (const field of made.fields) {
    const { status } = await actor.call("GET", `/v1/fields/contact/${field.id}`);
    assert.equal(status, seen.includes(field) ? 200 : 404);
    // Fields of a team or group are not searched.
    const shared = field.team === null && field.group === null;
    await ask(actor, "/v1/contacts", shared ? visible : [], {
      query: `search=${field.word}`,
      holds: (record) => made.contacts.find(({ id }) => id === record.id)!.fields.includes(field),
    });
    const filter = [{ ...makeValue(field), field: `b2b_contact.custom_fields.${field.name}` }];
    const found = await actor.call("POST", "/v1/contacts/filter?per_page=100", { filter });
    if (!seen.includes(field)) {
      assert.equal(found.body.errors[0].code, "unknown_field", found.text);
      continue;
    }
    const having = visible.filter(({ fields }) => fields.includes(field));
    assert.deepEqual(ids(found.body.data), ids(having), found.text);
    assert.equal(found.body.pagination.total, having.length);
  }
}

/** Checks that lists accept exactly the saved filters that the viewer sees, by the team of their creator. */
export async function lookAtFilters(made: Made, viewer: Viewer, actor: Actor): Promise<void> {
  for (const kind of ["account", "contact"] as const) {
    const path = `/v1/${kind}s/filters`;
    const all = made.filters.filter((filter) => filter.kind === kind);
    const visible = all.filter((filter) => seesRecord(viewer, filter, made.groupOf));
    await compare(actor, path, visible, [], []);
    const records: readonly Known[] = made[`${kind}s`].filter((record) =>
      seesRecord(viewer, record, made.groupOf)
    );
    for (const filter of all) {
      const there = visible.includes(filter);
      assert.equal((await actor.call("GET", `${path}/${filter.id}`)).status, there ? 200 : 404);
      const query = `filter_id=${filter.id}`;
      if (there && (filter.field === null || seesField(viewer, filter.field, made.groupOf))) {
        const selected = selectedBy(made, filter);
        for (const { query: more, holds } of among(made)) {
          const question = {
            query: query + more,
            holds: (record: Known) => selected(record) && holds(record),
          };
          await ask(actor, `/v1/${kind}s`, records, question);
        }
        await ask(actor, `/v1/${kind}s`, records, { query, holds: selected }, "-created_at");
        continue;
      }
      const refused = await actor.call("GET", `/v1/${kind}s?${query}`);
      assert.equal(refused.status, 422, refused.text);
      assert.equal(refused.body.errors[0].path, "query.filter_id");
      assert.equal(refused.body.errors[0].code, there ? "unknown_field" : "exists");
    }
  }
}

/** Returns queries to combine with a saved filter. */
function among({ teams }: Made): Question[] {
  const team = teams[0]!;
  return [
    { query: "", holds: () => true },
    { query: `&teams=${team}`, holds: (record) => record.team === team },
  ];
}

function selectedBy(made: Made, { from, field }: KnownFilter): (record: Known) => boolean {
  return ({ id, created_at }) => {
    if (created_at < from) return false;
    return field === null || made.contacts.find((contact) => contact.id === id)!.fields.includes(field);
  };
}
