/** How the statements of filters find their rows. */
import assert from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import type { Statement, ThreadedRead } from "../../src/platform/database/database.ts";
import { startApp } from "../support/app.ts";
import { newField } from "./fields_world.ts";
import { expandFilter, type Written } from "./filters_world.ts";

const name: Written = ["b2b_contact.fixed_fields.last_name", "sw", "s"];
const sorts = ["-created_at", "last_name", "-last_activity_at"];

Deno.test("a filter reads its range of a custom text once, instead of a search for each row of another range", async () => {
  await using asked = await askedFor();
  const { key } = asked.field;
  for (const sort of sorts) {
    const { sql } = await asked.statement([name, [key, "sw", "k"]], sort);
    // The `+` keeps SQLite from a search for each row of the set.
    assert.match(sql, /where \+row in \(select row\s+from/, sort);
  }
});

Deno.test("a filter tests only what the index lacks on the rows that it finds", async () => {
  await using asked = await askedFor();
  for (const sort of sorts) {
    const consent: Written = ["b2b_contact.consent.email.consent_given", "eq", false];
    const { sql } = await asked.statement([name, asked.time, consent], sort);
    // The rows that either path found.
    const rows = sql.split("found(id, key)")[0]!.split(" h cross join ").at(-1)!;
    assert.match(rows, /consent_email/);
    assert.doesNotMatch(rows, /last_name'|b2c/, sort);
  }
});

Deno.test("one path finds the rows between two bounds of a number, for all and for a member's teams", async () => {
  await using asked = await askedFor();
  const bounds: Written[] = [[asked.number, "gte", 100], [asked.number, "lt", 200]];
  for (const caller of ["admin", "member"] as const) {
    for (const sort of sorts) {
      const rows = extractRows(await asked.statement(bounds, sort, caller));
      assert.match(rows, /v\.number >= \?\d* and v\.number < \?/, caller);
      assert.doesNotMatch(rows, /row in \(select row|contacts_by_team/, `${caller} ${sort}`);
    }
  }
});

Deno.test("rows are found by what few share, not by a salutation, a country or the code of one", async () => {
  await using asked = await askedFor();
  const few: Written = [asked.field.key, "sw", "k sm"];
  const shared: Written[] = [
    ["b2b_contact.fixed_fields.salutation", "eq", "Herr"],
    ["b2b_account.fixed_fields.country", "eq", "DE"],
    ["b2b_account.fixed_fields.country", "in", ["DE", "AT"]],
    ["b2b_account.fixed_fields.state_region", "eq", "Utrecht"],
    ["b2b_contact.fixed_fields.phone_number", "sw", "+49"],
  ];
  for (const condition of shared) {
    for (const filter of [[condition, few], [few, condition]]) {
      const rows = extractRows(await asked.statement(filter, sorts[0]!));
      const [path] = rows.split(" h cross join ");
      assert.match(path!, /v\.text >= /, String(condition));
      assert.doesNotMatch(path!, /_folded_|country/, String(condition));
    }
  }
});

/** Returns the part of a statement that finds the rows. */
function extractRows({ sql }: Statement): string {
  return sql.split(/found\(id, key\)|size\(n\)/)[0]!;
}

/** Starts a company whose statements for filters can be seen. */
async function askedFor() {
  const app = await startApp();
  const crm = await app.company();
  const { admin } = crm;
  const callers = { admin, member: await crm.user({ teams: [await crm.team()] }) };
  const { id } = await newField(admin, { label: "Remark", type: "text" }, [], "contact");
  const score = await newField(admin, { label: "Score", type: "numeric" }, [], "contact");
  const { db } = app.deps;
  const read: Statement[] = [];
  const served = createApp({
    ...app.deps,
    db: {
      ...db,
      read: (statements) => (read.push(...statements), db.read(statements)),
      readOnThread: (statements: readonly Statement[], how: ThreadedRead) => {
        read.push(...statements);
        return db.readOnThread(statements, how);
      },
    },
  });
  const yearAgo = new Date(Date.now() - 365 * 86_400_000).toISOString().slice(0, 19).replace("T", " ");
  return {
    field: { key: `b2b_contact.custom_fields.id.${id}` },
    number: `b2b_contact.custom_fields.id.${score.id}`,
    time: ["contact.created_at", "gte", yearAgo] as Written,
    /** Returns the statement that reads the page. */
    async statement(
      nodes: Written[],
      sort: string,
      caller: keyof typeof callers = "admin",
    ): Promise<Statement> {
      read.length = 0;
      const reply = await served.fetch(
        new Request(`${app.url}/v1/contacts/filter?sort=${sort}`, {
          method: "POST",
          headers: { "Authorization": `Bearer ${callers[caller].token}`, "Content-Type": "application/json" },
          body: JSON.stringify({ filter: expandFilter(nodes) }),
        }),
      );
      assert.equal(reply.status, 200, await reply.text());
      return read.find(({ sql }) => sql.includes("page_total"))!;
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}
