import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { type Actor, type Body, startApp } from "../support/app.ts";
import { farDatabase } from "../support/far.ts";
import {
  askFilter,
  type Condition,
  createAccount,
  createContact,
  expandFilter,
  type Written,
} from "./filters_world.ts";
import { indexAll } from "./texts_world.ts";

const title = "several conditions on one field select what they select one by one, combined, indexed or not";

Deno.test(`${title} (file)`, () => selectsAlike({}));

Deno.test(`${title} (far)`, () => farDatabase(({ env }) => selectsAlike(env)));

async function selectsAlike(env: Record<string, string>): Promise<void> {
  await using app = await startApp(env);
  const { admin } = await app.company();
  const firms: string[] = [];
  for (const name of ["Alpha Motors", "Beta Motors", "Gamma", "motors alpha"]) {
    const firm = await createAccount(admin, name);
    firms.push(firm.id);
    await createContact(admin, firm.id, `${name} Smith`, {
      fixed: { title: name === "Gamma" ? "Doctor" : "Prof" },
    });
    if (name !== "Gamma") await createContact(admin, firm.id, `Ann ${name}`);
  }
  await createAccount(admin, "Nobody");
  const fields = [
    "b2b_contact.fixed_fields.last_name",
    "b2b_account.fixed_fields.name",
    "b2b_contact.fixed_fields.title",
  ];
  const texts: Readonly<Record<string, readonly string[]>> = {
    ct: ["motors", "ALPHA", "zz", "a"],
    nct: ["motors", "alpha", "zz"],
    ew: ["Smith", "alpha", "MOTORS", "h"],
    eq: ["gamma", "Prof", "Ann Gamma"],
    in: ["gamma", "Doctor"],
    neq: ["gamma", "Prof", "Ann Gamma"],
    nin: ["gamma", "Doctor"],
  };
  const check = async () => {
    for (const kind of ["contacts", "accounts"] as const) {
      const all = await ids(admin, kind, []);
      for (const field of fields) {
        for (const [operator, values] of Object.entries(texts)) {
          const nodes = values.map((
            value,
          ): Condition => [field, operator, operator.endsWith("in") ? [value] : value]);
          const each = await Promise.all(nodes.map((node) => ids(admin, kind, [node])));
          const any = all.filter((id) => each.some((some) => some.includes(id)));
          assert.deepEqual(await ids(admin, kind, [{ or: nodes }]), any, `${kind} ${field} or ${operator}`);
          // Several records may each have one of the texts, so that only fields of the filtered records compare.
          if (kind === "accounts" && field.includes("contact")) continue;
          const every = all.filter((id) => each.every((some) => some.includes(id)));
          assert.deepEqual(await ids(admin, kind, nodes), every, `${kind} ${field} and ${operator}`);
        }
      }
    }
    const smiths: Condition[] = [[fields[0]!, "ct", "alpha"], [fields[0]!, "ct", "smith"]];
    assert.deepEqual(await ids(admin, "accounts", smiths), [firms[0], firms[3]].sort());
  };
  await check();
  await indexAll(app.deps.db);
  await check();
}

Deno.test("many conditions on one field that must not hold are one condition of the statement", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const firm = await createAccount(admin, "Alpha");
  await createContact(admin, firm.id, "Smith", { fixed: { phone_number: "06 12345678" } });
  let longest = 0;
  const { db } = app.deps;
  const served = createApp({
    ...app.deps,
    db: {
      ...db,
      readOnThread(statements, how) {
        longest = Math.max(longest, ...statements.map(({ sql }) => sql.length));
        return db.readOnThread(statements, how);
      },
    },
  });
  const measure = async (kind: string, filter: unknown): Promise<number> => {
    longest = 0;
    const reply = await served.fetch(
      new Request(`${app.url}/v1/${kind}/filter`, {
        method: "POST",
        headers: { "Authorization": `Bearer ${admin.token}`, "Content-Type": "application/json" },
        body: JSON.stringify({ filter }),
      }),
    );
    assert.deepEqual([reply.status, (await reply.json()).pagination.total], [200, 1]);
    return longest;
  };
  for (const field of ["phone_number", "last_name"]) {
    for (const operator of ["neq", "nct"]) {
      for (const kind of ["contacts", "accounts"]) {
        const nodes = Array.from(
          { length: 150 },
          (_, n): Condition => [`b2b_contact.fixed_fields.${field}`, operator, `06 ${n}55555`],
        );
        const [one, all] = [
          await measure(kind, expandFilter(nodes.slice(1, 2))),
          await measure(kind, expandFilter(nodes)),
        ];
        assert.ok(all < 1.5 * one, `${kind} ${field} ${operator}: ${all} characters, ${one} for one`);
      }
    }
  }
});

async function ids(
  actor: Actor,
  kind: "accounts" | "contacts",
  nodes: readonly Written[],
): Promise<string[]> {
  const { status, text, body } = await askFilter(actor, kind, expandFilter(nodes));
  assert.equal(status, 200, text);
  assert.equal(body.pagination.total, body.data.length);
  return body.data.map(({ id }: Body) => id).sort();
}
