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

/** Starts a company whose statements for filters can be seen. */
async function askedFor() {
  const app = await startApp();
  const { admin } = await app.company();
  const { id } = await newField(admin, { label: "Remark", type: "text" }, [], "contact");
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
    time: ["contact.created_at", "gte", yearAgo] as Written,
    /** Returns the statement that reads the page. */
    async statement(nodes: Written[], sort: string): Promise<Statement> {
      read.length = 0;
      const reply = await served.fetch(
        new Request(`${app.url}/v1/contacts/filter?sort=${sort}`, {
          method: "POST",
          headers: { "Authorization": `Bearer ${admin.token}`, "Content-Type": "application/json" },
          body: JSON.stringify({ filter: expandFilter(nodes) }),
        }),
      );
      assert.equal(reply.status, 200, await reply.text());
      return read.find(({ sql }) => sql.includes("page_total"))!;
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}
