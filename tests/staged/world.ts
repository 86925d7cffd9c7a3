/** Staged work for tests: cases of a deleted user on their way to the successor. */
import assert from "node:assert/strict";
import { copy } from "../customers/deletion_world.ts";
import { newCase, newPath, readEvents } from "../sales/parts.ts";
import { startApp, type TestApp } from "../support/app.ts";

export interface Handover {
  readonly app: TestApp;
  /** The ids of the cases in their order, the successor's id, and the number of events so far. */
  readonly cases: string[];
  readonly successor: number;
  readonly known: number;
}

/** Deletes a user with so many open cases, without the steps that follow in the background. */
export async function startHandover(count: number): Promise<Handover> {
  const app = await startApp();
  const company = await app.company();
  const { admin } = company;
  const [user, successor] = [await company.user(), await company.user()];
  const one = await newCase(admin, await newPath(admin), { user_id: user.id });
  await copy(app, "cases", `x.id = '${one.id}'`, {
    id: "x.id || (100000 + i)",
    case_number: "x.case_number + i",
  }, count - 1);
  const { run } = app.deps.background;
  app.deps.background.run = () => {};
  const path = `/v1/companies/${company.id}/users/${user.id}?assign_to=${successor.id}`;
  assert.equal((await admin.call("DELETE", path)).status, 204);
  app.deps.background.run = run;
  const cases = (await app.sql("select id from cases order by id")).map(({ id }) => String(id));
  return { app, cases, successor: successor.id, known: (await readEvents(app)).length };
}

/** The number of cases of the successor. */
export async function countArrived({ app, successor }: Handover): Promise<number> {
  return Number((await app.sql("select count(*) as n from cases where user_id = ?", successor))[0]!.n);
}

/** Every case changed in exactly one event, and no work is left. */
export async function checkOnce({ app, cases, successor }: Handover): Promise<void> {
  assert.deepEqual(await app.sql("select * from staged_work"), []);
  assert.deepEqual(await app.sql("select * from set_aside"), []);
  const updated = (await readEvents(app)).filter(({ name }) => name === "case_updated");
  assert.deepEqual(updated.map(({ body }) => body.id).sort(), cases);
  assert.deepEqual(new Set(updated.map(({ body }) => body.user.id)), new Set([successor]));
}

/** Makes the database refuse a change of a record, as a bad row does. */
export async function refuse(app: TestApp, table: string, when: string, on = "update"): Promise<void> {
  await app.deps.db.write([{
    sql:
      `create trigger refused before ${on} on ${table} when old.${when} begin select raise(abort, 'bad'); end`,
    args: [],
  }]);
}

export async function allow(app: TestApp): Promise<void> {
  await app.deps.db.write([{ sql: "drop trigger refused", args: [] }]);
}
