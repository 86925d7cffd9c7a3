/** Many large pages of one company leave room for those of another. `FLOOD` sets how many are asked for at once. */
import assert from "node:assert/strict";
import { type Actor, startApp } from "../support/app.ts";

const list = "/v1/contacts?per_page=20";
/** Enough that more pages wait to be written than may: with 30 it was left to chance, for minutes. */
const asking = Number(Deno.env.get("FLOOD") ?? 60);

/** Gives the company a list of 1.3 MiB. */
async function withLargeContacts(admin: Actor): Promise<Actor> {
  const custom_fields = [];
  for (const label of ["One", "Two", "Three", "Four"]) {
    const field = await admin.call("POST", "/v1/fields/contact", { label, type: "multi_line" });
    custom_fields.push({ id: field.body.id, value: "x".repeat(16_000) });
  }
  const account = await admin.call("POST", "/v1/accounts", {
    fixed_fields: [{ name: "name", value: "Ada Ltd" }],
  });
  const contact = { fixed_fields: [{ name: "last_name", value: "Byron" }], custom_fields };
  for (let n = 0; n < 20; n++) {
    const made = await admin.call("POST", `/v1/accounts/${account.body.id}/contacts`, contact);
    assert.equal(made.status, 201, made.text);
  }
  return admin;
}

Deno.test("a company that asks for very many large pages at once does not exclude another one", async () => {
  await using app = await startApp();
  const busy = await withLargeContacts((await app.company()).admin);
  const other = await withLargeContacts((await app.company()).admin);
  let isAsking = true;
  const refused: number[] = [];
  // What the network did, which is no answer of the service.
  const broken: string[] = [];
  const flood = Array.from({ length: asking }, async () => {
    while (isAsking) {
      try {
        const { status } = await busy.call("GET", list);
        if (status !== 200) refused.push(status);
      } catch (error) {
        broken.push(String(error instanceof Error && error.cause || error));
      }
    }
  });
  const statuses: number[] = [];
  while (refused.length < 30) await new Promise((resolve) => setTimeout(resolve, 20));
  for (let n = 0; n < 10; n++) statuses.push((await other.call("GET", list)).status);
  isAsking = false;
  await Promise.all(flood);
  if (broken.length > 0) {
    console.log(`${broken.length} calls got no answer: ${[...new Set(broken)].join(", ")}`);
  }
  assert.deepEqual([...new Set(refused)], [503]);
  assert.deepEqual([...new Set(statuses)], [200]);
});
