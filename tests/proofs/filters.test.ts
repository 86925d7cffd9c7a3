/** The service selects what an evaluator of its own selects, over the same customers, filter by filter. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { type Node, selects, type Subject, type Terms } from "./filters/evaluator.ts";
import { fieldsOf, type Root } from "./filters/fields.ts";
import { condition, filter, pairsOf, valuesOf } from "./filters/generator.ts";
import { newWorld, type World } from "./filters/world.ts";

/** Generated filters of each list. */
const runs = Number(Deno.env.get("FILTER_RUNS") ?? 700);
/** Values for each field and operator. */
const samples = Number(Deno.env.get("FILTER_SAMPLES") ?? 1);
const roots: Root[] = ["account", "contact", "case", "lead"];

Deno.test("a filter selects the records that hold it, of those that the caller sees, and counts them", async (t) => {
  await using app = await startApp();
  const world = await newWorld(app);
  const terms = { fields: fieldsOf(roots, world.own), now: app.clock.now() };
  for (const list of ["accounts", "contacts"] as const) {
    await t.step(`by every field, with each of its operators: ${list}`, () => everyField(world, list, terms));
    await t.step(`by whatever conditions, in lists and groups: ${list}`, () => generated(world, list, terms));
  }
});

type List = "accounts" | "contacts";

async function everyField(world: World, list: List, terms: Terms): Promise<void> {
  const subjects = world[list];
  const known = valuesOf(subjects, terms.fields.values());
  // Under the other names that fields have, generated filters ask for them.
  const asked = [...terms.fields.values()].filter(({ alias }) => !alias);
  const wrong: string[] = [];
  for (const [field, operator] of pairsOf(asked)) {
    const values = condition(field, operator, known.get(field.name)!);
    for (const node of fc.sample(values, { numRuns: samples })) {
      const { difference } = await compare(world.admin, list, subjects, [node], terms);
      if (difference !== null) wrong.push(difference);
    }
  }
  assert.deepEqual(wrong, []);
}

async function generated(world: World, list: List, terms: Terms): Promise<void> {
  const subjects = world[list];
  const known = valuesOf(subjects, terms.fields.values());
  const seen = subjects.filter(({ seen }) => seen).map((each) => ({ ...each, facts: each.asSeen }));
  let telling = 0;
  await fc.assert(
    fc.asyncProperty(filter([...terms.fields.values()], subjects, known), fc.nat(3), async (nodes, by) => {
      const [actor, among] = by === 0 ? [world.member, seen] : [world.admin, subjects];
      const { difference, selected } = await compare(actor, list, among, nodes, terms);
      assert.equal(difference, null);
      if (selected > 0 && selected < among.length) telling++;
    }),
    { numRuns: runs },
  );
  assert.ok(telling > runs / 4, `only ${telling} of ${runs} filters select some records and not all`);
}

/** How many the evaluator selects, and what is different in the service's answer. */
async function compare(
  by: Actor,
  list: List,
  subjects: readonly Subject[],
  nodes: readonly Node[],
  terms: Terms,
): Promise<{ selected: number; difference: string | null }> {
  const expected = subjects.filter((subject) => selects(subject, nodes, terms)).map(({ facts }) => facts.id);
  const said = (what: string | null) => ({
    selected: expected.length,
    difference: what === null ? null : `${list} by ${JSON.stringify(nodes)}: ${what}`,
  });
  const answer = await by.call("POST", `/v1/${list}/filter?per_page=100`, { filter: nodes });
  if (answer.status !== 200) return said(answer.text);
  const { data, pagination }: Body = answer.body;
  const ids: string[] = data.map(({ id }: { id: string }) => id);
  const missing = expected.filter((id) => !ids.includes(id));
  const extra = ids.filter((id) => !expected.includes(id));
  const { total } = pagination;
  if (missing.length + extra.length === 0 && total === ids.length) return said(null);
  return said(`missing [${missing}], too many [${extra}], the total ${total} rather than ${expected.length}`);
}
