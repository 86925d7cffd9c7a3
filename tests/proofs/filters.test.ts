/**
 * Compares, filter by filter, the records that the service selects with those that an independent evaluator
 * selects.
 */
import assert from "node:assert/strict";
import fc from "../support/properties.ts";
import { indexTexts } from "../../src/customers/texts/index_texts.ts";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { type Node, selectsSubject, type Terms } from "./filters/evaluator.ts";
import { listFields, type Root } from "./filters/fields.ts";
import { collectValues, makeCondition, makeFilter, pairWithOperators } from "./filters/generator.ts";
import { type Customer, newWorld, readAnswer, type World } from "./filters/world.ts";

/** The number of generated filters of each list. */
const runs = Number(Deno.env.get("FILTER_RUNS") ?? 60);
/**
 * The number of values for each field and operator. With one, a field of related records is compared with half
 * of its operators in accounts, and with the other half in contacts.
 */
const samples = Number(Deno.env.get("FILTER_SAMPLES") ?? 1);
const roots: Root[] = ["account", "contact", "case", "lead", "product"];

Deno.test("a filter selects the records that hold it, of those that the caller sees, and counts them", async (t) => {
  await using app = await startApp();
  const world = await newWorld(app);
  const now = app.clock.now();
  for (const list of ["accounts", "contacts", "leads"] as const) {
    const terms = { fields: listFields(list === "leads" ? ["lead"] : roots, world.own), now };
    const asking = await newAsking(world, list, terms);
    // Compares before the jobs have indexed the texts, after they have, and then with a third of the texts
    // waiting again.
    await t.step(`by every field, with each of its operators: ${list}`, () => everyField(asking));
    await indexTexts(app.deps);
    await t.step(`by parts of texts, in their index: ${list}`, () => everyField(asking, "ct"));
    if (list !== "leads") {
      await app.deps.db.write([{
        sql:
          `insert into ${list}_trigrams_stale (key) select company_id << 39 | seq from ${list} where seq % 3 = 0`,
        args: [],
      }]);
    }
    await t.step(`by generated conditions, in lists and groups: ${list}`, () => runGenerated(asking));
  }
});

type List = "accounts" | "contacts" | "leads";

interface Asking {
  readonly world: World;
  readonly list: List;
  readonly terms: Terms;
  /** The id of a saved filter, which each comparison overwrites. Null if the list has no saved filters. */
  readonly saved: string | null;
}

async function newAsking(world: World, list: List, terms: Terms): Promise<Asking> {
  if (list === "leads") return { world, list, terms, saved: null };
  const body = { name: "Mine", filter: [] };
  const { id } = await readAnswer(world.admin, "POST", `/v1/${list}/filters`, body, 201);
  return { world, list, terms, saved: id };
}

async function everyField(asking: Asking, only?: string): Promise<void> {
  const { world, list, terms } = asking;
  const subjects = world[list];
  const known = collectValues(subjects, terms.fields.values());
  // Leaves out the aliases of fields, which the generated filters use.
  const asked = [...terms.fields.values()].filter(({ alias }) => !alias);
  const wrong: string[] = [];
  for (const [n, [field, operator]] of pairWithOperators(asked).entries()) {
    if (only !== undefined && operator !== only) continue;
    const isRelated = list !== "leads" && `${field.root}s` !== list;
    if (samples === 1 && isRelated && list !== (n % 2 === 0 ? "contacts" : "accounts")) continue;
    const values = makeCondition(field, operator, known.get(field.name)!);
    const how = n % 8 < 2 && asking.saved !== null ? { saved: true, team: null } : posted;
    for (const node of fc.sample(values, { numRuns: samples })) {
      const { difference } = await compare(asking, world.admin, subjects, [node], how);
      if (difference !== null) wrong.push(difference);
    }
  }
  assert.deepEqual(wrong, []);
}

async function runGenerated(asking: Asking): Promise<void> {
  const { world, list, terms } = asking;
  const subjects = world[list];
  const known = collectValues(subjects, terms.fields.values());
  const seen = subjects.filter(({ seen }) => seen).map((each) => ({ ...each, facts: each.asSeen }));
  const nodes = makeFilter([...terms.fields.values()], subjects, known, terms);
  const saved = fc.record({ saved: fc.constant(true), team: fc.constantFrom(null, ...world.teams) });
  const hows = asking.saved === null
    ? fc.constant(posted)
    : fc.oneof({ arbitrary: fc.constant(posted), weight: 2 }, saved);
  let telling = 0;
  await fc.assert(
    fc.asyncProperty(nodes, fc.nat(3), hows, async (nodes, by, how) => {
      const [actor, among] = by === 0 && list !== "leads" ? [world.member, seen] : [world.admin, subjects];
      const { difference, selected } = await compare(asking, actor, among, nodes, how);
      assert.equal(difference, null);
      if (selected > 0 && selected < among.length) telling++;
    }),
    { numRuns: runs },
  );
  assert.ok(telling > runs / 4, `only ${telling} of ${runs} filters select some records and not all`);
}

/**
 * How a filter is sent: posted, or saved and named in a request of the list, which can also be limited to one
 * team.
 */
interface How {
  readonly saved: boolean;
  readonly team: number | null;
}
const posted: How = { saved: false, team: null };

/** Returns how many records the evaluator selects, and how the answer of the service differs. */
async function compare(
  { list, terms, saved, world: { admin } }: Asking,
  by: Actor,
  subjects: readonly Customer[],
  nodes: readonly Node[],
  how: How,
): Promise<{ selected: number; difference: string | null }> {
  const among = how.team === null ? subjects : subjects.filter(({ team }) => team === how.team);
  const expected = among.filter((subject) => selectsSubject(subject, nodes, terms)).map(({ facts }) =>
    facts.id
  );
  const said = (what: string | null) => ({
    selected: expected.length,
    difference: what === null ? null : `${list} by ${JSON.stringify(nodes)} ${JSON.stringify(how)}: ${what}`,
  });
  if (how.saved) await readAnswer(admin, "PUT", `/v1/${list}/filters/${saved}`, { filter: nodes }, 200);
  const team = how.team === null ? "" : `&teams=${how.team}`;
  const found = how.saved
    ? await by.call("GET", `/v1/${list}?filter_id=${saved}&per_page=100${team}`)
    : await by.call("POST", `/v1/${list}/filter?per_page=100`, { filter: nodes });
  if (found.status !== 200) return said(found.text);
  const { data, pagination }: Body = found.body;
  const ids: string[] = data.map(({ id }: { id: string }) => id);
  const missing = expected.filter((id) => !ids.includes(id));
  const extra = ids.filter((id) => !expected.includes(id));
  const { total } = pagination;
  if (missing.length + extra.length === 0 && total === ids.length) return said(null);
  return said(`missing [${missing}], too many [${extra}], the total ${total} rather than ${expected.length}`);
}
