/** Imports whose steps are interrupted anywhere end as those that are not. */
import assert from "node:assert/strict";
import { closeFile } from "../../src/integration/imports/file_rows.ts";
import { DatabaseUnavailable, type Statement } from "../../src/platform/database/database.ts";
import { runJobs } from "../../src/jobs.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { awaitEnd, importFile, listFaults, moveImport, send } from "./imports_world.ts";

/** What the API says of all customers, without ids and times. */
async function everything(admin: Actor): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const path of ["/v1/accounts", "/v1/contacts"]) {
    let next: string | null = `${path}?per_page=100`;
    while (next !== null) {
      const { body }: { body: Body } = await admin.call("GET", next);
      found.push(...body.data.map(plain));
      next = body.pagination.urls.next?.replace(/^https?:\/\/[^/]+/, "") ?? null;
    }
  }
  return found.map((each) => JSON.stringify(each)).sort();
}

function plain({ external_id, b2c, fixed_fields, consent, account }: Body): unknown {
  const values = fixed_fields.map(({ value }: Body) => value);
  return [external_id, b2c, values, consent?.email.consent_given, account?.name];
}

const rows = [
  "external_id,first_name,last_name,email,account.external_id,account.name",
  ...Array.from({ length: 150 }, (_, n) => {
    const email = n % 10 === 3 ? "nonsense" : `p${n}@example.org`;
    return `C${n % 120},First ${n},Last ${n},${email},A${n % 9},Firm ${n % 9}`;
  }),
].join("\n");
const form = { entity: "contacts", match: "external_id" };

/** Makes writes fail: `isHit` says which, `isAfter` whether their commit has happened. */
function interrupt(
  app: TestApp,
  isHit: (statements: readonly Statement[]) => boolean,
  isAfter: () => boolean,
) {
  const { db } = app.deps;
  const write = db.write.bind(db);
  Object.assign(db, {
    write: async (statements: readonly Statement[]) => {
      if (!isHit(statements)) return await write(statements);
      if (isAfter()) await write(statements);
      throw new DatabaseUnavailable("the process is gone");
    },
  });
  return () => Object.assign(db, { write });
}

const isStep = (statements: readonly Statement[]) =>
  statements.some(({ sql }) => sql.includes("update imports set place") || sql.includes("set reverted"));

/** Runs a call until the import is at rest, while half of all steps break off before or after their commit. */
async function runInterrupted(
  app: TestApp,
  admin: Actor,
  begin: () => Promise<Body>,
  status: string,
): Promise<Body> {
  let random = 7;
  const chance = () => (random = random * 16_807 % 2_147_483_647) / 2_147_483_647;
  let broken = 0;
  const restore = interrupt(
    app,
    (all) => isStep(all) && chance() < 0.5 && ++broken > 0,
    () => chance() < 0.5,
  );
  const { id } = await begin();
  for (let run = 0; run < 100; run++) {
    const found = await awaitEnd(app, admin, id);
    if (found.status === status) {
      restore();
      assert.ok(broken > 2, `only ${broken} steps broke off`);
      return found;
    }
    // What the process had in memory is gone, and its lease ends.
    await closeFile(app.deps.storage, id);
    app.clock.move(60_000);
    await runJobs(app.deps, app.clock.now());
  }
  throw new Error(`the import is never ${status}`);
}

Deno.test("an import and its revert end the same, wherever their steps break off", async () => {
  await using whole = await startApp();
  const other = (await whole.company()).admin;
  const smooth = await importFile(whole, other, rows, form);
  assert.deepEqual(smooth.counts, { rows: 150, created: 108, updated: 27, skipped: 0, failed: 15 });

  await using app = await startApp();
  const { admin } = await app.company();
  const first = await importFile(
    app,
    admin,
    "external_id,name,city\nA1,Firm one,London\nA2,Firm two,Rome\n",
    {
      entity: "accounts",
    },
  );
  await moveImport(app, admin, first.id, "revert");
  const before = await everything(admin);
  const done = await runInterrupted(app, admin, async () => (await send(admin, rows, form)).body, "done");
  assert.deepEqual(done.counts, smooth.counts);
  assert.deepEqual(await listFaults(admin, done.id), await listFaults(other, smooth.id));
  assert.deepEqual(await everything(admin), await everything(other));
  const revert = async () => (await admin.call("POST", `/v1/imports/${done.id}/revert`)).body;
  const reverted = await runInterrupted(app, admin, revert, "reverted");
  assert.equal(reverted.reverted.kept, 0);
  assert.deepEqual(await everything(admin), before);
});
